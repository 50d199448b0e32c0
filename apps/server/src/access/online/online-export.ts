import type { Locale } from '@chargehand/contract';
import { roleNames } from '@chargehand/domain';
import type { ListPosition } from '../../platform/http/serve/list-queries.ts';
import type { Workbook } from '../../platform/http/serve/serve-workbook.ts';
import { type ExportColumn, inLocale, listWorkbook, type Words } from '../../platform/xlsx/list-export.ts';
import type { OnlineRecord } from './online.store.ts';

type Row = OnlineRecord & ListPosition;

const COLUMNS: readonly ExportColumn<Row>[] = [
  { en: 'User name', zh: '用户名', width: 24, cell: ({ userName }) => userName },
  { en: 'Display name', zh: '昵称', width: 20, cell: ({ nickName }) => nickName },
  { en: 'Customer', zh: '所属客户', width: 28, cell: ({ customerName }) => customerName },
  {
    en: 'Role',
    zh: '角色',
    width: 20,
    cell: ({ roleName, root }, locale) =>
      root ? inLocale(ROOT, locale) : roleName && inLocale(roleNames(roleName), locale),
  },
  { en: 'Address', zh: '来源地址', width: 18, cell: ({ address }) => address },
  { en: 'Browser', zh: '浏览器', width: 50, cell: ({ userAgent }) => userAgent },
  { en: 'Since', zh: '登录时间', width: 20, cell: ({ since }) => since },
  { en: 'Last seen', zh: '最近活动', width: 20, cell: ({ lastSeenAt }) => lastSeenAt },
  { en: 'Page', zh: '所在页面', width: 36, cell: ({ page }) => page },
];

const ROOT: Words = { en: 'Root account', zh: '超级管理员' };
const SHEET: Words = { en: 'Online users', zh: '在线用户' };

/** Open sessions as a workbook. */
export function onlineSheet(
  locale: Locale,
  fetch: (after: ListPosition | null, limit: number) => Promise<Row[]>,
): Workbook {
  return listWorkbook(SHEET, locale, COLUMNS, fetch);
}
