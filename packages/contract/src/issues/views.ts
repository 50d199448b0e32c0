import { Type } from 'typebox';
import { ISSUE_TABS } from '../constants.ts';
import { endpoint } from '../endpoint.ts';
import { Exact, Id, NullableText, Words } from '../schemas.ts';
import { IssueLabel, IssuePriorityNumber, IssueStatusWord, IssueTypeNumber } from './schemas.ts';

/** The filters of issues. */
export const issueFilters = {
  /** by default `open` */
  tab: Type.Optional(Words(ISSUE_TABS)),
  search: Type.Optional(Type.String({ maxLength: 100 })),
  status: Type.Optional(IssueStatusWord),
  type: Type.Optional(IssueTypeNumber),
  priority: Type.Optional(IssuePriorityNumber),
  label: Type.Optional(IssueLabel),
  /** assigned to the caller */
  mine: Type.Optional(Type.Boolean()),
  watched: Type.Optional(Type.Boolean()),
  unassigned: Type.Optional(Type.Boolean()),
  overdue: Type.Optional(Type.Boolean()),
  customerId: Type.Optional(Id),
  siteId: Type.Optional(Id),
  deviceId: Type.Optional(Id),
  /** reported about this alarm */
  alarmId: Type.Optional(Id),
  /** reported about this command to a device */
  executionId: Type.Optional(Type.String({ format: 'uuid' })),
};

const NullableMs = Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]);

/** The times of the issues of a customer, a site and a priority that were created in a period. */
export const IssueTimesRow = Exact({
  customerId: Id,
  customerName: Type.String(),
  siteId: Type.Union([Id, Type.Null()]),
  siteName: NullableText,
  priority: IssuePriorityNumber,
  issues: Type.Integer(),
  open: Type.Integer(),
  /** median and 90th percentile of the issues that have a response */
  responseMs: NullableMs,
  responseP90Ms: NullableMs,
  /** median and 90th percentile of the closed issues */
  resolutionMs: NullableMs,
  resolutionP90Ms: NullableMs,
});

const path = '/api/auth/sys/user/owner/issue-views';
const route = { keys: ['auth_issue_list'] } as const;
const ViewName = Type.String({ minLength: 1, maxLength: 60 });

/** Filters of the list of issues that a user has saved under a name. */
export const issueViewEndpoints = {
  listIssueViews: endpoint({
    id: 'issueViews.list',
    method: 'GET',
    path,
    policy: { route, row: 'own' },
    effect: 'list',
    summary: "List the caller's saved views of issues",
    nameZh: '查询已存问题视图',
    answer: Exact({ items: Type.Array(Exact({ id: Id, name: Type.String(), filters: Exact(issueFilters) })) }),
  }),
  createIssueView: endpoint({
    id: 'issueViews.create',
    method: 'POST',
    path,
    policy: { route, row: 'own' },
    effect: 'session',
    summary: 'Save filters of issues under a name, in place of those of the same name',
    nameZh: '保存问题视图',
    body: Exact({ name: ViewName, filters: Exact(issueFilters) }),
    answer: Exact({ id: Id }),
  }),
  deleteIssueView: endpoint({
    id: 'issueViews.delete',
    method: 'DELETE',
    path: `${path}/:id`,
    policy: { route, row: 'own' },
    effect: 'session',
    summary: 'Delete a saved view of issues',
    nameZh: '删除问题视图',
    params: Exact({ id: Id }),
    answer: Type.Null(),
  }),
};
