import { DEVICE_LEVELS, ISSUE_TEXT_BYTES, ISSUE_WATCHERS } from '@chargehand/domain';
import { Type } from 'typebox';
import { ProtocolFrameRow } from '../audit.ts';
import { BULK_LIMIT, PAGE_SIZES } from '../constants.ts';
import { Content } from '../documents/schemas.ts';
import { endpoint } from '../endpoint.ts';
import { BulkAnswer, MatchingRows } from '../lists.ts';
import { forEachRow } from '../policy/policy.ts';
import { Exact, Id, IdParams, Keyset, Paging, RequestKey, SeenRevision, Time } from '../schemas.ts';
import { issueUsers } from './people.ts';
import {
  ISSUE_ENDS,
  IssueDetail,
  IssueEnd,
  IssueEntry,
  IssueEvidence,
  IssueKey,
  IssueLabel,
  IssueLabels,
  IssueLinkWord,
  IssuePage,
  IssuePriorityNumber,
  IssueRow,
  IssueTitle,
  IssueTypeNumber,
} from './schemas.ts';
import { IssueTimesRow, issueFilters } from './views.ts';

export * from './schemas.ts';

const sys = '/api/auth/sys';
const path = `${sys}/issues`;
const LISTED = { route: { keys: ['auth_issue_list'] }, row: 'scope' } as const;
const ofIssue = { object: 'issue', from: 'params.id' } as const;
/** Users who see an issue may comment on it and watch it. */
const reads = { route: { keys: ['auth_issue_detail'] }, row: ofIssue } as const;
const edits = { route: { keys: ['auth_issue_edit'] }, row: ofIssue } as const;
const ofBoth = { object: 'issue', from: ['params.id', 'body.issueId'] } as const;
const adds = { keys: ['auth_issue_add'] } as const;

const NullableId = Type.Union([Id, Type.Null()]);
const NullableTime = Type.Union([Time, Type.Null()]);
const EntryId = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

const NewIssue = Exact({
  title: IssueTitle,
  type: IssueTypeNumber,
  /** by default that of the level of the alarm, otherwise the lowest */
  priority: Type.Optional(IssuePriorityNumber),
  body: Type.Optional(Content),
  /** by default the time of the alarm or command, otherwise now */
  occurredAt: Type.Optional(Time),
  assigneeId: Type.Optional(NullableId),
  dueAt: Type.Optional(NullableTime),
  labels: Type.Optional(IssueLabels),
  /** besides the caller and the assignee; each must be able to see the issue */
  watcherIds: Type.Optional(Type.Array(Id, { maxItems: ISSUE_WATCHERS, uniqueItems: true })),
  /** the same key creates one issue, also if the request is sent again */
  requestKey: Type.Optional(RequestKey),
});

const Created = Exact({
  id: Id,
  key: IssueKey,
  /** an open issue of the same alarm existed, and no new one was created */
  existing: Type.Boolean(),
});

const creates = {
  method: 'POST',
  effect: 'create',
  body: NewIssue,
  bodyLimit: ISSUE_TEXT_BYTES,
  answer: Created,
} as const;

/** Who reads a comment: users of the console, unless one of these is chosen. */
const COMMENT_AUDIENCE = {
  /** false: visitors of shares of the issue read it, too */
  internal: Type.Optional(Type.Boolean({ default: true })),
  /** the report whose reporter it answers; nobody else without an account reads it */
  reportId: Type.Optional(Id),
};

const Closing = Exact({
  ...ISSUE_ENDS,
  causeText: Type.Optional(ISSUE_ENDS.causeText),
  remedyText: Type.Optional(ISSUE_ENDS.remedyText),
  /** a comment before closing */
  body: Type.Optional(Content),
  ...COMMENT_AUDIENCE,
  /** the comment that this one answers */
  quotes: Type.Optional(EntryId),
});

const Ids = Type.Array(Id, { minItems: 1, maxItems: BULK_LIMIT, uniqueItems: true });
const Counted = Exact({ name: Type.String(), count: Type.Integer() });

export const issueEndpoints = {
  listIssues: endpoint({
    id: 'issues.list',
    method: 'GET',
    path,
    policy: LISTED,
    effect: 'list',
    summary: 'List issues',
    nameZh: '查询问题列表',
    query: Exact({
      ...Paging(['createdAt', 'updatedAt', 'priority', 'dueAt', 'number']),
      ...issueFilters,
    }),
    answer: Exact({
      ...IssuePage.properties,
      /** the number of issues in each tab, with the other filters */
      counts: Exact({ open: Type.Integer(), closed: Type.Integer() }),
    }),
  }),
  readIssueBoard: endpoint({
    id: 'issues.board',
    method: 'GET',
    path: `${path}/board`,
    policy: LISTED,
    effect: 'list',
    summary: 'List the most recently changed issues of each status, at most 50',
    nameZh: '查看问题看板',
    query: Exact(issueFilters),
    answer: Exact({
      columns: Type.Array(
        Exact({ status: IssueRow.properties.status, total: Type.Integer(), items: Type.Array(IssueRow) }),
      ),
    }),
  }),
  selectIssues: endpoint({
    id: 'issues.select',
    method: 'GET',
    path: `${path}/selection`,
    policy: LISTED,
    effect: 'list',
    summary: 'List the IDs and titles of all issues that match the filters, at most 10,000',
    nameZh: '按筛选条件选择问题',
    query: Exact(issueFilters),
    answer: MatchingRows,
  }),
  exportIssues: endpoint({
    id: 'issues.export',
    method: 'GET',
    path: `${path}/export`,
    policy: LISTED,
    effect: 'export',
    summary: 'Export the filtered issues as a spreadsheet, newest first',
    nameZh: '导出问题',
    query: Exact(issueFilters),
    answer: null,
  }),
  readIssueTimes: endpoint({
    id: 'issues.times',
    method: 'GET',
    path: `${path}/times`,
    policy: LISTED,
    effect: 'read',
    summary: 'Get response and resolution times of the issues of a period, by customer, site and priority',
    nameZh: '查看问题响应与解决时长',
    query: Exact({
      from: Type.Optional(Time),
      to: Type.Optional(Time),
      customerId: Type.Optional(Id),
      siteId: Type.Optional(Id),
    }),
    answer: Exact({ items: Type.Array(IssueTimesRow) }),
  }),
  listIssueLabels: endpoint({
    id: 'issues.labels',
    method: 'GET',
    path: `${path}/labels`,
    policy: LISTED,
    effect: 'list',
    summary: 'List the labels of the issues that the caller sees, most frequent first, at most 200',
    nameZh: '查询问题标签',
    answer: Exact({ items: Type.Array(Counted) }),
  }),
  readIssueEnds: endpoint({
    id: 'issues.ends',
    method: 'GET',
    path: `${path}/ends`,
    policy: { route: { keys: ['auth_issue_list', 'auth_issue_edit'] }, row: 'scope' },
    effect: 'read',
    summary: 'Get how closed issues of alarm codes ended: causes and remedies together, most frequent first',
    nameZh: '查询告警码的处理结果',
    query: Exact({
      /** up to 50, separated by commas */
      codes: Type.String({ minLength: 1, maxLength: 4_000 }),
    }),
    answer: Exact({ closed: Type.Integer(), items: Type.Array(IssueEnd) }),
  }),
  createCustomerIssue: endpoint({
    ...creates,
    id: 'issues.createForCustomer',
    path: `${sys}/customers/:id/issues`,
    policy: { route: adds, row: { object: 'customer', from: 'params.id', whole: true } },
    summary: 'Report an issue of a customer',
    nameZh: '上报客户问题',
    params: IdParams,
  }),
  createSiteIssue: endpoint({
    ...creates,
    id: 'issues.createForSite',
    path: `${sys}/sites/:id/issues`,
    policy: { route: adds, row: { object: 'site', from: 'params.id' } },
    summary: 'Report an issue of a site',
    nameZh: '上报站点问题',
    params: IdParams,
  }),
  createDeviceIssue: endpoint({
    ...creates,
    id: 'issues.createForDevice',
    path: `${sys}/devices/:id/issues`,
    policy: { route: adds, row: { object: 'device', from: 'params.id' } },
    summary: 'Report an issue of a device; its situation is kept with it',
    nameZh: '上报设备问题',
    params: IdParams,
  }),
  createAlarmIssue: endpoint({
    ...creates,
    id: 'issues.createForAlarm',
    path: `${sys}/alarms/:id/issues`,
    policy: { route: adds, row: { object: 'alarm', from: 'params.id' } },
    summary: 'Report an issue of an alarm, or get the open one of the same alarm',
    nameZh: '由告警上报问题',
    params: IdParams,
  }),
  createCommandIssue: endpoint({
    ...creates,
    id: 'issues.createForCommand',
    path: `${sys}/executions/:executionId/issues`,
    policy: { route: adds, row: { object: 'execution', from: 'params.executionId' } },
    summary: 'Report an issue of a command to a device',
    nameZh: '由指令上报问题',
    params: Exact({ executionId: Type.String({ format: 'uuid' }) }),
  }),
  readIssue: endpoint({
    id: 'issues.read',
    method: 'GET',
    path: `${path}/:id`,
    policy: reads,
    effect: 'read',
    summary: 'Get an issue with its links and watchers',
    nameZh: '查看问题',
    params: IdParams,
    answer: IssueDetail,
  }),
  listIssueEntries: endpoint({
    id: 'issues.timeline',
    method: 'GET',
    path: `${path}/:id/timeline`,
    policy: reads,
    effect: 'list',
    summary:
      'List the comments and events of an issue and of those merged into it, newest first. `after` returns newer ones',
    nameZh: '查询问题时间线',
    params: IdParams,
    query: Exact({
      before: Type.Optional(EntryId),
      after: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
      limit: Type.Unsafe<(typeof PAGE_SIZES)[number]>({ type: 'integer', enum: [...PAGE_SIZES], default: 50 }),
    }),
    answer: Keyset(IssueEntry),
  }),
  readIssueEvidence: endpoint({
    id: 'issues.evidence',
    method: 'GET',
    path: `${path}/:id/evidence`,
    policy: reads,
    effect: 'read',
    summary: 'Get the situation of the device when the issue was created; null when there was no device',
    nameZh: '查看问题现场信息',
    params: IdParams,
    answer: Exact({ evidence: Type.Union([IssueEvidence, Type.Null()]) }),
  }),
  readIssueFrames: endpoint({
    id: 'issues.frames',
    method: 'GET',
    path: `${path}/:id/frames`,
    policy: {
      route: { keys: ['auth_device_detail', 'auth_logs_protocol'] },
      row: ofIssue,
      level: [{ area: 'device', verb: 'read', level: DEVICE_LEVELS.read }],
    },
    effect: 'read',
    summary: 'Get the protocol log of the hour before the issue was created, newest first',
    nameZh: '查看问题现场报文',
    params: IdParams,
    answer: Exact({ items: Type.Array(ProtocolFrameRow) }),
  }),
  listIssueUsers: endpoint({
    ...issueUsers,
    id: 'issues.users',
    path: `${path}/:id/users`,
    policy: reads,
    summary: 'List users who can see an issue, for assigning and mentioning them, at most 50',
    nameZh: '查询可指派的用户',
  }),
  updateIssue: endpoint({
    id: 'issues.update',
    method: 'PATCH',
    path: `${path}/:id`,
    policy: edits,
    effect: 'update',
    summary: 'Edit an issue, also its assignee, due date and labels',
    nameZh: '编辑问题',
    params: IdParams,
    body: Exact({
      title: Type.Optional(IssueTitle),
      type: Type.Optional(IssueTypeNumber),
      priority: Type.Optional(IssuePriorityNumber),
      body: Type.Optional(Content),
      occurredAt: Type.Optional(Time),
      assigneeId: Type.Optional(NullableId),
      dueAt: Type.Optional(NullableTime),
      labels: Type.Optional(IssueLabels),
      revision: SeenRevision,
    }),
    bodyLimit: ISSUE_TEXT_BYTES,
    answer: Type.Null(),
  }),
  startIssue: endpoint({
    id: 'issues.start',
    method: 'POST',
    path: `${path}/:id/start`,
    policy: edits,
    effect: 'update',
    summary: 'Make an issue pending: somebody works on it',
    nameZh: '开始处理问题',
    params: IdParams,
    body: Exact({}),
    answer: Type.Null(),
  }),
  closeIssue: endpoint({
    id: 'issues.close',
    method: 'POST',
    path: `${path}/:id/close`,
    policy: edits,
    effect: 'update',
    summary: 'Close an issue with its cause and remedy, and with a comment if there is one',
    nameZh: '关闭问题',
    params: IdParams,
    body: Closing,
    bodyLimit: ISSUE_TEXT_BYTES,
    answer: Type.Null(),
  }),
  reopenIssue: endpoint({
    id: 'issues.reopen',
    method: 'POST',
    path: `${path}/:id/reopen`,
    policy: edits,
    effect: 'update',
    summary: 'Reopen a closed issue',
    nameZh: '重新打开问题',
    params: IdParams,
    body: Exact({}),
    answer: Type.Null(),
  }),
  commentIssue: endpoint({
    id: 'issues.comment',
    method: 'POST',
    path: `${path}/:id/comments`,
    policy: reads,
    effect: 'update',
    summary: 'Comment on an issue. Mentioned users watch it from then on',
    nameZh: '评论问题',
    params: IdParams,
    body: Exact({
      body: Content,
      ...COMMENT_AUDIENCE,
      /** the comment that this one answers */
      quotes: Type.Optional(EntryId),
      /** the same key adds one comment, also if the request is sent again */
      requestKey: Type.Optional(RequestKey),
    }),
    bodyLimit: ISSUE_TEXT_BYTES,
    answer: Exact({ id: Type.Integer() }),
  }),
  editIssueComment: endpoint({
    id: 'issues.editComment',
    method: 'PATCH',
    path: `${path}/:id/comments/:entryId`,
    policy: reads,
    effect: 'update',
    summary: 'Change a comment of the caller; the former text is kept',
    nameZh: '修改问题评论',
    params: Exact({ id: Id, entryId: EntryId }),
    body: Exact({ body: Content }),
    bodyLimit: ISSUE_TEXT_BYTES,
    answer: Type.Null(),
  }),
  listIssueCommentVersions: endpoint({
    id: 'issues.commentVersions',
    method: 'GET',
    path: `${path}/:id/comments/:entryId/versions`,
    policy: reads,
    effect: 'list',
    summary: 'List the former texts of a comment, newest first, at most 100',
    nameZh: '查询评论修改记录',
    params: Exact({ id: Id, entryId: EntryId }),
    answer: Exact({ items: Type.Array(Exact({ version: Type.Integer(), writtenAt: Time, body: Content })) }),
  }),
  watchIssue: endpoint({
    id: 'issues.watch',
    method: 'PUT',
    path: `${path}/:id/watching`,
    policy: reads,
    effect: 'session',
    summary: 'Watch an issue, or stop watching it',
    nameZh: '关注问题',
    params: IdParams,
    body: Exact({ watching: Type.Boolean() }),
    answer: Type.Null(),
  }),
  linkIssue: endpoint({
    id: 'issues.link',
    method: 'POST',
    path: `${path}/:id/links`,
    policy: { ...edits, row: ofBoth },
    effect: 'update',
    summary: 'Link an issue to another one that it duplicates or that caused it',
    nameZh: '关联问题',
    params: IdParams,
    body: Exact({ issueId: Id, kind: IssueLinkWord }),
    answer: Exact({ linkId: Id }),
  }),
  unlinkIssue: endpoint({
    id: 'issues.unlink',
    method: 'DELETE',
    path: `${path}/:id/links/:linkId`,
    policy: edits,
    effect: 'update',
    summary: 'Remove a link of an issue',
    nameZh: '移除问题关联',
    params: Exact({ id: Id, linkId: Id }),
    answer: Type.Null(),
  }),
  mergeIssue: endpoint({
    id: 'issues.merge',
    method: 'POST',
    path: `${path}/:id/merge`,
    policy: { ...edits, row: ofBoth },
    effect: 'update',
    summary: 'Merge a duplicate into another issue of the same customer, whose timeline then includes it',
    nameZh: '合并问题',
    params: IdParams,
    body: Exact({ issueId: Id }),
    answer: Type.Null(),
  }),
  unmergeIssue: endpoint({
    id: 'issues.unmerge',
    method: 'POST',
    path: `${path}/:id/unmerge`,
    policy: edits,
    effect: 'update',
    summary: 'Undo merging an issue: it gets its former status',
    nameZh: '取消合并问题',
    params: IdParams,
    body: Exact({}),
    answer: Type.Null(),
  }),
};

/** Changes of many issues. */
export const issueBulkEndpoints = {
  updateIssues: endpoint({
    id: 'issues.updateMany',
    method: 'POST',
    path: `${path}/update`,
    policy: forEachRow(edits),
    effect: 'update',
    summary: 'Set the assignee, priority or due date of issues, or add labels. Each row has its own result',
    nameZh: '批量编辑问题',
    body: Exact({
      ids: Ids,
      priority: Type.Optional(IssuePriorityNumber),
      assigneeId: Type.Optional(NullableId),
      dueAt: Type.Optional(NullableTime),
      /** added to those that each issue has */
      labels: Type.Optional(Type.Array(IssueLabel, { maxItems: 20 })),
    }),
    answer: BulkAnswer,
  }),
  closeIssues: endpoint({
    id: 'issues.closeMany',
    method: 'POST',
    path: `${path}/close`,
    policy: forEachRow(edits),
    effect: 'update',
    summary: 'Close issues with the same cause and remedy. Each row has its own result',
    nameZh: '批量关闭问题',
    body: Exact({
      ids: Ids,
      ...ISSUE_ENDS,
      causeText: Type.Optional(ISSUE_ENDS.causeText),
      remedyText: Type.Optional(ISSUE_ENDS.remedyText),
    }),
    answer: BulkAnswer,
  }),
};
