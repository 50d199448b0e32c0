import { type Locale, levelText } from '@chargehand/contract';
import { LEVEL_AREAS, LEVEL_VERBS, type LevelArea, type LevelVerb, roleNames } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { ListPosition } from '../../platform/http/serve/list-queries.ts';
import type { Workbook } from '../../platform/http/serve/serve-workbook.ts';
import { type ExportColumn, inLocale, listWorkbook, type Words, yesNo } from '../../platform/xlsx/list-export.ts';
import { listRolesAfter, type RoleOrder, type RoleRecord } from './roles.store.ts';

type Row = RoleRecord & ListPosition;

/** The access kinds of spec §6, by their numbers. */
const CUSTOMER_ACCESS_WORDS: readonly Words[] = [
  { en: 'All customers', zh: '全部客户' },
  { en: 'Own customer', zh: '仅本客户' },
  { en: 'Assigned customers', zh: '已分配客户' },
];
const SITE_ACCESS_WORDS: readonly Words[] = [
  { en: 'All sites', zh: '全部站点' },
  { en: 'Assigned sites', zh: '已分配站点' },
];
const REMOTE_ACCESS_WORDS: readonly Words[] = [
  { en: 'None', zh: '无' },
  { en: 'Root only', zh: '仅超级管理员' },
  { en: 'Web, administrator', zh: 'WEB 管理员' },
  { en: 'Web, engineer', zh: 'WEB 工程师' },
];
const AREA_WORDS: Record<LevelArea, Words> = {
  user: { en: 'Users', zh: '用户' },
  device: { en: 'Devices', zh: '设备' },
  params: { en: 'Parameters', zh: '参数' },
  wiki: { en: 'Documents', zh: '文档' },
  attachment: { en: 'Attachments', zh: '附件' },
};
const VERB_WORDS: Record<LevelVerb, Words> = {
  read: { en: 'read', zh: '读取' },
  write: { en: 'write', zh: '写入' },
  download: { en: 'download', zh: '下载' },
};

const COLUMNS: readonly ExportColumn<Row>[] = [
  { en: 'Name', zh: '名称', width: 28, cell: ({ name }, locale) => inLocale(roleNames(name), locale) },
  numbered('Customer access', '客户访问范围', CUSTOMER_ACCESS_WORDS, ({ customerAccess }) => customerAccess),
  numbered('Site access', '站点访问范围', SITE_ACCESS_WORDS, ({ siteAccess }) => siteAccess),
  numbered('Web and SSH access', 'WEB/SSH 访问权限', REMOTE_ACCESS_WORDS, ({ remoteAccess }) => remoteAccess),
  { en: 'Email alarm', zh: '邮件告警', width: 12, cell: ({ emailAlarm }, locale) => yesNo(emailAlarm, locale) },
  ...LEVEL_AREAS.flatMap((area) =>
    LEVEL_VERBS.map(
      (verb): ExportColumn<Row> => ({
        en: `${AREA_WORDS[area].en}: ${VERB_WORDS[verb].en}`,
        zh: `${AREA_WORDS[area].zh}：${VERB_WORDS[verb].zh}`,
        width: 14,
        cell: ({ levels }, locale) => levelText(levels[area][verb], locale),
      }),
    ),
  ),
  { en: 'Users', zh: '用户数', width: 10, cell: ({ users }) => users },
  { en: 'Menus', zh: '菜单数', width: 10, cell: ({ keys }) => keys.length },
  { en: 'Created', zh: '创建时间', width: 20, cell: ({ createdAt }) => createdAt },
];

const SHEET: Words = { en: 'Roles', zh: '角色' };

/** The whole filtered list of roles as a workbook. */
export function roleWorkbook(
  db: Kysely<Database>,
  locale: Locale,
  search: string | undefined,
  order: RoleOrder,
): Workbook {
  return listWorkbook(SHEET, locale, COLUMNS, (after, limit) => listRolesAfter(db, search, order, after, limit));
}

/** A column of numbers with names. A number without a name is shown as it is. */
function numbered(en: string, zh: string, words: readonly Words[], of: (role: Row) => number): ExportColumn<Row> {
  const cell = (role: Row, locale: Locale) => {
    const word = words[of(role)];
    return word ? inLocale(word, locale) : of(role);
  };
  return { en, zh, width: 22, cell };
}
