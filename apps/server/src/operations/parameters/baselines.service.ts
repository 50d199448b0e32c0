import type { AnswerOf, ParameterBaselineRow, parameterEndpoints, QueryOf } from '@chargehand/contract';
import { levelSuffices } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { logAction } from '../../audit/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import { uniqueViolation } from '../../platform/database/violations.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import { listOrder, pageOf, searchOf } from '../../platform/http/serve/list-queries.ts';
import type { ActionEntry, Operation } from '../../ports/action-log.ts';
import { visibleDevice } from '../commands/commands.service.ts';
import { readable } from './parameters.service.ts';
import {
  type BaselineRecord,
  deleteBaseline,
  findBaseline,
  insertBaseline,
  listBaselines,
  renameBaseline,
} from './parameters.store.ts';

type Endpoints = typeof parameterEndpoints;
export type BaselinesService = ReturnType<typeof baselinesService>;

/**
 * Parameter baselines: saved parameter values of a model, with a name. Those of users of the platform vendor belong to
 * the platform, and everyone with such devices can use them. Those of other users belong to their customer.
 */
export function baselinesService(db: Kysely<Database>) {
  return {
    async list(
      caller: Caller,
      deviceId: number,
      query: QueryOf<Endpoints['listParameterBaselines']>,
    ): Promise<AnswerOf<Endpoints['listParameterBaselines']>> {
      const { deviceModelId } = await visibleDevice(db, caller, deviceId);
      const filters = { deviceModelId, search: searchOf(query.search) };
      const order = listOrder(query.sort, 'name');
      const { items, total } = await listBaselines(caller.scope, db, filters, order, pageOf(query));
      return { items: items.map((item) => rowOf(caller, item)), total };
    },

    /** Saves the reported parameters that can be set. Read-only ones are not settings. */
    async create(caller: Caller, deviceId: number, wanted: string): Promise<{ id: number }> {
      const name = entered(wanted);
      return db.transaction().execute(async (trx) => {
        const { device, view, stored } = await readable(trx, caller, deviceId);
        const values = stored.flatMap(({ key, value, readonly }) => {
          const kept = value !== null && !readonly && !view.isSecret(key) && view.describe(key)?.kind !== 'config';
          return kept ? [{ key, value }] : [];
        });
        if (values.length === 0) throw new Problem('baselineEmpty');
        const owner = caller.platformVendor ? null : caller.customerId;
        const { deviceModelId } = device;
        const baseline = {
          deviceModelId,
          customerId: owner,
          name,
          deviceName: device.name,
          createdBy: caller.userName,
        };
        const id = await explained(insertBaseline(trx, baseline, values));
        await log(trx, caller, 'new', { id, name, customerId: owner }, { after: { name, device: device.sn, values } });
        return { id };
      });
    },

    async rename(caller: Caller, id: number, wanted: string): Promise<void> {
      const name = entered(wanted);
      await db.transaction().execute(async (trx) => {
        const baseline = await changeable(trx, caller, id);
        if (baseline.name === name) return;
        await explained(renameBaseline(trx, id, name));
        await log(trx, caller, 'edit', { ...baseline, name }, { before: { name: baseline.name }, after: { name } });
      });
    },

    async remove(caller: Caller, id: number): Promise<void> {
      await db.transaction().execute(async (trx) => {
        const baseline = await changeable(trx, caller, id);
        await deleteBaseline(trx, id);
        await log(trx, caller, 'delete', baseline, { before: { name: baseline.name, values: baseline.values } });
      });
    },
  };
}

/** A baseline that the caller may change, locked until the end of the transaction. @throws Problem `notFound` */
async function changeable(trx: Kysely<Database>, caller: Caller, id: number): Promise<BaselineRecord> {
  const baseline = await findBaseline(caller.scope, trx, id, 'update');
  if (!baseline) throw notFound('parameterBaseline');
  return baseline;
}

/** Whether the caller may set the parameters of the model and belongs to the owner of the baseline. */
function mayChange(caller: Caller, { customerId, writeLevel }: BaselineRecord): boolean {
  const theirs = caller.platformVendor || customerId === caller.customerId;
  return theirs && !caller.readOnly && levelSuffices(caller.levels.params.write, writeLevel);
}

function rowOf(caller: Caller, baseline: BaselineRecord): ParameterBaselineRow {
  const { deviceModelId: _, customerId: __, writeLevel: ___, createdAt, ...row } = baseline;
  const known = knowsOrigin(caller, baseline);
  return {
    ...row,
    ...(known ? {} : { deviceName: '', createdBy: '' }),
    ...{ createdAt: createdAt.toISOString(), may: { change: mayChange(caller, baseline) } },
  };
}

/**
 * A baseline of the platform comes from a customer's device. Other customers see its values, but not which device it
 * was.
 */
function knowsOrigin(caller: Caller, { customerId }: BaselineRecord): boolean {
  return customerId !== null || caller.platformVendor || caller.scope.customers === 'all';
}

function entered(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '') throw new Problem('fieldRequired', { field: 'name' });
  return trimmed;
}

async function log(
  trx: Kysely<Database>,
  caller: Caller,
  operation: Operation,
  baseline: Pick<BaselineRecord, 'id' | 'name' | 'customerId'>,
  change: Pick<ActionEntry, 'before' | 'after'>,
): Promise<void> {
  await logAction(trx, caller, {
    operation,
    objectType: 'parameterBaseline',
    objectId: String(baseline.id),
    objectName: baseline.name,
    customerId: baseline.customerId,
    siteId: null,
    ...change,
  });
}

async function explained<T>(write: Promise<T>): Promise<T> {
  try {
    return await write;
  } catch (error) {
    if (uniqueViolation(error) !== 'parameter_baselines_name') throw error;
    throw new Problem('baselineNameExists', { field: 'name' });
  }
}
