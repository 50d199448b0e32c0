import { useList } from '../../../shared/hooks/lists/use-list.ts';
import { useListQuery } from '../../../shared/hooks/lists/use-list-query.ts';
import { filtersIn, isFiltered } from '../../../shared/lib/lists/list-query.ts';
import { ISSUE_LIST, type IssueList, type IssueQuery } from './issue-list.ts';

const NONE = Object.fromEntries(Object.keys(ISSUE_LIST.filters).map((name) => [name, undefined]));

/** The issues of the list. */
export function useIssueList() {
  const list = useList(ISSUE_LIST, 'listIssues', (query) => ({ query }));
  return { ...list, ...withoutTab(list) };
}

/** The filters of the list alone. */
export function useIssueFilters(): IssueList {
  const list = useListQuery(ISSUE_LIST);
  return { ...list, ...withoutTab(list) };
}

/** The filters without the tab: it is no filter, and stays when they are cleared. */
export function filtersBesideTab(query: IssueQuery) {
  const { tab: _tab, ...rest } = filtersIn(query);
  return rest;
}

function withoutTab({ query, change }: IssueList): Pick<IssueList, 'filtered' | 'clear'> {
  const { tab } = query;
  return { filtered: isFiltered(filtersBesideTab(query)), clear: () => change({ ...NONE, tab }) };
}

/** A change that applies saved filters instead of the current ones. */
export function appliedFilters(filters: object): object {
  return { ...NONE, ...filters };
}
