import type { Locale } from '@chargehand/contract';
import { type AlarmKind, connectorCell, modelNames } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import type { Caller } from '../platform/http/caller.ts';
import type { ListPosition } from '../platform/http/serve/list-queries.ts';
import type { Workbook } from '../platform/http/serve/serve-workbook.ts';
import { type ExportColumn, inLocale, listWorkbook, type Words } from '../platform/xlsx/list-export.ts';
import { type AlarmFilters, type AlarmOrder, type AlarmRecord, listAlarmsAfter } from './alarms.store.ts';
import { nextAfter, positionOf } from './positions.ts';

const KINDS: Record<AlarmKind, Words> = {
  offline: { en: 'Offline', zh: '离线' },
  alarm: { en: 'Alarm', zh: '告警' },
  fault: { en: 'Fault', zh: '故障' },
  unavailable: { en: 'Unavailable', zh: '不可用' },
};
const YES: Words = { en: 'yes', zh: '是' };
const SHEET: Words = { en: 'Alarms', zh: '告警' };

/** The exported columns. */
const COLUMNS: readonly ExportColumn<AlarmRecord & ListPosition>[] = [
  { en: 'Level', zh: '级别', width: 8, cell: ({ level }) => level },
  { en: 'Kind', zh: '类别', width: 12, cell: ({ kind }, locale) => inLocale(KINDS[kind], locale) },
  { en: 'Code', zh: '告警码', width: 24, cell: ({ code }) => code },
  {
    en: 'Name',
    zh: '告警名称',
    width: 32,
    cell: ({ nameEn, nameZh }, locale) => (locale === 'zh-CN' ? nameZh : nameEn),
  },
  { en: 'Information', zh: '附加信息', width: 32, cell: ({ info }) => info },
  { en: 'Device', zh: '设备', width: 28, cell: ({ deviceName }) => deviceName },
  { en: 'SN', zh: 'SN', width: 24, cell: ({ deviceSn }) => deviceSn },
  { en: 'Connector', zh: '枪号', width: 14, cell: ({ connector, protocol }) => connectorCell(connector, protocol) },
  { en: 'Site', zh: '站点', width: 28, cell: ({ siteName }) => siteName },
  { en: 'Customer', zh: '客户', width: 28, cell: ({ customerName }) => customerName },
  {
    en: 'Device model',
    zh: '设备型号',
    width: 24,
    cell: ({ deviceModelName }, locale) => deviceModelName && inLocale(modelNames(deviceModelName), locale),
  },
  { en: 'Raised', zh: '发生时间', width: 20, cell: ({ raisedAt }) => raisedAt },
  { en: 'Cleared', zh: '恢复时间', width: 20, cell: ({ clearedAt }) => clearedAt },
  { en: 'Reports', zh: '上报次数', width: 10, cell: ({ repeats }) => repeats + 1 },
  { en: 'Times reopened', zh: '反复次数', width: 10, cell: ({ reopened }) => reopened },
  {
    en: 'Suppressed',
    zh: '已屏蔽',
    width: 10,
    cell: ({ suppressed }, locale) => (suppressed ? inLocale(YES, locale) : null),
  },
  { en: 'Acknowledged', zh: '确认时间', width: 20, cell: ({ acknowledgedAt }) => acknowledgedAt },
  { en: 'Acknowledged by', zh: '确认人', width: 20, cell: ({ acknowledgedBy }) => acknowledgedBy },
  { en: 'Note', zh: '确认备注', width: 32, cell: ({ acknowledgedNote }) => acknowledgedNote },
];

/** The whole filtered list of a caller as a workbook. */
export function alarmWorkbook(
  db: Kysely<Database>,
  caller: Caller,
  locale: Locale,
  filters: AlarmFilters,
  order: AlarmOrder,
): Workbook {
  return listWorkbook(SHEET, locale, COLUMNS, async (after, limit) => {
    const alarms = await listAlarmsAfter(caller.scope, db, filters, order, positionOf(after?.position), limit);
    return alarms.map((alarm) => ({ ...alarm, position: nextAfter([alarm], 1) ?? '' }));
  });
}
