import {
  type ActionLogRow,
  type auditEndpoints,
  type Locale,
  loggedField,
  loggedValue,
  objectText,
  type QueryOf,
  type ResultOf,
  type WithDates,
} from '@chargehand/contract';
import { differences, type FieldDifference, shownValue } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Static } from 'typebox';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { searchOf } from '../../platform/http/serve/list-queries.ts';
import type { Workbook } from '../../platform/http/serve/serve-workbook.ts';
import { type ExportColumn, inLocale, listFile, type Words } from '../../platform/xlsx/list-export.ts';
import type { Operation } from '../../ports/action-log.ts';
import { nextBefore, positioned } from '../keyset.ts';
import { timesOf } from '../log-times.ts';
import { type ActionLogFilter, type ActionLogRecord, findActionLogs, findSiteEvents } from './action-logs.store.ts';

type Row = WithDates<Static<typeof ActionLogRow>>;
type List = typeof auditEndpoints.listActionLogs;
type Export = typeof auditEndpoints.exportActionLogs;

/** The action log: who changed or controlled what, newest first, as far as the caller may see. */
export async function listActionLogs(
  db: Kysely<Database>,
  caller: Caller,
  query: QueryOf<List>,
): Promise<{ items: Row[]; next: number | null }> {
  const { before, limit, group } = query;
  const filter = filterOf(query);
  // The history of an object has all of its entries, and a name finds each entry.
  const collapsed = group === undefined && filter.objectId === undefined && filter.search === undefined;
  const wanted = { ...filter, group, collapsed };
  const records = await findActionLogs(db, caller.scope, caller.userId, wanted, before, limit + 1);
  return { items: records.slice(0, limit).map(toRow), next: nextBefore(records, limit) };
}

/** What happened to the sites of the caller, newest first. */
export async function listSiteEvents(
  db: Kysely<Database>,
  caller: Caller,
  { limit }: QueryOf<typeof auditEndpoints.listSiteEvents>,
): Promise<ResultOf<typeof auditEndpoints.listSiteEvents>> {
  const events = await findSiteEvents(caller.scope, db, limit);
  return { items: events };
}

/** The whole filtered log of a caller as a file. */
export function actionLogFile(
  db: Kysely<Database>,
  caller: Caller,
  locale: Locale,
  { format = 'xlsx', ...query }: QueryOf<Export>,
): Workbook {
  const filter = filterOf(query);
  return listFile<ActionLogRecord & { position: string }>(
    { format, sheet: SHEET, locale, columns: COLUMNS, rowOf: toRow },
    async (after, limit) => positioned(await findActionLogs(db, caller.scope, caller.userId, filter, after?.id, limit)),
  );
}

const SHEET: Words = { en: 'Action log', zh: '操作日志' };

const OPERATION_WORDS: Record<Operation, Words> = {
  new: { en: 'New', zh: '新增' },
  edit: { en: 'Edit', zh: '编辑' },
  delete: { en: 'Delete', zh: '删除' },
  disable: { en: 'Disable', zh: '停用' },
  enable: { en: 'Enable', zh: '启用' },
  control: { en: 'Control', zh: '控制' },
};

const COLUMNS: readonly ExportColumn<ActionLogRecord & { position: string }>[] = [
  { en: 'Time', zh: '时间', width: 20, cell: ({ at }) => at },
  { en: 'User', zh: '用户', width: 20, cell: ({ user_name }) => user_name },
  {
    en: 'Operation',
    zh: '操作类型',
    width: 12,
    cell: ({ operation }, locale) => inLocale(OPERATION_WORDS[operation], locale),
  },
  { en: 'Object type', zh: '对象类型', width: 16, cell: ({ object_type }, locale) => objectText(object_type, locale) },
  { en: 'Object ID', zh: '对象编号', width: 12, cell: ({ object_id }) => object_id },
  { en: 'Object', zh: '对象', width: 28, cell: ({ object_name }) => object_name },
  { en: 'Before', zh: '变更前', width: 48, cell: (entry, locale) => textOf(entry, 'before', locale) },
  { en: 'After', zh: '变更后', width: 48, cell: (entry, locale) => textOf(entry, 'after', locale) },
  { en: 'Network address', zh: '网络地址', width: 24, cell: ({ address }) => address },
  { en: 'Application', zh: '应用', width: 20, cell: ({ application_name }) => application_name ?? '' },
];

/** The maximum number of characters of a spreadsheet cell (ECMA-376, part 1, 18.3.1.96). */
const LONGEST_CELL = 32_767;

/** The fields that an action changed, before or after it, with texts as in the console. Unchanged fields are omitted. */
function textOf(entry: ActionLogRecord, side: 'before' | 'after', locale: Locale): string | null {
  const missing: FieldDifference['kind'] = side === 'before' ? 'added' : 'removed';
  const [colon, separator] = locale === 'zh-CN' ? ['：', '；'] : [': ', '; '];
  const fields = differences(entry.before, entry.after)
    .filter(({ kind }) => kind !== 'same' && kind !== missing)
    .map(({ path, [side]: value }) => {
      return `${loggedField(path, locale)}${colon}${loggedValue(path, value, locale) ?? shownValue(value)}`;
    });
  return fields.length === 0 ? null : fields.join(separator).slice(0, LONGEST_CELL);
}

function filterOf(query: Omit<QueryOf<Export>, 'format'>): ActionLogFilter {
  const { operation, objectType, objectId, customerId, siteId } = query;
  return {
    ...{ operation, objectType, objectId, customerId, siteId },
    userName: searchOf(query.userName),
    applicationName: searchOf(query.applicationName),
    search: searchOf(query.search),
    ...timesOf(query),
  };
}

function toRow(record: ActionLogRecord): Row {
  return {
    id: record.id,
    at: record.at,
    userName: record.user_name,
    applicationName: record.application_name,
    operation: record.operation,
    objectType: record.object_type,
    objectId: record.object_id,
    objectName: record.object_name,
    before: record.before,
    after: record.after,
    address: record.address,
    together: record.together,
  };
}
