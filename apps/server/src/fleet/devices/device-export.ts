import type { Locale } from '@chargehand/contract';
import { DEVICE_TYPES, type DeviceStatus, modelNames, worstLevel } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { ListPosition } from '../../platform/http/serve/list-queries.ts';
import type { Workbook } from '../../platform/http/serve/serve-workbook.ts';
import { fieldOfHeading } from '../../platform/xlsx/import-sheet.ts';
import { type ExportColumn, inLocale, listWorkbook, type Words } from '../../platform/xlsx/list-export.ts';
import { xlsxOf } from '../../platform/xlsx/xlsx.ts';
import { IMPORT_FIELDS } from '../device-import/import-columns.ts';
import { type DeviceFilters, type DeviceOrder, type ListedDevice, listDevicesAfter } from './device-list.store.ts';

type Row = ListedDevice & ListPosition;

/**
 * The exported columns. Some are only for users who see several customers. Columns that users can enter have the
 * headings that an import reads.
 */
const COLUMNS: readonly (ExportColumn<Row> & { manyCustomers?: boolean })[] = [
  { ...IMPORT_FIELDS.sn, width: 24, cell: ({ sn }) => sn },
  { ...IMPORT_FIELDS.name, width: 28, cell: ({ name }) => name },
  { en: 'Status', zh: '状态', width: 14, cell: ({ status }, locale) => inLocale(STATUS_WORDS[status], locale) },
  { en: 'Status since', zh: '状态开始时间', width: 20, cell: ({ statusSince }) => statusSince },
  { en: 'Open alarms', zh: '未恢复告警数', width: 14, cell: ({ activeAlarms }) => activeAlarms },
  {
    en: 'Worst alarm level',
    zh: '最高告警级别',
    width: 16,
    cell: ({ activeAlarmLevels }) => worstLevel(activeAlarmLevels),
  },
  { ...IMPORT_FIELDS.site, width: 28, cell: ({ siteName }) => siteName },
  { ...IMPORT_FIELDS.customer, width: 28, cell: ({ customerName }) => customerName, manyCustomers: true },
  {
    ...IMPORT_FIELDS.model,
    width: 24,
    cell: ({ deviceModelName }, locale) => inLocale(modelNames(deviceModelName), locale),
  },
  { en: 'Type', zh: '类型', width: 14, cell: ({ type }, locale) => typeWord(type, locale) },
  { en: 'Software version', zh: '软件版本', width: 18, cell: ({ softVersion }) => softVersion },
  { en: 'Last seen', zh: '最近通信时间', width: 20, cell: ({ lastSeenAt }) => lastSeenAt },
  { ...IMPORT_FIELDS.arrivalDate, width: 14, cell: ({ arrivalDate }) => arrivalDate },
  { ...IMPORT_FIELDS.installDate, width: 14, cell: ({ installDate }) => installDate },
  { ...IMPORT_FIELDS.maintenanceCycleDays, width: 16, cell: (device) => device.maintenanceCycleDays },
  { en: 'Maintenance due', zh: '维护到期时间', width: 20, cell: ({ maintenanceDueAt }) => maintenanceDueAt },
];

/** Headings, in lower case, of columns that an export contains and an import ignores. */
export const EXPORT_ONLY: ReadonlySet<string> = new Set(
  COLUMNS.flatMap(({ en, zh }) => [en.toLowerCase(), zh]).filter(
    (heading) => fieldOfHeading(heading, IMPORT_FIELDS) === null,
  ),
);

export const STATUS_WORDS: Record<DeviceStatus, Words> = {
  faulted: { en: 'Faulted', zh: '故障' },
  offline: { en: 'Offline', zh: '离线' },
  working: { en: 'Working', zh: '工作中' },
  idle: { en: 'Idle', zh: '空闲' },
  maintain: { en: 'Maintenance', zh: '维护中' },
  firmwareUpdate: { en: 'Firmware update', zh: '固件升级中' },
  disabled: { en: 'Disabled', zh: '已停用' },
};

const TYPE_WORDS: Record<(typeof DEVICE_TYPES)[keyof typeof DEVICE_TYPES], Words> = {
  chargingPile: { en: 'Charging pile', zh: '充电桩' },
  acPile: { en: 'AC pile', zh: '交流桩' },
  energyPile: { en: 'Energy pile', zh: '储能桩' },
  power: { en: 'Power', zh: '电源' },
  homeEnergy: { en: 'Home energy', zh: '家庭储能' },
  v2g: { en: 'V2G', zh: 'V2G' },
};

const SHEET: Words = { en: 'Devices', zh: '设备' };

/** The whole filtered list of a caller as a workbook. */
export function deviceWorkbook(
  db: Kysely<Database>,
  caller: Caller,
  locale: Locale,
  filters: DeviceFilters,
  order: DeviceOrder,
): Workbook {
  const { customers } = caller.scope;
  const many = customers === 'all' || customers.length > 1;
  const columns = COLUMNS.filter(({ manyCustomers }) => many || !manyCustomers);
  return listWorkbook(SHEET, locale, columns, (after, limit) =>
    listDevicesAfter(caller.scope, db, filters, order, after, limit),
  );
}

/** An empty sheet with the columns that an import reads. */
export function importTemplate(locale: Locale): Workbook {
  const name = inLocale({ en: 'Devices to import', zh: '设备导入模板' }, locale);
  const columns = Object.values(IMPORT_FIELDS).map((words) => ({ heading: inLocale(words, locale), width: 24 }));
  return { name, content: xlsxOf({ name, columns, rows: noRows() }) };
}

async function* noRows(): AsyncGenerator<never[]> {
  // The template consists of its headings.
}

function typeWord(type: number, locale: Locale): string {
  const name = DEVICE_TYPES[type as keyof typeof DEVICE_TYPES];
  return name === undefined ? String(type) : inLocale(TYPE_WORDS[name], locale);
}
