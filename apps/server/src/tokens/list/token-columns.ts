import type { ImportColumns } from '../../platform/xlsx/import-sheet.ts';
import type { Words } from '../../platform/xlsx/list-export.ts';

/** The columns of files of tokens: an export can be imported again. */
export const TOKEN_COLUMNS = {
  value: { en: 'Value', zh: '卡号' },
  type: { en: 'Type', zh: '类型' },
  group: { en: 'Group', zh: '卡组' },
  holder: { en: 'Holder', zh: '持卡人' },
  note: { en: 'Note', zh: '备注' },
  validFrom: { en: 'Valid from', zh: '生效时间' },
  validUntil: { en: 'Valid until', zh: '失效时间' },
  blocked: { en: 'Blocked', zh: '停用' },
  concurrent: { en: 'Several sessions at once', zh: '允许同时多次充电' },
  sites: { en: 'Sites', zh: '站点' },
} as const satisfies Record<string, Words>;
export type TokenColumn = keyof typeof TOKEN_COLUMNS;

/** Columns of an export that an import ignores. */
export const TOKEN_ONLY_EXPORTED = {
  customer: { en: 'Customer', zh: '客户' },
  state: { en: 'Status', zh: '状态' },
} as const satisfies Record<string, Words>;

export const IMPORT_COLUMNS: ImportColumns<TokenColumn> = {
  fields: TOKEN_COLUMNS,
  required: ['value'],
  ignored: new Set(Object.values(TOKEN_ONLY_EXPORTED).flatMap(({ en, zh }) => [en.toLowerCase(), zh])),
};
