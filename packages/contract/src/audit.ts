import { USER_DOWNLOAD_LEVELS } from '@chargehand/domain';
import { type Static, Type } from 'typebox';
import { OPERATIONS } from './constants.ts';
import { endpoint } from './endpoint.ts';
import { CommaList, Exact, Id, IdParams, Keyset, NullableText, Time, Words } from './schemas.ts';

/** Why a session ended or was refused (spec §3): rejected, signed out, expired, ended by a newer one. */
export const LOGIN_REASONS = ['authRejected', 'loggedOut', 'networkTimeout', 'replaced'] as const;
export type LoginReason = (typeof LOGIN_REASONS)[number];

/** The files of the action log and the sign-in log. */
export const LOG_FILES = ['xlsx', 'csv', 'jsonl'] as const;
export type LogFile = (typeof LOG_FILES)[number];

export const ProtocolFrameRow = Exact({
  id: Type.Integer(),
  at: Time,
  type: Type.Integer({ minimum: 0, maximum: 3 }),
  action: NullableText,
  messageId: NullableText,
  body: NullableText,
  bytes: Type.Integer(),
  note: NullableText,
});
export type ProtocolFrameRow = Static<typeof ProtocolFrameRow>;

const frameFilters = {
  /** frame types separated by commas, such as `2,3` */
  types: Type.Optional(CommaList),
  action: Type.Optional(Type.String({ maxLength: 64 })),
  search: Type.Optional(Type.String({ maxLength: 100 })),
  from: Type.Optional(Time),
  to: Type.Optional(Time),
};

/** A frame in the log of all devices. */
export const FleetFrameRow = Exact({
  ...ProtocolFrameRow.properties,
  deviceId: Id,
  sn: Type.String(),
  deviceName: Type.String(),
});
export type FleetFrameRow = Static<typeof FleetFrameRow>;

/** The filters of the log of all devices. Its export takes the same filters. */
const fleetFrameFilters = {
  ...frameFilters,
  deviceId: Type.Optional(Id),
  /** frames of the time when their device was at this site */
  siteId: Type.Optional(Id),
  messageId: Type.Optional(Type.String({ maxLength: 64 })),
};

/** What the server did because of a frame. */
export const FrameEffect = Type.Union([
  Exact({ kind: Type.Literal('command'), id: Type.String(), command: Type.String(), result: Type.Integer() }),
  Exact({ kind: Type.Literal('transaction'), id: Id, connector: Type.Integer() }),
  Exact({
    kind: Type.Literal('alarm'),
    id: Type.Integer(),
    code: Type.String(),
    connector: Type.Integer(),
    /** the frame ended the alarm, or raised it */
    ended: Type.Boolean(),
  }),
  Exact({ kind: Type.Literal('readings'), count: Type.Integer() }),
  Exact({
    kind: Type.Literal('version'),
    version: Type.String(),
    /** the version that the device reported before; null when the log has none */
    former: Type.Union([Type.String(), Type.Null()]),
  }),
]);
export type FrameEffect = Static<typeof FrameEffect>;

/** One field of a frame and what it means; without a known meaning the text is empty. */
export const FrameField = Exact({
  path: Type.String(),
  value: Type.Unknown(),
  meaning: Type.String(),
  unit: Type.Optional(Type.String()),
});

export const FrameDetail = Exact({
  frame: FleetFrameRow,
  /** the response of a request, the request of a response */
  other: Type.Union([ProtocolFrameRow, Type.Null()]),
  fields: Type.Array(FrameField),
  effects: Type.Array(FrameEffect),
});
export type FrameDetail = Static<typeof FrameDetail>;

const SITE_OPERATIONS = ['new', 'edit', 'delete', 'disable', 'enable'] as const;

export const ActionLogRow = Exact({
  id: Type.Integer(),
  at: Time,
  userName: Type.String(),
  /** the application that acted for the user */
  applicationName: NullableText,
  operation: Words(OPERATIONS),
  objectType: Type.String(),
  objectId: Type.String(),
  objectName: Type.String(),
  before: Type.Unknown(),
  after: Type.Unknown(),
  address: Type.String(),
  /** the number of entries that this one stands for: those of one request with the same operation and kind of object */
  together: Type.Integer({ minimum: 1 }),
});

/** What happened to a site. */
export const SiteEventRow = Exact({
  id: Type.Integer(),
  at: Time,
  siteId: Id,
  siteName: Type.String(),
  operation: Words(SITE_OPERATIONS),
});

export const LoginLogRow = Exact({
  id: Type.Integer(),
  at: Time,
  /** spec §3: login 0, logout 1 */
  type: Type.Integer({ minimum: 0, maximum: 1 }),
  reason: NullableText,
  succeeded: Type.Boolean(),
  userName: Type.String(),
  address: Type.String(),
  userAgent: Type.String(),
  /** why somebody ended the session (`EndCause`), and their note */
  cause: NullableText,
  note: NullableText,
});

const keyset = {
  before: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  limit: Type.Integer({ minimum: 1, maximum: 500, default: 100 }),
};

/** Filters by user and time. Users are matched by the beginning of the name, because the user may no longer exist. */
const userAndTimeFilters = {
  userName: Type.Optional(Type.String({ maxLength: 64 })),
  customerId: Type.Optional(Id),
  from: Type.Optional(Time),
  to: Type.Optional(Time),
};

/** The filters of the action log. Its export takes the same filters. */
const actionFilters = {
  ...userAndTimeFilters,
  /** the start of the name of the application that acted for the user */
  applicationName: Type.Optional(Type.String({ maxLength: 64 })),
  operation: Type.Optional(Words(OPERATIONS)),
  objectType: Type.Optional(Type.String({ maxLength: 40 })),
  objectId: Type.Optional(Type.String({ maxLength: 40 })),
  /** part of the name of the object */
  search: Type.Optional(Type.String({ maxLength: 100 })),
  siteId: Type.Optional(Id),
};

/** The filters of the sign-in log. Its export takes the same filters. */
const loginFilters = {
  ...userAndTimeFilters,
  type: Type.Optional(Type.Integer({ minimum: 0, maximum: 1 })),
  succeeded: Type.Optional(Type.Boolean()),
  reason: Type.Optional(Words(LOGIN_REASONS)),
};

export const auditEndpoints = {
  listFrames: endpoint({
    id: 'protocolFrames.list',
    method: 'GET',
    path: '/api/auth/sys/devices/:id/protocol-frames',
    policy: {
      route: { keys: ['auth_device_detail', 'auth_logs_protocol'] },
      row: { object: 'device', from: 'params.id' },
      level: 'read',
    },
    effect: 'list',
    summary: 'List protocol frames of a device, newest first. `before` pages back, `after` returns newer frames',
    nameZh: '查询设备报文',
    params: IdParams,
    query: Exact({
      ...keyset,
      after: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
      ...frameFilters,
    }),
    answer: Keyset(ProtocolFrameRow),
  }),
  exportFrames: endpoint({
    id: 'protocolFrames.export',
    method: 'GET',
    path: '/api/auth/sys/devices/:id/protocol-frames/export',
    policy: {
      route: { keys: ['auth_device_detail', 'auth_logs_protocol'] },
      row: { object: 'device', from: 'params.id' },
      level: 'download',
    },
    effect: 'export',
    summary: 'Export the filtered protocol frames as JSON Lines, oldest first',
    nameZh: '导出设备报文',
    params: IdParams,
    query: Exact(frameFilters),
    answer: null,
  }),
  readFrame: endpoint({
    id: 'protocolFrames.read',
    method: 'GET',
    path: '/api/auth/sys/devices/:id/protocol-frames/:frameId',
    policy: {
      route: { keys: ['auth_device_detail', 'auth_logs_protocol'] },
      row: { object: 'device', from: 'params.id' },
      level: 'read',
    },
    effect: 'read',
    summary:
      'Read a frame with its response or request, the meaning of its fields, and what the server did because of it',
    nameZh: '查看报文详情',
    params: Exact({ id: Id, frameId: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) }),
    answer: FrameDetail,
  }),
  listFleetFrames: endpoint({
    id: 'fleetFrames.list',
    method: 'GET',
    path: '/api/auth/sys/logs/frames',
    policy: { route: { keys: ['auth_logs_protocol'] }, row: 'scope', level: 'read' },
    effect: 'list',
    summary:
      'List protocol frames of all devices, newest first. `before` pages back, `after` returns the newest frames after one. A request reads a limited part of the log and returns where it stopped',
    nameZh: '查询全部设备报文',
    query: Exact({
      ...keyset,
      after: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
      ...fleetFrameFilters,
    }),
    answer: Exact({
      items: Type.Array(FleetFrameRow),
      /** `before` of the next page; null at the start of the log */
      next: Type.Union([Type.Integer(), Type.Null()]),
      /** set if the request stopped before it found a full page: it read the log back to this time */
      searchedTo: Type.Union([Time, Type.Null()]),
      /** frames are missing, because too many devices have frames at this time: a device or site must be chosen */
      gaps: Type.Boolean(),
      /** with `after`: how many further frames were left out, at most 10,000 */
      skipped: Type.Integer(),
    }),
  }),
  exportFleetFrames: endpoint({
    id: 'fleetFrames.export',
    method: 'GET',
    path: '/api/auth/sys/logs/frames/export',
    policy: { route: { keys: ['auth_logs_protocol'] }, row: 'scope', level: 'download' },
    effect: 'export',
    summary:
      'Export the filtered protocol frames of all devices as JSON Lines: one device after another, oldest first, at most 1,000,000 frames. Without a start, it covers one day',
    nameZh: '导出全部设备报文',
    query: Exact(fleetFrameFilters),
    answer: null,
  }),
  listActionLogs: endpoint({
    id: 'actionLogs.list',
    method: 'GET',
    path: '/api/auth/sys/logs/actions',
    policy: { route: { keys: ['auth_logs_action'] }, row: 'scope' },
    effect: 'list',
    summary:
      'List actions, newest first. Entries of one request, such as an import, are one entry, unless the list is about an object or a name; `group` lists the entries that one stands for',
    nameZh: '查询操作日志',
    query: Exact({
      ...keyset,
      ...actionFilters,
      group: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
    }),
    answer: Keyset(ActionLogRow),
  }),
  exportActionLogs: endpoint({
    id: 'actionLogs.export',
    method: 'GET',
    path: '/api/auth/sys/logs/actions/export',
    policy: { route: { keys: ['auth_logs_action'] }, row: 'scope', level: USER_DOWNLOAD_LEVELS },
    effect: 'export',
    summary: 'Export the filtered action log, newest first: as .xlsx, or as CSV or JSON Lines',
    nameZh: '导出操作日志',
    query: Exact({ ...actionFilters, format: Type.Optional(Words(LOG_FILES)) }),
    answer: null,
  }),
  listSiteEvents: endpoint({
    id: 'siteEvents.list',
    method: 'GET',
    path: '/api/auth/sys/site-events',
    policy: { route: { keys: ['auth_home'] }, row: 'scope' },
    effect: 'list',
    summary: 'List the latest changes of sites, newest first',
    nameZh: '查询站点事件',
    query: Exact({ limit: Type.Integer({ minimum: 1, maximum: 100, default: 10 }) }),
    answer: Exact({ items: Type.Array(SiteEventRow) }),
  }),
  listLoginLogs: endpoint({
    id: 'loginLogs.list',
    method: 'GET',
    path: '/api/auth/sys/logs/logins',
    policy: { route: { keys: ['auth_logs_action'] }, row: 'scope' },
    effect: 'list',
    summary: 'List sign-ins and sign-outs, newest first',
    nameZh: '查询登录日志',
    query: Exact({ ...keyset, ...loginFilters }),
    answer: Keyset(LoginLogRow),
  }),
  exportLoginLogs: endpoint({
    id: 'loginLogs.export',
    method: 'GET',
    path: '/api/auth/sys/logs/logins/export',
    policy: { route: { keys: ['auth_logs_action'] }, row: 'scope', level: USER_DOWNLOAD_LEVELS },
    effect: 'export',
    summary: 'Export the filtered sign-in log, newest first: as .xlsx, or as CSV or JSON Lines',
    nameZh: '导出登录日志',
    query: Exact({ ...loginFilters, format: Type.Optional(Words(LOG_FILES)) }),
    answer: null,
  }),
};
