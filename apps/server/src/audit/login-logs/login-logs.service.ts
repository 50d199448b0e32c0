import {
  type auditEndpoints,
  type Locale,
  type LoginLogRow,
  type QueryOf,
  sessionEndText,
  type WithDates,
} from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Static } from 'typebox';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { searchOf } from '../../platform/http/serve/list-queries.ts';
import type { Workbook } from '../../platform/http/serve/serve-workbook.ts';
import { type ExportColumn, inLocale, listFile, type Words } from '../../platform/xlsx/list-export.ts';
import { nextBefore, positioned } from '../keyset.ts';
import { timesOf } from '../log-times.ts';
import { findLoginLogs, type LoginLogFilter, type LoginLogRecord, type LoginReason } from './login-logs.store.ts';

type Row = WithDates<Static<typeof LoginLogRow>>;
type List = typeof auditEndpoints.listLoginLogs;
type Export = typeof auditEndpoints.exportLoginLogs;

/** Sign-ins and sign-outs, newest first, as far as the caller may see. */
export async function listLoginLogs(
  db: Kysely<Database>,
  caller: Caller,
  query: QueryOf<List>,
): Promise<{ items: Row[]; next: number | null }> {
  const { before, limit } = query;
  const records = await findLoginLogs(db, caller.scope, caller.userId, filterOf(query), before, limit + 1);
  return { items: records.slice(0, limit).map(toRow), next: nextBefore(records, limit) };
}

/** The whole filtered log of a caller as a file. */
export function loginLogFile(
  db: Kysely<Database>,
  caller: Caller,
  locale: Locale,
  { format = 'xlsx', ...query }: QueryOf<Export>,
): Workbook {
  const filter = filterOf(query);
  return listFile<LoginLogRecord & { position: string }>(
    { format, sheet: SHEET, locale, columns: COLUMNS, rowOf: toRow },
    async (after, limit) => positioned(await findLoginLogs(db, caller.scope, caller.userId, filter, after?.id, limit)),
  );
}

const SHEET: Words = { en: 'Login log', zh: '登录日志' };

const TYPE_WORDS: readonly Words[] = [
  { en: 'Sign-in', zh: '登录' },
  { en: 'Sign-out', zh: '退出' },
];
const REASON_WORDS: Record<LoginReason, Words> = {
  authRejected: { en: 'Refused', zh: '认证被拒绝' },
  loggedOut: { en: 'Signed out', zh: '用户退出' },
  networkTimeout: { en: 'Timed out', zh: '超时' },
  replaced: { en: 'Signed in elsewhere, or signed out by somebody', zh: '被挤下线' },
};

const COLUMNS: readonly ExportColumn<LoginLogRecord & { position: string }>[] = [
  { en: 'Time', zh: '时间', width: 20, cell: ({ at }) => at },
  { en: 'User', zh: '用户', width: 20, cell: ({ user_name }) => user_name },
  { en: 'Type', zh: '类型', width: 12, cell: ({ type }, locale) => inLocale(TYPE_WORDS[type] ?? UNKNOWN, locale) },
  {
    en: 'Result',
    zh: '结果',
    width: 12,
    cell: ({ succeeded }, locale) => inLocale(succeeded ? SUCCEEDED : FAILED, locale),
  },
  {
    en: 'Reason',
    zh: '原因',
    width: 28,
    cell: ({ reason }, locale) => (reason === null ? null : inLocale(REASON_WORDS[reason], locale)),
  },
  {
    en: 'Reason shown to the user',
    zh: '向用户显示的原因',
    width: 48,
    cell: ({ end_cause, end_note }, locale) =>
      end_cause === null ? null : sessionEndText(end_cause, end_note, locale),
  },
  { en: 'Network address', zh: '网络地址', width: 24, cell: ({ address }) => address },
  { en: 'Browser', zh: '浏览器', width: 48, cell: ({ user_agent }) => user_agent },
];

const SUCCEEDED: Words = { en: 'Succeeded', zh: '成功' };
const FAILED: Words = { en: 'Failed', zh: '失败' };
const UNKNOWN: Words = { en: 'Unknown', zh: '未知' };

function filterOf(query: Omit<QueryOf<Export>, 'format'>): LoginLogFilter {
  const { customerId, type, succeeded, reason } = query;
  return { customerId, type, succeeded, reason, userName: searchOf(query.userName), ...timesOf(query) };
}

function toRow(record: LoginLogRecord): Row {
  return {
    id: record.id,
    at: record.at,
    type: record.type,
    reason: record.reason,
    succeeded: record.succeeded,
    userName: record.user_name,
    address: record.address,
    userAgent: record.user_agent,
    cause: record.end_cause,
    note: record.end_note,
  };
}
