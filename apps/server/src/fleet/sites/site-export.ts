import type { Locale } from '@chargehand/contract';
import type { SiteState } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { type ListPosition, listOrder } from '../../platform/http/serve/list-queries.ts';
import type { Workbook } from '../../platform/http/serve/serve-workbook.ts';
import { type ExportColumn, listWorkbook, stateWord, type Words } from '../../platform/xlsx/list-export.ts';
import type { Regions } from '../regions/regions.ts';
import { siteFilters } from './sites.service.ts';
import { listSitesAfter, type SiteOrder, type SiteRecord } from './sites.store.ts';

type Row = SiteRecord & ListPosition;

const columns = (regions: Regions): readonly ExportColumn<Row>[] => [
  { en: 'Code', zh: '编码', width: 18, cell: ({ code }) => code },
  { en: 'Name', zh: '名称', width: 32, cell: ({ name }) => name },
  { en: 'Customer', zh: '客户', width: 32, cell: ({ customerName }) => customerName },
  { en: 'State', zh: '状态', width: 12, cell: ({ enabled }, locale) => stateWord(enabled, locale) },
  { en: 'Devices', zh: '设备数', width: 10, cell: ({ deviceCount }) => deviceCount },
  { en: 'Open alarms', zh: '未恢复告警数', width: 14, cell: ({ activeAlarms }) => activeAlarms },
  { en: 'Contact person', zh: '联系人', width: 20, cell: ({ contact }) => contact },
  { en: 'Contact phone', zh: '联系电话', width: 20, cell: ({ phone }) => phone },
  { en: 'Region', zh: '所在地区', width: 30, cell: (site, locale) => regions.name(site, locale) },
  { en: 'Address', zh: '地址', width: 40, cell: ({ address }) => address },
  { en: 'Latitude', zh: '纬度', width: 12, cell: ({ latitude }) => latitude },
  { en: 'Longitude', zh: '经度', width: 12, cell: ({ longitude }) => longitude },
  { en: 'Build date', zh: '建成日期', width: 12, cell: ({ buildDate }) => buildDate },
  { en: 'Created', zh: '创建时间', width: 20, cell: ({ createdAt }) => createdAt },
];

const SHEET: Words = { en: 'Sites', zh: '站点' };

/** The whole filtered list of a caller as a workbook. */
export function siteWorkbook(
  { db, regions }: { db: Kysely<Database>; regions: Regions },
  caller: Caller,
  locale: Locale,
  query: {
    search?: string;
    customerId?: number;
    enabled?: boolean;
    region?: string;
    state?: SiteState;
    sort?: SiteOrder['by'] | `-${SiteOrder['by']}`;
  },
): Workbook {
  const order = listOrder(query.sort, 'name');
  const filters = siteFilters(regions, query);
  return listWorkbook(SHEET, locale, columns(regions), (after, limit) =>
    listSitesAfter(caller.scope, db, filters, order, after, limit),
  );
}
