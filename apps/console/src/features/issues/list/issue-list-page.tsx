import { Segmented } from 'antd';
import { type ComponentType, lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useAddress } from '../../../shared/hooks/lists/use-address.ts';
import { loadChunk } from '../../../shared/lib/browser/load-chunk.ts';
import { writeListQuery } from '../../../shared/lib/lists/list-query.ts';
import { LinkButton } from '../../../shared/ui/page/link-button.tsx';
import { Page } from '../../../shared/ui/page/page-header.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { addIssuePath } from '../shared/issue-paths.ts';
import { useIssueRights } from '../shared/use-issue-rights.ts';
import { ListExport, ListTab } from './list-tab.tsx';

const DISPLAYS = ['list', 'board', 'times'] as const;
type Display = (typeof DISPLAYS)[number];

const PARTS: Record<Display, ComponentType> = {
  list: ListTab,
  board: lazy(() => loadChunk(() => import('./board-tab.tsx'))),
  times: lazy(() => loadChunk(() => import('./issue-times.tsx'))),
};

/** The issues that the user sees: as a list, as a board, and the times they take. The URL contains all of it. */
export default function IssueListPage() {
  const { t } = useTranslation('issues');
  const { t: routes } = useTranslation('routes');
  const rights = useIssueRights();
  const [search, setSearch] = useAddress();
  const display = DISPLAYS.find((one) => one === search.get('display')) ?? 'list';
  const Part = PARTS[display];
  return (
    <Page
      title={routes('issueList')}
      note={
        <Segmented<Display>
          aria-label={t('display.label')}
          value={display}
          options={DISPLAYS.map((value) => ({ value, label: t(`display.${value}`) }))}
          onChange={(next) => setSearch((now) => writeListQuery(now, { display: next === 'list' ? undefined : next }))}
        />
      }
      actions={
        <>
          {display === 'list' && <ListExport />}
          {rights.add && (
            <LinkButton to={addIssuePath()} primary>
              {routes('issueAdd')}
            </LinkButton>
          )}
        </>
      }
    >
      <Suspense fallback={<SkeletonRows rows={8} />}>
        <Part />
      </Suspense>
    </Page>
  );
}
