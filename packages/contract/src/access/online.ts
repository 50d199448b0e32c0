import { USER_DOWNLOAD_LEVELS, USER_EDIT_LEVELS } from '@chargehand/domain';
import { type Static, Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { KICK_CAUSES } from '../operations/session-ends.ts';
import { Exact, Id, IdParams, Lines, NullableText, Page, Paging, Time, Words } from '../schemas.ts';

/** An active session. */
export const OnlineRow = Exact({
  id: Id,
  userId: Id,
  userName: Type.String(),
  nickName: Type.String(),
  customerName: Type.String(),
  roleName: NullableText,
  root: Type.Boolean(),
  address: Type.String(),
  userAgent: Type.String(),
  since: Time,
  /** rounded to the minute */
  lastSeenAt: Time,
  /** path of the console page at that time; null before the first page */
  page: NullableText,
});
export type OnlineRow = Static<typeof OnlineRow>;

/** Why sessions are ended; shown to the user of the session. */
export const kickFields = {
  cause: Words(KICK_CAUSES),
  note: Lines({ maxLength: 200 }),
};

const ONLINE_SORTS = ['userName', 'since', 'lastSeenAt'] as const;
const filters = { search: Type.Optional(Type.String({ maxLength: 100 })), customerId: Type.Optional(Id) };
const path = '/api/auth/sys/sessions';
const route = { keys: ['auth_user_online'] } as const;

export const onlineEndpoints = {
  listOnline: endpoint({
    id: 'sessions.list',
    method: 'GET',
    path,
    policy: { route, row: 'scope' },
    effect: 'list',
    summary: 'List the online users in scope',
    nameZh: '查询在线用户',
    query: Exact({ ...Paging(ONLINE_SORTS), ...filters }),
    answer: Page(OnlineRow),
  }),
  exportOnline: endpoint({
    id: 'sessions.export',
    method: 'GET',
    path: `${path}/export`,
    policy: { route, row: 'scope', level: USER_DOWNLOAD_LEVELS },
    effect: 'export',
    summary: "Export the filtered online users as .xlsx. Headings are in the caller's language",
    nameZh: '导出在线用户',
    query: Exact({ sort: Paging(ONLINE_SORTS).sort, ...filters }),
    answer: null,
  }),
  kickSession: endpoint({
    id: 'sessions.kick',
    method: 'POST',
    path: `${path}/:id/kick`,
    policy: { route, row: { object: 'session', from: 'params.id' }, level: USER_EDIT_LEVELS, withinOwnRights: true },
    effect: 'update',
    summary: 'End a session with a reason. Not your own, and not of a user with more permissions',
    nameZh: '强制下线',
    params: IdParams,
    body: Exact({ cause: kickFields.cause, note: Type.Optional(kickFields.note) }),
    answer: Exact({ ended: Type.Integer() }),
  }),
};
