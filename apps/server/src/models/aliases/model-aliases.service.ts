import type { BodyOf, deviceModelEndpoints, QueryOf, ResultOf } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { explained } from '../../platform/database/violations.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound } from '../../platform/http/problem.ts';
import { listOrder, pageOf, searchOf } from '../../platform/http/serve/list-queries.ts';
import { difference, entered, logPlatformAction } from '../editing.ts';
import { EXPLANATIONS } from '../tables.ts';
import {
  type AliasValues,
  deleteAlias,
  insertAlias,
  listAliases,
  lockAlias,
  unmatchedNames,
  updateAlias,
} from './model-aliases.store.ts';

type Endpoints = typeof deviceModelEndpoints;
export type ModelAliasesService = ReturnType<typeof modelAliasesService>;

/** The maximum number of unknown names that are listed at once. */
const MOST_UNMATCHED = 100;

/** The names under which devices report themselves. */
export function modelAliasesService(db: Kysely<Database>) {
  return {
    async list(query: QueryOf<Endpoints['listModelAliases']>): Promise<ResultOf<Endpoints['listModelAliases']>> {
      const filters = { search: searchOf(query.search), deviceModelId: query.deviceModelId };
      return await listAliases(db, filters, listOrder(query.sort, 'name'), pageOf(query));
    },

    async unmatched(): Promise<ResultOf<Endpoints['listUnmatchedNames']>> {
      const names = await unmatchedNames(db, MOST_UNMATCHED);
      return { items: names };
    },

    async create(caller: Caller, body: BodyOf<Endpoints['createModelAlias']>): Promise<{ id: number }> {
      const values = enteredAlias(body);
      return await db.transaction().execute(async (trx) => {
        const id = await explained(insertAlias(trx, values), EXPLANATIONS);
        await logPlatformAction(trx, caller, 'new', objectOf(id, values), { after: { ...values } });
        return { id };
      });
    },

    async edit(caller: Caller, id: number, body: BodyOf<Endpoints['updateModelAlias']>): Promise<void> {
      const values = enteredAlias(body);
      await db.transaction().execute(async (trx) => {
        const alias = await lockAlias(trx, id);
        if (!alias) throw notFound('modelAlias');
        const { vendor, model, deviceModelId } = alias;
        const changed = difference({ vendor, model, deviceModelId }, { ...values });
        if (!changed) return;
        await explained(updateAlias(trx, id, values), EXPLANATIONS);
        await logPlatformAction(trx, caller, 'edit', objectOf(id, values), changed);
      });
    },

    async remove(caller: Caller, id: number): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const alias = await lockAlias(trx, id);
        if (!alias) throw notFound('modelAlias');
        await deleteAlias(trx, id);
        const { vendor, model, deviceModelId } = alias;
        await logPlatformAction(trx, caller, 'delete', objectOf(id, alias), {
          before: { vendor, model, deviceModelId },
        });
      });
    },
  };
}

function enteredAlias(body: AliasValues): AliasValues {
  return {
    vendor: entered(body.vendor, 'vendor'),
    model: entered(body.model, 'model'),
    deviceModelId: body.deviceModelId,
  };
}

const objectOf = (id: number, { vendor, model }: AliasValues) => ({
  type: 'modelAlias' as const,
  id,
  name: `${vendor} ${model}`,
});
