import type { Locale, TokenState } from '@chargehand/contract';
import { TOKEN_SITES_SEPARATOR } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Workbook } from '../../platform/http/serve/serve-workbook.ts';
import { type ExportColumn, inLocale, listWorkbook, type Words, yesNo } from '../../platform/xlsx/list-export.ts';
import { TOKEN_COLUMNS as HEADINGS, TOKEN_ONLY_EXPORTED as ONLY } from './token-columns.ts';
import { stateOf } from './tokens.service.ts';
import { listTokensAfter, type TokenFilters, type TokenRecord } from './tokens.store.ts';

const STATES: Record<TokenState, Words> = {
  valid: { en: 'Valid', zh: '有效' },
  blocked: { en: 'Blocked', zh: '已停用' },
  expired: { en: 'Expired', zh: '已过期' },
  notYet: { en: 'Not valid yet', zh: '未生效' },
};

/** Tokens as a workbook that can be imported again. The level of the endpoint includes reading values. */
export function tokenWorkbook(db: Kysely<Database>, caller: Caller, locale: Locale, filters: TokenFilters): Workbook {
  const { sites: seen } = caller.scope;
  const sitesOf = ({ sites }: TokenRecord) =>
    sites.filter(({ id }) => seen === 'all' || seen.includes(id)).map(({ name }) => name);
  const columns: ExportColumn<TokenRecord & { id: number; position: string }>[] = [
    { ...HEADINGS.value, width: 28, cell: ({ value }) => value },
    { ...HEADINGS.type, width: 14, cell: ({ type }) => type },
    { ...HEADINGS.group, width: 20, cell: ({ group }) => group },
    { ...HEADINGS.holder, width: 24, cell: ({ holder }) => holder },
    { ...HEADINGS.note, width: 32, cell: ({ note }) => note },
    { ...HEADINGS.validFrom, width: 20, cell: ({ validFrom }) => validFrom },
    { ...HEADINGS.validUntil, width: 20, cell: ({ validUntil }) => validUntil },
    { ...HEADINGS.blocked, width: 10, cell: ({ blockedAt }) => yesNo(blockedAt !== null, locale) },
    { ...HEADINGS.concurrent, width: 22, cell: ({ concurrent }) => yesNo(concurrent, locale) },
    { ...HEADINGS.sites, width: 32, cell: (token) => sitesOf(token).join(`${TOKEN_SITES_SEPARATOR} `) },
    { ...ONLY.customer, width: 24, cell: ({ customerName }) => customerName },
    { ...ONLY.state, width: 14, cell: (token) => inLocale(STATES[stateOf(token, new Date())], locale) },
  ];
  return listWorkbook({ en: 'Tokens', zh: '授权卡' }, locale, columns, (after, limit) =>
    listTokensAfter(caller.scope, db, filters, after, limit),
  );
}
