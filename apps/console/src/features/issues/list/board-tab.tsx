import { useTranslation } from 'react-i18next';
import { useAddress } from '../../../shared/hooks/lists/use-address.ts';
import { writeListQuery } from '../../../shared/lib/lists/list-query.ts';
import { FilterBar } from '../../../shared/ui/list-page/filter-bar.tsx';
import { IssueBoard } from '../board/issue-board.tsx';
import { IssueFilters, QuickFilters } from './issue-filters.tsx';
import { SavedViews } from './saved-views.tsx';
import { appliedFilters, filtersBesideTab, useIssueFilters } from './use-issue-list.ts';

/** The issues in a column for each status, with the filters of the list except tab and status. */
export default function BoardTab() {
  const { t } = useTranslation('issues');
  const list = useIssueFilters();
  const [, setSearch] = useAddress();
  const { status: _, ...filters } = filtersBesideTab(list.query);
  return (
    <>
      <FilterBar
        list={list}
        search={t('search')}
        more={<IssueFilters list={list} board />}
        extra={<SavedViews filters={filters} onChoose={(chosen) => list.change(appliedFilters(chosen))} />}
      >
        <QuickFilters list={list} />
      </FilterBar>
      <IssueBoard
        filters={filters}
        onShowAll={(status) => {
          const tab = status === 'closed' ? { tab: 'closed', status: undefined } : { tab: undefined, status };
          setSearch((now) => writeListQuery(now, { display: undefined, ...tab }));
        }}
      />
    </>
  );
}
