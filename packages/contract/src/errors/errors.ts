import { ERROR_LIMITS, ERROR_SOURCES, ERROR_STATES, SOLVED_IN } from '@chargehand/domain';
import { type Static, Type } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Exact, Id, IdParams, Lines, NullableText, NullableTime, Page, Paging, Time, Words } from '../schemas.ts';

/** What a browser reports: uncaught errors, unhandled rejections, and parts and images that could not be loaded. */
export const BROWSER_ERROR_KINDS = ['error', 'rejection', 'page', 'chunk', 'image'] as const;
export type BrowserErrorKind = (typeof BROWSER_ERROR_KINDS)[number];

/** The most reports of one request, and errors that one report may stand for. */
export const REPORTS_AT_ONCE = 10;
const MOST_OF_REPORT = 100_000;
/** A browser keeps reports for a server that it cannot reach. Seconds. */
const OLDEST_REPORT = 7 * 86_400;

export const BrowserErrorReport = Exact({
  /** made by the browser; the error page shows it, and an administrator finds the error by it */
  id: Type.String({ format: 'uuid', maxLength: 36 }),
  kind: Words(BROWSER_ERROR_KINDS),
  name: Type.String({ maxLength: ERROR_LIMITS.name }),
  message: Lines({ maxLength: ERROR_LIMITS.message }),
  stack: Type.Union([Lines({ maxLength: ERROR_LIMITS.stack }), Type.Null()]),
  /** the path of the page, without its query */
  path: Type.String({ maxLength: ERROR_LIMITS.path }),
  /** how often it has happened since the last report */
  count: Type.Integer({ minimum: 1, maximum: MOST_OF_REPORT }),
  /** how many seconds ago it happened last, by the clock of the browser */
  ago: Type.Optional(Type.Integer({ minimum: 0, maximum: OLDEST_REPORT })),
  /**
   * the session in which it happened (`tokenId` of the info call), null for none: only its user is stored with the error.
   * Without it, the session that reports it
   */
  session: Type.Optional(Type.Union([Type.String({ maxLength: 64 }), Type.Null()])),
});
export type BrowserErrorReport = Static<typeof BrowserErrorReport>;

export const ErrorRow = Exact({
  id: Id,
  source: Words(ERROR_SOURCES),
  /** class of the error */
  name: Type.String(),
  /** of its first occurrence, without secrets */
  message: Type.String(),
  state: Words(ERROR_STATES),
  /** when the state was set, and by whom; null when nobody has set it, or it has returned since */
  stateAt: NullableTime,
  stateBy: NullableText,
  /** null unless it is solved */
  solvedIn: Type.Union([Words(SOLVED_IN), Type.Null()]),
  /** when it last returned after it had been solved */
  returnedAt: NullableTime,
  firstAt: Time,
  lastAt: Time,
  count: Type.Integer({ minimum: 1 }),
  firstVersion: Type.String(),
  lastVersion: Type.String(),
});
export type ErrorRow = Static<typeof ErrorRow>;

/** One time that an error happened. */
export const ErrorOccurrence = Exact({
  id: Type.Integer(),
  at: Time,
  version: Type.String(),
  /** of the request that failed, or of the report of a browser */
  requestId: NullableText,
  userName: NullableText,
  deviceId: Type.Union([Type.Integer(), Type.Null()]),
  deviceSn: NullableText,
  /** method and path of the request, or the page in the browser */
  path: NullableText,
  userAgent: NullableText,
  address: NullableText,
  message: Type.String(),
  /** further values of the line in the log of the server */
  details: Type.Record(Type.String(), Type.String()),
});
export type ErrorOccurrence = Static<typeof ErrorOccurrence>;

export const ErrorDetail = Exact({
  ...ErrorRow.properties,
  stack: NullableText,
  /** how often it happened in each hour of the last seven days; hours without are left out */
  hours: Type.Array(Exact({ at: Time, count: Type.Integer({ minimum: 1 }) })),
  /** the latest ones, newest first */
  occurrences: Type.Array(ErrorOccurrence),
});
export type ErrorDetail = Static<typeof ErrorDetail>;

/** The files of the error log. */
export const ERROR_LOG_FILES = ['csv', 'jsonl'] as const;

const filters = {
  state: Type.Optional(Words(ERROR_STATES)),
  source: Type.Optional(Words(ERROR_SOURCES)),
  /** part of the class or message, or the beginning of a request id, at least eight characters of it */
  search: Type.Optional(Type.String({ maxLength: 100 })),
  /** it happened last in this time */
  from: Type.Optional(Time),
  to: Type.Optional(Time),
};

const path = '/api/auth/sys/logs/errors';
/** Errors contain data of all customers. */
const policy = { route: { keys: ['auth_logs_error'] }, who: 'vendor', row: 'shared' } as const;

/** The error log: errors of the server, of browsers, jobs, mails, webhooks and devices, grouped by cause. */
export const errorEndpoints = {
  reportErrors: endpoint({
    id: 'errors.report',
    method: 'POST',
    path: '/api/unauth/errors',
    policy: { route: 'public' },
    effect: 'session',
    summary: 'Report errors of the console in a browser. Limited for each session and address; without a session, more',
    nameZh: '上报浏览器错误',
    body: Exact({
      version: Type.String({ maxLength: 40 }),
      reports: Type.Array(BrowserErrorReport, { minItems: 1, maxItems: REPORTS_AT_ONCE }),
    }),
    bodyLimit: 128 * 1024,
    answer: Type.Null(),
  }),
  listErrors: endpoint({
    id: 'errors.list',
    method: 'GET',
    path,
    policy,
    effect: 'list',
    summary: 'List errors by cause, the latest first',
    nameZh: '查询错误日志',
    query: Exact({ ...Paging(['lastAt', 'firstAt', 'count']), ...filters }),
    answer: Page(ErrorRow),
  }),
  exportErrors: endpoint({
    id: 'errors.export',
    method: 'GET',
    path: `${path}/export`,
    policy,
    effect: 'export',
    summary: 'Export the filtered errors as a file, the latest first',
    nameZh: '导出错误日志',
    query: Exact({ format: Words(ERROR_LOG_FILES), ...filters }),
    answer: null,
  }),
  readError: endpoint({
    id: 'errors.read',
    method: 'GET',
    path: `${path}/:id`,
    policy,
    effect: 'read',
    summary: 'Get an error with its stack, its latest occurrences and its number in each hour',
    nameZh: '查看错误详情',
    params: IdParams,
    answer: ErrorDetail,
  }),
  setErrorState: endpoint({
    id: 'errors.setState',
    method: 'PUT',
    path: `${path}/:id/state`,
    policy,
    effect: 'update',
    summary:
      'Mark an error as new, known or solved. A solved error becomes new again when it returns: at once, or only in a later version',
    nameZh: '设置错误状态',
    params: IdParams,
    body: Exact({ state: Words(ERROR_STATES), solvedIn: Type.Optional(Words(SOLVED_IN)) }),
    answer: Type.Null(),
  }),
};
