import { CUSTOMER, type Locale, type placesEndpoints, type QueryOf } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { type ListPosition, listOrder } from '../../platform/http/serve/list-queries.ts';
import type { Workbook } from '../../platform/http/serve/serve-workbook.ts';
import { sheetColumns } from '../../platform/resource/sheet.ts';
import { type ExportColumn, listWorkbook, stateWord, type Words, yesNo } from '../../platform/xlsx/list-export.ts';
import type { Regions } from '../regions/regions.ts';
import { customerFilters } from './customers.service.ts';
import { type CustomerRecord, listCustomersAfter } from './customers.store.ts';

type Row = CustomerRecord & ListPosition;

const { code, name, readOnly, contact, address, issuePrefix, ...others } = sheetColumns(CUSTOMER.fields);

const columns = (regions: Regions): readonly ExportColumn<Row>[] => [
  code,
  name,
  { en: 'State', zh: '状态', width: 12, cell: ({ enabled }, locale) => stateWord(enabled, locale) },
  readOnly,
  {
    en: 'Platform vendor',
    zh: '平台厂商',
    width: 16,
    cell: ({ platformVendor }, locale) => yesNo(platformVendor, locale),
  },
  contact,
  { en: 'Region', zh: '所在地区', width: 30, cell: (customer, locale) => regions.name(customer, locale) },
  address,
  { en: 'Sites', zh: '站点数', width: 10, cell: ({ siteCount }) => siteCount },
  { en: 'Devices', zh: '设备数', width: 10, cell: ({ deviceCount }) => deviceCount },
  { en: 'Users', zh: '用户数', width: 10, cell: ({ userCount }) => userCount },
  issuePrefix,
  ...Object.values(others),
  { en: 'Created', zh: '创建时间', width: 20, cell: ({ createdAt }) => createdAt },
];

const SHEET: Words = { en: 'Customers', zh: '客户' };

/** The whole filtered list of a caller as a workbook. */
export function customerWorkbook(
  { db, regions }: { db: Kysely<Database>; regions: Regions },
  caller: Caller,
  locale: Locale,
  query: QueryOf<typeof placesEndpoints.exportCustomers>,
): Workbook {
  const order = listOrder(query.sort, 'name');
  const filters = customerFilters(regions, query);
  return listWorkbook(SHEET, locale, columns(regions), (after, limit) =>
    listCustomersAfter(caller.scope, db, filters, order, after, limit),
  );
}
