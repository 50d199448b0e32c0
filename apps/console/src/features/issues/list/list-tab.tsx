import { Tabs } from 'antd';
import { useTranslation } from 'react-i18next';
import { download } from '../../../shared/api/client.ts';
import { filtersIn } from '../../../shared/lib/lists/list-query.ts';
import { ExportButton } from '../../../shared/ui/list-page/export-button.tsx';
import { FilterBar } from '../../../shared/ui/list-page/filter-bar.tsx';
import { IssueFilters, QuickFilters } from './issue-filters.tsx';
import { IssueTable } from './issue-table.tsx';
import css from './issues.module.css';
import { SavedViews } from './saved-views.tsx';
import { appliedFilters, useIssueList } from './use-issue-list.ts';

const TABS = ['open', 'closed', 'all'] as const;

/** The issues in a table: open ones, closed ones, or all of them. */
export function ListTab() {
  const { t } = useTranslation('issues');
  const list = useIssueList();
  const { query, change } = list;
  const counts = list.answer?.counts;
  const count = { open: counts?.open, closed: counts?.closed, all: counts && counts.open + counts.closed };
  const named = (tab: (typeof TABS)[number]) => {
    const known = count[tab];
    return known === undefined ? t(`tab.${tab}`) : `${t(`tab.${tab}`)} ${known.toLocaleString('en-US')}`;
  };
  return (
    <>
      <Tabs
        classNames={{ header: css.tabsBar ?? '' }}
        activeKey={query.tab ?? 'open'}
        // The statuses of the tabs differ.
        onChange={(key) => change({ tab: TABS.find((tab) => tab === key && tab !== 'open'), status: undefined })}
        items={TABS.map((key) => ({ key, label: named(key) }))}
      />
      <FilterBar
        list={list}
        search={t('search')}
        more={<IssueFilters list={list} board={false} />}
        extra={<SavedViews filters={filtersIn(query)} onChoose={(filters) => change(appliedFilters(filters))} />}
      >
        <QuickFilters list={list} />
      </FilterBar>
      <IssueTable list={list} />
    </>
  );
}

/** The export of the filtered list. */
export function ListExport() {
  const { query, rows } = useIssueList();
  const total = rows.data?.total;
  return (
    <ExportButton
      fetch={(options) => download('exportIssues', { query: filtersIn(query) }, options)}
      rows={total}
      disabled={total === 0}
    />
  );
}
