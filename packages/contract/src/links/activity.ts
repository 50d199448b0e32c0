import { type Static, Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Exact, Id, IdParams, Keyset, NullableText, NullableTime, Time, Words } from '../schemas.ts';

/**
 * What is recorded of a link besides terminals: requests to its web pages, connections through it, and files that were
 * transferred.
 */
export const ACTIVITY_KINDS = ['request', 'connection', 'transfer'] as const;
export type ActivityKind = (typeof ACTIVITY_KINDS)[number];

/**
 * `refused`: by the server, because the rules forbid it; `failed`: the device did not answer, or the connection broke;
 * `cancelled`: the user closed it, or the link ended.
 */
export const ACTIVITY_RESULTS = ['done', 'refused', 'failed', 'cancelled'] as const;
export type ActivityResult = (typeof ACTIVITY_RESULTS)[number];

export const LinkActivity = Exact({
  /** its number in the link, from 1 */
  number: Id,
  kind: Words(ACTIVITY_KINDS),
  startedAt: Time,
  /** null while it runs, and when the server was killed */
  endedAt: NullableTime,
  /** method and path of a request without the values of its query, the target of a connection, the name of a file */
  text: Type.String(),
  /** the name of the guest who did it; null: the user of the link */
  guest: NullableText,
  result: Type.Union([Words(ACTIVITY_RESULTS), Type.Null()]),
  /** the HTTP status of the device */
  status: Type.Union([Type.Integer(), Type.Null()]),
  /** from the device and to it */
  bytesIn: Type.Integer({ minimum: 0 }),
  bytesOut: Type.Integer({ minimum: 0 }),
});
export type LinkActivity = Static<typeof LinkActivity>;

const Filters = {
  kind: Type.Optional(Words(ACTIVITY_KINDS)),
  /** a part of the text */
  search: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
};

/** What happened in links. */
export const linkActivityEndpoints = {
  listLinkActivity: endpoint({
    id: 'links.activity',
    method: 'GET',
    path: '/api/auth/sys/links/:id/activity',
    policy: { route: { keys: ['auth_device_detail'] }, row: { object: 'link', from: 'params.id' } },
    effect: 'list',
    summary: 'List the requests, connections and file transfers of a link, newest first',
    nameZh: '查询远程连接活动记录',
    params: IdParams,
    /** those before this number */
    query: Exact({ before: Type.Optional(Id), ...Filters }),
    answer: Keyset(LinkActivity),
  }),
  exportLinkActivity: endpoint({
    id: 'links.exportActivity',
    method: 'GET',
    path: '/api/auth/sys/links/:id/activity/export',
    policy: { route: { keys: ['auth_device_detail'] }, row: { object: 'link', from: 'params.id' } },
    effect: 'export',
    summary: 'Get the requests, connections and file transfers of a link as a file, oldest first. Logged as an action',
    nameZh: '导出远程连接活动记录',
    params: IdParams,
    query: Exact({ format: Words(['csv', 'jsonl']), ...Filters }),
    answer: null,
  }),
};
