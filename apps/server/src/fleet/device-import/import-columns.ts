import type { Words } from '../../platform/xlsx/list-export.ts';

/** The fields of a device in an import: the field of a JSON file, and the heading of its column in a sheet. */
export const IMPORT_FIELDS = {
  sn: { en: 'SN', zh: 'SN' },
  name: { en: 'Name', zh: '名称' },
  site: { en: 'Site', zh: '站点' },
  customer: { en: 'Customer', zh: '客户' },
  model: { en: 'Device model', zh: '设备型号' },
  arrivalDate: { en: 'Arrival date', zh: '到货日期' },
  installDate: { en: 'Install date', zh: '安装日期' },
  maintenanceCycleDays: { en: 'Maintenance cycle (days)', zh: '维护周期（天）' },
  gatewayPassword: { en: 'Gateway password', zh: '接入密码' },
} as const satisfies Record<string, Words>;

export type ImportField = keyof typeof IMPORT_FIELDS;

/** The required fields of a device. */
export const REQUIRED_FIELDS = ['sn', 'name', 'site', 'model'] as const satisfies readonly ImportField[];

/** The columns that contain dates, which a spreadsheet stores as numbers (spec §5). */
export const DATE_FIELDS: ReadonlySet<ImportField> = new Set(['arrivalDate', 'installDate']);
