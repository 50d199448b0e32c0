import type { Locale } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { type ListPosition, listOrder } from '../../platform/http/serve/list-queries.ts';
import type { Workbook } from '../../platform/http/serve/serve-workbook.ts';
import { type ExportColumn, listWorkbook, stateWord, type Words, yesNo } from '../../platform/xlsx/list-export.ts';
import type { Regions } from '../regions/regions.ts';
import { customerFilters } from './customers.service.ts';
import { type CustomerOrder, type CustomerRecord, listCustomersAfter } from './customers.store.ts';

type Row = CustomerRecord & ListPosition;

const columns = (regions: Regions): readonly ExportColumn<Row>[] => [
  { en: 'Code', zh: '编码', width: 18, cell: ({ code }) => code },
  { en: 'Name', zh: '名称', width: 32, cell: ({ name }) => name },
  { en: 'State', zh: '状态', width: 12, cell: ({ enabled }, locale) => stateWord(enabled, locale) },
  { en: 'Read-only', zh: '只读', width: 10, cell: ({ readOnly }, locale) => yesNo(readOnly, locale) },
  {
    en: 'Platform vendor',
    zh: '平台厂商',
    width: 16,
    cell: ({ platformVendor }, locale) => yesNo(platformVendor, locale),
  },
  { en: 'Contact', zh: '联系人', width: 20, cell: ({ contact }) => contact },
  { en: 'Region', zh: '所在地区', width: 30, cell: (customer, locale) => regions.name(customer, locale) },
  { en: 'Address', zh: '地址', width: 40, cell: ({ address }) => address },
  { en: 'Sites', zh: '站点数', width: 10, cell: ({ siteCount }) => siteCount },
  { en: 'Devices', zh: '设备数', width: 10, cell: ({ deviceCount }) => deviceCount },
  { en: 'Users', zh: '用户数', width: 10, cell: ({ userCount }) => userCount },
  { en: 'Issue prefix', zh: '问题编号前缀', width: 14, cell: ({ issuePrefix }) => issuePrefix },
  { en: 'Created', zh: '创建时间', width: 20, cell: ({ createdAt }) => createdAt },
];

const SHEET: Words = { en: 'Customers', zh: '客户' };

/** The whole filtered list of a caller as a workbook. */
export function customerWorkbook(
  { db, regions }: { db: Kysely<Database>; regions: Regions },
  caller: Caller,
  locale: Locale,
  query: {
    search?: string;
    enabled?: boolean;
    region?: string;
    sort?: CustomerOrder['by'] | `-${CustomerOrder['by']}`;
  },
): Workbook {
  const order = listOrder(query.sort, 'name');
  const filters = customerFilters(regions, query);
  return listWorkbook(SHEET, locale, columns(regions), (after, limit) =>
    listCustomersAfter(caller.scope, db, filters, order, after, limit),
  );
}
