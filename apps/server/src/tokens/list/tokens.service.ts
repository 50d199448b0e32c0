import type {
  BodyOf,
  QueryOf,
  ResultOf,
  TokenRow,
  TokenState,
  tokenEndpoints,
  UnknownTokenRow,
  WithDates,
} from '@chargehand/contract';
import {
  isTokenValue,
  MAX_TOKENS,
  maskedToken,
  mayReadTokens,
  meets,
  seesWholeCustomer,
  TOKEN_EDIT_LEVELS,
  TOKEN_LENGTH,
  type TokenType,
  tokenKey,
} from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { logAction } from '../../audit/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import { explained } from '../../platform/database/violations.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import { listOrder, pageOf, searchOf } from '../../platform/http/serve/list-queries.ts';
import { requireRevision, revisionOf } from '../../platform/http/serve/revision.ts';
import type { Operation } from '../../ports/action-log.ts';
import { EXPLANATIONS } from '../tables.ts';
import {
  countTokens,
  deleteToken,
  findToken,
  findUnknown,
  foreignSites,
  forgetUnknown,
  insertToken,
  listTokens,
  listUnknown,
  lockToken,
  requireClearCaches,
  type TokenFilters,
  type TokenRecord,
  type TokenValues,
  updateToken,
  writeSites,
} from './tokens.store.ts';

type Endpoints = typeof tokenEndpoints;
export type TokensService = ReturnType<typeof tokensService>;
type Fields = Omit<BodyOf<Endpoints['createToken']>, 'customerId'>;

/** The tokens of customers. Every change is recorded in the action log, with masked values, in the same transaction. */
export function tokensService(parts: { db: Kysely<Database>; changed(): void }) {
  const { db, changed } = parts;

  const found = async (trx: Kysely<Database>, id: number) => {
    if (!(await lockToken(trx, id))) throw notFound('token');
    return (await findToken(trx, id))!;
  };

  /** Changes a locked token. `hides`: devices must not accept it from their cache any more. */
  async function change(
    trx: Kysely<Database>,
    caller: Caller,
    before: TokenRecord,
    values: TokenValues,
    /** null: they stay as they are */
    newSites: readonly number[] | null,
  ): Promise<void> {
    const siteIds = newSites ?? before.sites.map(({ id }) => id);
    if (newSites) await requireOwnSites(trx, before.customerId, newSites);
    await explained(updateToken(trx, before, values), EXPLANATIONS);
    if (newSites) await writeSites(trx, before.id, newSites);
    if (before.value !== values.value) await forgetUnknown(trx, before.customerId, values.value);
    if (narrows(before, values, newSites)) await requireClearCaches(trx, before.customerId);
    const after = loggedValues(values, siteIds);
    const former = loggedValues(
      valuesOf(before),
      before.sites.map(({ id }) => id),
    );
    await log(trx, caller, operationOf(before, values), before, { before: former, after });
  }

  return {
    async list(caller: Caller, query: BodyOf<Endpoints['listTokens']>): Promise<ResultOf<Endpoints['listTokens']>> {
      const reads = mayReadTokens(caller.levels);
      const search = searchOf(query.search);
      // A search would tell what is masked.
      if (search !== undefined && !reads) return { items: [], total: 0 };
      const { items, total } = await listTokens(
        caller.scope,
        db,
        {
          ...filtersOf(query),
          ...(search === undefined ? {} : { search: { key: tokenKey(search), text: search.toLowerCase() } }),
        },
        listOrder(query.sort, '-createdAt'),
        pageOf(query),
      );
      return { items: items.map((token) => rowOf(token, caller, reads)), total };
    },

    async read(caller: Caller, id: number): Promise<WithDates<TokenRow>> {
      const token = await findToken(db, id);
      if (!token) throw notFound('token');
      return rowOf(token, caller, mayReadTokens(caller.levels));
    },

    async create(
      caller: Caller,
      { customerId, ...fields }: BodyOf<Endpoints['createToken']>,
    ): Promise<ResultOf<Endpoints['createToken']>> {
      const id = await db.transaction().execute((trx) => add(trx, caller, customerId, fields));
      changed();
      return { id };
    },

    async update(caller: Caller, id: number, body: BodyOf<Endpoints['updateToken']>): Promise<null> {
      const { revision, tokenValue, ...fields } = body;
      await db.transaction().execute(async (trx) => {
        const before = await found(trx, id);
        requireRevision(revision, editable(before));
        const values = enteredValues({ ...fields, tokenValue: tokenValue ?? before.value }, caller, before);
        await change(trx, caller, before, values, fields.siteIds);
      });
      changed();
      return null;
    },

    /** One row of a bulk change. */
    async changeOne(caller: Caller, id: number, body: BodyOf<Endpoints['changeTokens']>): Promise<void> {
      if (body.tokenChange === 'delete') return await this.remove(caller, id);
      await db.transaction().execute(async (trx) => {
        const before = await found(trx, id);
        const values = valuesOf(before);
        let siteIds: number[] | null = null;
        switch (body.tokenChange) {
          case 'block':
            Object.assign(values, blockedBy(caller, before));
            break;
          case 'unblock':
            Object.assign(values, { blocked_at: null, blocked_by_name: null });
            break;
          case 'validUntil':
            values.valid_until = body.validUntil ? new Date(body.validUntil) : null;
            requirePeriod(values);
            break;
          case 'group':
            values.group_value = enteredGroup(body.tokenGroup ?? null);
            break;
          case 'sites':
            siteIds = body.siteIds ?? [];
            break;
        }
        await change(trx, caller, before, values, siteIds);
      });
      changed();
    },

    async remove(caller: Caller, id: number): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const token = await found(trx, id);
        await deleteToken(trx, token);
        await requireClearCaches(trx, token.customerId);
        await log(trx, caller, 'delete', token, {
          before: loggedValues(
            valuesOf(token),
            token.sites.map((site) => site.id),
          ),
        });
      });
      changed();
    },

    async unknown(
      caller: Caller,
      query: QueryOf<Endpoints['listUnknownTokens']>,
    ): Promise<ResultOf<Endpoints['listUnknownTokens']>> {
      const order = listOrder(query.sort, '-lastAt');
      const { items, total } = await listUnknown(caller.scope, db, query, order, pageOf(query));
      const reads = mayReadTokens(caller.levels);
      return {
        items: items.map(
          ({ value, ...row }): WithDates<UnknownTokenRow> => ({
            ...row,
            value: reads ? value : maskedToken(value),
            masked: !reads,
            mayAdd: mayEditTokens(caller) && seesWholeCustomer(caller.scope, row.customerId),
          }),
        ),
        total,
      };
    },

    async addUnknown(
      caller: Caller,
      id: number,
      { holder = '' }: BodyOf<Endpoints['addUnknownToken']>,
    ): Promise<ResultOf<Endpoints['addUnknownToken']>> {
      const added = await db.transaction().execute(async (trx) => {
        const seen = await findUnknown(trx, id);
        if (!seen) throw notFound('unknownToken');
        const tokenType = (seen.type ?? 'ISO14443') as TokenType;
        const fields = { tokenValue: seen.value, tokenType, holder, ...NEW_TOKEN };
        return await add(trx, caller, seen.customerId, fields);
      });
      changed();
      return { id: added };
    },
  };
}

const NEW_TOKEN = {
  ...{ tokenGroup: null, tokenNote: '', validFrom: null, validUntil: null, blocked: false, concurrent: false },
  siteIds: [],
};

async function add(trx: Kysely<Database>, caller: Caller, customerId: number, fields: Fields): Promise<number> {
  const values = enteredValues(fields, caller, null);
  if ((await countTokens(trx, customerId)) >= MAX_TOKENS)
    throw new Problem('tooManyTokens', { values: { limit: MAX_TOKENS } });
  await requireOwnSites(trx, customerId, fields.siteIds);
  const id = await explained(insertToken(trx, customerId, values, caller.userName), EXPLANATIONS);
  await writeSites(trx, id, fields.siteIds);
  await forgetUnknown(trx, customerId, values.value);
  await log(
    trx,
    caller,
    'new',
    { id, customerId, value: values.value },
    { after: loggedValues(values, fields.siteIds) },
  );
  return id;
}

function log(
  trx: Kysely<Database>,
  caller: Caller,
  operation: Operation,
  token: { id: number; customerId: number; value: string },
  change: { before?: object; after?: object },
) {
  return logAction(trx, caller, {
    ...{ operation, objectType: 'token', objectId: String(token.id), objectName: maskedToken(token.value) },
    ...{ customerId: token.customerId, siteId: null, ...change },
  });
}

/** Values for the action log, whose readers may not read tokens: neither the value nor the holder. */
function loggedValues(values: TokenValues, siteIds: readonly number[]): object {
  return {
    tokenValue: maskedToken(values.value),
    tokenType: values.type,
    tokenGroup: values.group_value === null ? null : maskedToken(values.group_value),
    validFrom: values.valid_from?.toISOString() ?? null,
    validUntil: values.valid_until?.toISOString() ?? null,
    blocked: values.blocked_at !== null,
    concurrent: values.concurrent,
    siteIds,
  };
}

export function mayEditTokens(caller: Caller): boolean {
  return meets(caller.levels, TOKEN_EDIT_LEVELS) && (caller.root || caller.keys.has('auth_token_edit'));
}

function operationOf(before: TokenRecord, values: TokenValues): Operation {
  if (before.blockedAt === null && values.blocked_at !== null) return 'disable';
  if (before.blockedAt !== null && values.blocked_at === null) return 'enable';
  return 'edit';
}

/** True if devices may accept the token from their cache where it is not accepted any more. */
function narrows(before: TokenRecord, values: TokenValues, siteIds: readonly number[] | null): boolean {
  const blocked = before.blockedAt === null && values.blocked_at !== null;
  const shorter = values.valid_until !== null && (before.validUntil === null || values.valid_until < before.validUntil);
  const fewer =
    siteIds !== null &&
    siteIds.length > 0 &&
    (before.allSites || before.sites.some((site) => !siteIds.includes(site.id)));
  return blocked || shorter || fewer || tokenKey(before.value) !== tokenKey(values.value);
}

function enteredValues(fields: Fields, caller: Caller, before: TokenRecord | null): TokenValues {
  const value = fields.tokenValue.trim();
  if (!isTokenValue(value)) throw new Problem('tokenForm', { field: 'tokenValue', values: { limit: TOKEN_LENGTH } });
  const values: TokenValues = {
    value,
    type: fields.tokenType,
    group_value: enteredGroup(fields.tokenGroup),
    holder: fields.holder.trim(),
    note: fields.tokenNote.trim(),
    valid_from: fields.validFrom === null ? null : new Date(fields.validFrom),
    valid_until: fields.validUntil === null ? null : new Date(fields.validUntil),
    ...(fields.blocked ? blockedBy(caller, before) : { blocked_at: null, blocked_by_name: null }),
    concurrent: fields.concurrent,
  };
  requirePeriod(values);
  return values;
}

function enteredGroup(entered: string | null): string | null {
  const group = entered?.trim() || null;
  if (group !== null && !isTokenValue(group))
    throw new Problem('tokenForm', { field: 'tokenGroup', values: { limit: TOKEN_LENGTH } });
  return group;
}

function blockedBy(caller: Caller, before: TokenRecord | null) {
  return before?.blockedAt
    ? { blocked_at: before.blockedAt, blocked_by_name: before.blockedBy }
    : { blocked_at: new Date(), blocked_by_name: caller.userName };
}

function requirePeriod({ valid_from, valid_until }: Pick<TokenValues, 'valid_from' | 'valid_until'>): void {
  if (valid_from && valid_until && valid_until <= valid_from) throw new Problem('tokenPeriod', { field: 'validUntil' });
}

function valuesOf(token: TokenRecord): TokenValues {
  return {
    value: token.value,
    type: token.type,
    group_value: token.group,
    holder: token.holder,
    note: token.note,
    valid_from: token.validFrom,
    valid_until: token.validUntil,
    blocked_at: token.blockedAt,
    blocked_by_name: token.blockedBy,
    concurrent: token.concurrent,
  };
}

/** The values that the form of a token edits. */
function editable(token: TokenRecord): object {
  return {
    ...loggedValues(
      valuesOf(token),
      token.sites.map(({ id }) => id),
    ),
    holder: token.holder,
    note: token.note,
  };
}

async function requireOwnSites(trx: Kysely<Database>, customerId: number, siteIds: readonly number[]): Promise<void> {
  if ((await foreignSites(trx, customerId, siteIds)) > 0) throw new Problem('tokenSites', { field: 'siteIds' });
}

export function filtersOf(query: QueryOf<Endpoints['exportTokens']>): TokenFilters {
  return {
    customerId: query.customerId,
    siteId: query.siteId,
    type: query.tokenType,
    state: query.tokenState,
  };
}

/** A token for a caller. Its value, its group and its holder are personal data. */
function rowOf(token: TokenRecord, caller: Caller, reads: boolean): WithDates<TokenRow> {
  const { sites } = caller.scope;
  return {
    id: token.id,
    customerId: token.customerId,
    customerName: token.customerName,
    value: reads ? token.value : maskedToken(token.value),
    masked: !reads,
    type: token.type as TokenType,
    group: token.group === null || reads ? token.group : maskedToken(token.group),
    holder: reads || token.holder === '' ? token.holder : maskedToken('x'),
    note: reads ? token.note : '',
    validFrom: token.validFrom,
    validUntil: token.validUntil,
    blockedAt: token.blockedAt,
    blockedBy: token.blockedBy,
    concurrent: token.concurrent,
    state: stateOf(token, new Date()),
    sites: token.sites.filter(({ id }) => sites === 'all' || sites.includes(id)),
    allSites: token.allSites,
    createdAt: token.createdAt,
    createdBy: token.createdBy,
    updatedAt: token.updatedAt,
    revision: revisionOf(editable(token)),
  };
}

/** What a token is at a time. */
export function stateOf({ blockedAt, validFrom, validUntil }: TokenRecord, now: Date): TokenState {
  if (blockedAt !== null) return 'blocked';
  if (validUntil !== null && validUntil <= now) return 'expired';
  return validFrom !== null && validFrom > now ? 'notYet' : 'valid';
}
