import { type Locale, type placesEndpoints, type QueryOf, SITE } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { type ListPosition, listOrder } from '../../platform/http/serve/list-queries.ts';
import type { Workbook } from '../../platform/http/serve/serve-workbook.ts';
import { sheetColumns } from '../../platform/resource/sheet.ts';
import { type ExportColumn, listWorkbook, stateWord, type Words } from '../../platform/xlsx/list-export.ts';
import type { Regions } from '../regions/regions.ts';
import { siteFilters } from './sites.service.ts';
import { listSitesAfter, type SiteRecord } from './sites.store.ts';

type Row = SiteRecord & ListPosition;

const { code, name, contact, phone, address, latitude, longitude, ...others } = sheetColumns(SITE.fields);

const columns = (regions: Regions): readonly ExportColumn<Row>[] => [
  code,
  name,
  { en: 'Customer', zh: '客户', width: 32, cell: ({ customerName }) => customerName },
  { en: 'State', zh: '状态', width: 12, cell: ({ enabled }, locale) => stateWord(enabled, locale) },
  { en: 'Devices', zh: '设备数', width: 10, cell: ({ deviceCount }) => deviceCount },
  { en: 'Open alarms', zh: '未恢复告警数', width: 14, cell: ({ activeAlarms }) => activeAlarms },
  contact,
  phone,
  { en: 'Region', zh: '所在地区', width: 30, cell: (site, locale) => regions.name(site, locale) },
  address,
  latitude,
  longitude,
  ...Object.values(others),
  { en: 'Created', zh: '创建时间', width: 20, cell: ({ createdAt }) => createdAt },
];

const SHEET: Words = { en: 'Sites', zh: '站点' };

/** The whole filtered list of a caller as a workbook. */
export function siteWorkbook(
  { db, regions }: { db: Kysely<Database>; regions: Regions },
  caller: Caller,
  locale: Locale,
  query: QueryOf<typeof placesEndpoints.exportSites>,
): Workbook {
  const order = listOrder(query.sort, 'name');
  const filters = siteFilters(regions, query);
  return listWorkbook(SHEET, locale, columns(regions), (after, limit) =>
    listSitesAfter(caller.scope, db, filters, order, after, limit),
  );
}
