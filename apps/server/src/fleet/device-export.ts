import type { DeviceRow, Locale } from '@chargehand/contract';
import { DEVICE_TYPES, type DeviceStatus } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import { Problem } from '../platform/http/problem.ts';
import { mayDownloadDevices } from '../platform/http/visible-device.ts';
import { exportedRows, inLocale, type Words } from '../platform/list-export.ts';
import { type Cell, xlsxOf } from '../platform/xlsx.ts';
import type { Caller } from '../ports/caller.ts';
import { toDeviceRow } from './device-list.service.ts';
import { type DeviceFilters, type DeviceOrder, listDevicesAfter } from './device-list.store.ts';

interface Column {
  en: string;
  zh: string;
  width: number;
  cell(device: DeviceRow, locale: Locale): Cell;
  /** true when only people who see several customers get it */
  manyCustomers?: boolean;
}

/** What a reader of the list sees, one column each. */
const COLUMNS: readonly Column[] = [
  { en: 'SN', zh: 'SN', width: 24, cell: ({ sn }) => sn },
  { en: 'Name', zh: '名称', width: 28, cell: ({ name }) => name },
  { en: 'Status', zh: '状态', width: 14, cell: ({ status }, locale) => inLocale(STATUS_WORDS[status], locale) },
  { en: 'Status since', zh: '状态开始时间', width: 20, cell: ({ statusSince }) => new Date(statusSince) },
  { en: 'Active alarms', zh: '活动告警数', width: 14, cell: ({ activeAlarms }) => activeAlarms },
  { en: 'Worst alarm level', zh: '最高告警级别', width: 16, cell: ({ worstAlarmLevel }) => worstAlarmLevel },
  { en: 'Site', zh: '站点', width: 28, cell: ({ siteName }) => siteName },
  { en: 'Customer', zh: '客户', width: 28, cell: ({ customerName }) => customerName, manyCustomers: true },
  { en: 'Device model', zh: '设备型号', width: 24, cell: ({ deviceModelName }) => deviceModelName },
  { en: 'Type', zh: '类型', width: 14, cell: ({ type }, locale) => typeWord(type, locale) },
  { en: 'Software version', zh: '软件版本', width: 18, cell: ({ softVersion }) => softVersion },
  {
    en: 'Last seen',
    zh: '最近通信时间',
    width: 20,
    cell: ({ lastSeenAt }) => (lastSeenAt === null ? null : new Date(lastSeenAt)),
  },
];

const STATUS_WORDS: Record<DeviceStatus, Words> = {
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

/** The name of the list in a language: that of the sheet, and the beginning of the file's. */
export function deviceSheetName(locale: Locale): string {
  return inLocale(SHEET, locale);
}

/**
 * The whole filtered list of a caller as a workbook, fetched and written batch by batch. A device that changes its
 * place in the order meanwhile is written once. @throws Problem `noPermission` below the download level.
 */
export function deviceWorkbook(
  db: Kysely<Database>,
  caller: Caller,
  locale: Locale,
  filters: DeviceFilters,
  order: DeviceOrder,
): AsyncIterable<Buffer> {
  if (!mayDownloadDevices(caller)) throw new Problem('noPermission');
  const { customers } = caller.scope;
  const many = customers === 'all' || customers.length > 1;
  const columns = COLUMNS.filter(({ manyCustomers }) => many || !manyCustomers);
  return xlsxOf({
    name: deviceSheetName(locale),
    columns: columns.map((column) => ({ heading: inLocale(column, locale), width: column.width })),
    rows: exportedRows(
      (after, limit) => listDevicesAfter(caller.scope, db, filters, order, after, limit),
      (device) => columns.map(({ cell }) => cell(toDeviceRow(device), locale)),
    ),
  });
}

function typeWord(type: number, locale: Locale): string {
  const name = DEVICE_TYPES[type as keyof typeof DEVICE_TYPES];
  return name === undefined ? String(type) : inLocale(TYPE_WORDS[name], locale);
}
