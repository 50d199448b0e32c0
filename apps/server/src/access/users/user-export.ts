import type { Locale } from '@chargehand/contract';
import { roleNames } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { ListPosition } from '../../platform/http/serve/list-queries.ts';
import type { Workbook } from '../../platform/http/serve/serve-workbook.ts';
import { type ExportColumn, inLocale, listWorkbook, stateWord, type Words } from '../../platform/xlsx/list-export.ts';
import { listUsersAfter, type UserFilters, type UserOrder, type UserRecord } from './users.store.ts';

const COLUMNS: readonly ExportColumn<UserRecord & ListPosition>[] = [
  { en: 'User name', zh: '用户名', width: 24, cell: ({ userName }) => userName },
  { en: 'Display name', zh: '昵称', width: 20, cell: ({ nickName }) => nickName },
  { en: 'Email', zh: '邮箱', width: 32, cell: ({ email }) => email },
  { en: 'Contact', zh: '联系方式', width: 20, cell: ({ contact }) => contact },
  { en: 'Customer', zh: '客户', width: 28, cell: ({ customerName }) => customerName },
  {
    en: 'Role',
    zh: '角色',
    width: 24,
    cell: ({ root, roleName }, locale) =>
      root ? inLocale(ROOT, locale) : roleName && inLocale(roleNames(roleName), locale),
  },
  { en: 'State', zh: '状态', width: 12, cell: ({ enabled }, locale) => stateWord(enabled, locale) },
  { en: 'Site limit', zh: '站点数上限', width: 12, cell: ({ maxSites }) => maxSites },
  { en: 'Open sessions', zh: '在线会话数', width: 14, cell: ({ sessions }) => sessions },
  { en: 'Last seen', zh: '最近在线时间', width: 20, cell: ({ lastSeenAt }) => lastSeenAt },
  { en: 'Created', zh: '创建时间', width: 20, cell: ({ createdAt }) => createdAt },
];

const SHEET: Words = { en: 'Users', zh: '用户' };
const ROOT: Words = { en: 'Root account', zh: '超级管理员' };

/** The whole filtered list of a caller as a workbook. */
export function userWorkbook(
  db: Kysely<Database>,
  caller: Caller,
  locale: Locale,
  filters: UserFilters,
  order: UserOrder,
): Workbook {
  return listWorkbook(SHEET, locale, COLUMNS, (after, limit) =>
    listUsersAfter(caller.scope, db, filters, order, after, limit),
  );
}
