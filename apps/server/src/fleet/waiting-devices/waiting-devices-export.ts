import type { fleetEndpoints, Locale, QueryOf } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { type ListPosition, listOrder, searchOf } from '../../platform/http/serve/list-queries.ts';
import type { Workbook } from '../../platform/http/serve/serve-workbook.ts';
import { type ExportColumn, listWorkbook, type Words } from '../../platform/xlsx/list-export.ts';
import { listWaitingDevicesAfter, type WaitingDeviceRecord } from './waiting-devices.store.ts';

const COLUMNS: readonly ExportColumn<WaitingDeviceRecord & ListPosition>[] = [
  { en: 'SN', zh: 'SN', width: 24, cell: ({ sn }) => sn },
  { en: 'Last attempt', zh: '最近尝试时间', width: 20, cell: ({ lastAttemptAt }) => lastAttemptAt },
  { en: 'Attempts', zh: '尝试次数', width: 10, cell: ({ attempts }) => attempts },
  { en: 'First attempt', zh: '首次尝试时间', width: 20, cell: ({ registeredAt }) => registeredAt },
  { en: 'Protocol', zh: '协议', width: 12, cell: ({ protocolVersion }) => protocolVersion },
  { en: 'Network address', zh: '网络地址', width: 24, cell: ({ remoteAddress }) => remoteAddress },
  { en: 'MAC', zh: 'MAC', width: 20, cell: ({ mac }) => mac },
  { en: 'Vendor', zh: '厂商', width: 20, cell: ({ vendor }) => vendor },
  { en: 'Model', zh: '型号', width: 20, cell: ({ model }) => model },
  { en: 'Serial number', zh: '序列号', width: 20, cell: ({ serialNumber }) => serialNumber },
  { en: 'Firmware', zh: '固件版本', width: 16, cell: ({ firmwareVersion }) => firmwareVersion },
];

const SHEET: Words = { en: 'Waiting devices', zh: '待注册设备' };

/** All matching waiting devices as a workbook. */
export function waitingDevicesWorkbook(
  db: Kysely<Database>,
  locale: Locale,
  query: QueryOf<typeof fleetEndpoints.exportWaitingDevices>,
): Workbook {
  const order = listOrder(query.sort, '-lastAttemptAt');
  return listWorkbook(SHEET, locale, COLUMNS, (after, limit) =>
    listWaitingDevicesAfter(db, searchOf(query.search), order, after, limit),
  );
}
