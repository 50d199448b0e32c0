import { Tabs } from 'antd';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { download } from '../../../shared/api/client.ts';
import { useList } from '../../../shared/hooks/lists/use-list.ts';
import { filtersIn } from '../../../shared/lib/lists/list-query.ts';
import { ExportButton } from '../../../shared/ui/list-page/export-button.tsx';
import { FilterBar } from '../../../shared/ui/list-page/filter-bar.tsx';
import { LinkButton } from '../../../shared/ui/page/link-button.tsx';
import { Page } from '../../../shared/ui/page/page-header.tsx';
import { addIssuePath } from '../shared/issue-paths.ts';
import { useIssueRights } from '../shared/use-issue-rights.ts';
import { IssueFilters, QuickFilters } from './issue-filters.tsx';
import { filtersBesideTab, ISSUE_LIST } from './issue-list.ts';
import { IssueTable } from './issue-table.tsx';
import css from './issues.module.css';

/** The issues that the user sees. The URL contains the tab and all filters. */
export default function IssueListPage() {
  const { t } = useTranslation('issues');
  const { t: routes } = useTranslation('routes');
  const rights = useIssueRights();
  const all = useList(ISSUE_LIST, 'listIssues', (query) => ({ query }));
  const { query, change } = all;
  const tab = query.tab ?? 'open';
  // The tab is no filter: it stays when the filters are cleared.
  const filtered = Object.keys(filtersBesideTab(query)).length > 0;
  const list = useMemo(() => {
    const none = Object.fromEntries(Object.keys(ISSUE_LIST.filters).map((name) => [name, undefined]));
    return { ...all, filtered, clear: () => change({ ...none, tab: query.tab }) };
  }, [all, change, filtered, query.tab]);
  const counts = all.answer?.counts;
  const count = { open: counts?.open, closed: counts?.closed, all: counts && counts.open + counts.closed };

  return (
    <Page
      title={routes('issueList')}
      actions={
        <>
          <ExportButton
            fetch={(options) => download('exportIssues', { query: filtersIn(query) }, options)}
            rows={list.rows.data?.total}
            disabled={list.rows.data?.total === 0}
          />
          {rights.add && (
            <LinkButton to={addIssuePath()} primary>
              {routes('issueAdd')}
            </LinkButton>
          )}
        </>
      }
    >
      <div className={css.head}>
        <Tabs
          className={css.tabs ?? ''}
          classNames={{ header: css.tabsBar ?? '' }}
          activeKey={tab}
          onChange={(key) => change({ tab: key === 'open' ? undefined : (key as typeof tab), status: undefined })}
          items={(['open', 'closed', 'all'] as const).map((key) => ({
            key,
            label:
              count[key] === undefined ? t(`tab.${key}`) : `${t(`tab.${key}`)} ${count[key].toLocaleString('en-US')}`,
          }))}
        />
      </div>
      <FilterBar list={list} search={t('search')} more={<IssueFilters list={list} board={false} />}>
        <QuickFilters list={list} />
      </FilterBar>
      <IssueTable list={list} />
    </Page>
  );
}
