import type { Locale } from '@chargehand/contract';
import type { ListPosition } from '../../platform/http/serve/list-queries.ts';
import type { Workbook } from '../../platform/http/serve/serve-workbook.ts';
import { type ExportColumn, listWorkbook, type Words } from '../../platform/xlsx/list-export.ts';
import type { AcceptanceRecord } from './privacy.store.ts';

type Row = AcceptanceRecord & ListPosition;

const COLUMNS: readonly ExportColumn<Row>[] = [
  { en: 'User name', zh: '用户名', width: 24, cell: ({ userName }) => userName },
  { en: 'Display name', zh: '昵称', width: 20, cell: ({ nickName }) => nickName },
  { en: 'Customer', zh: '所属客户', width: 28, cell: ({ customerName }) => customerName },
  { en: 'Version', zh: '版本', width: 10, cell: ({ version }) => version },
  { en: 'Accepted', zh: '同意时间', width: 20, cell: ({ acceptedAt }) => acceptedAt },
];

const SHEET: Words = { en: 'Privacy policy acceptances', zh: '隐私政策同意记录' };

/** The acceptances as a workbook. */
export function acceptanceSheet(
  locale: Locale,
  fetch: (after: ListPosition | null, limit: number) => Promise<Row[]>,
): Workbook {
  return listWorkbook(SHEET, locale, COLUMNS, fetch);
}
