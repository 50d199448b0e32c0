import { ISSUE_TABS } from '@chargehand/contract/constants';
import { ISSUE_PRIORITY_NUMBERS, ISSUE_STATUSES, ISSUE_TYPE_NUMBERS } from '@chargehand/domain';
import type { List } from '../../../shared/hooks/lists/use-list-query.ts';
import type { ListQuery, ListSpec } from '../../../shared/lib/lists/list-query.ts';

const text = 'text';
const filters = {
  tab: ISSUE_TABS,
  search: text,
  status: ISSUE_STATUSES,
  type: ISSUE_TYPE_NUMBERS,
  priority: ISSUE_PRIORITY_NUMBERS,
  label: text,
  mine: 'flag',
  watched: 'flag',
  unassigned: 'flag',
  overdue: 'flag',
  customerId: 'number',
  siteId: 'number',
  deviceId: 'number',
} as const;

const SORTS = ['number', 'priority', 'createdAt', 'updatedAt', 'dueAt'] as const;
export type IssueSort = (typeof SORTS)[number];
export type IssueList = List<typeof filters, IssueSort>;
export type IssueQuery = ListQuery<typeof filters, IssueSort>;

/** The filters and sort fields of issues, the same as in the contract's list call. */
export const ISSUE_LIST: ListSpec<typeof filters, IssueSort> = { filters, sorts: SORTS };

/** Filters that show issues of a person or in need of attention, as checkboxes. */
export const QUICK_FILTERS = ['mine', 'watched', 'unassigned', 'overdue'] as const;
