import type { ParameterBaselineRow, parameterEndpoints, QueryOf, ResultOf, WithDates } from '@chargehand/contract';
import { levelSuffices, mayChangeOfSite } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { logAction } from '../../audit/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import { explained } from '../../platform/database/violations.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import { listOrder, pageOf, searchOf } from '../../platform/http/serve/list-queries.ts';
import type { ActionEntry, Operation } from '../../ports/action-log.ts';
import { visibleDevice } from '../commands/send-command.ts';
import { EXPLANATIONS } from '../tables.ts';
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
 * the platform, and everyone with such devices can use them. Those of other users belong to their customer: those of
 * users with assigned sites to the site of the device, the others to all sites.
 */
export function baselinesService(db: Kysely<Database>) {
  return {
    async list(
      caller: Caller,
      deviceId: number,
      query: QueryOf<Endpoints['listParameterBaselines']>,
    ): Promise<ResultOf<Endpoints['listParameterBaselines']>> {
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
        const siteId = owner === null || caller.scope.sites === 'all' ? null : device.siteId;
        const baseline = {
          deviceModelId,
          customerId: owner,
          siteId,
          name,
          deviceName: device.name,
          createdBy: caller.userName,
        };
        const id = await explained(insertBaseline(trx, baseline, values), EXPLANATIONS);
        await log(
          trx,
          caller,
          'new',
          { id, name, customerId: owner, siteId },
          { after: { name, device: device.sn, values } },
        );
        return { id };
      });
    },

    async rename(caller: Caller, id: number, wanted: string): Promise<void> {
      const name = entered(wanted);
      await db.transaction().execute(async (trx) => {
        const baseline = await changeable(trx, caller, id);
        if (baseline.name === name) return;
        await explained(renameBaseline(trx, id, name), EXPLANATIONS);
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

/** Whether the caller may set the parameters of the model, and belongs to the owner of the baseline and sees its sites. */
function mayChange(caller: Caller, { customerId, siteId, writeLevel }: BaselineRecord): boolean {
  const theirs = caller.platformVendor || customerId === caller.customerId;
  const ofSite = customerId === null || mayChangeOfSite(caller.scope, siteId);
  return theirs && ofSite && !caller.readOnly && levelSuffices(caller.levels.params.write, writeLevel);
}

function rowOf(caller: Caller, baseline: BaselineRecord): WithDates<ParameterBaselineRow> {
  const { deviceModelId: _, customerId: __, siteId: ___, writeLevel: ____, createdAt, ...row } = baseline;
  const known = knowsOrigin(caller, baseline);
  return {
    ...row,
    ...(known ? {} : { deviceName: '', createdBy: '' }),
    ...{ createdAt, may: { change: mayChange(caller, baseline) } },
  };
}

/**
 * A baseline of the platform comes from a customer's device, and one for all sites from one of them. Other customers,
 * and users with other sites, see its values, but not which device it was.
 */
function knowsOrigin({ platformVendor, scope }: Caller, { customerId, siteId }: BaselineRecord): boolean {
  if (customerId === null) return platformVendor || scope.customers === 'all';
  return scope.sites === 'all' || siteId !== null;
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
  baseline: Pick<BaselineRecord, 'id' | 'name' | 'customerId' | 'siteId'>,
  change: Pick<ActionEntry, 'before' | 'after'>,
): Promise<void> {
  await logAction(trx, caller, {
    operation,
    objectType: 'parameterBaseline',
    objectId: String(baseline.id),
    objectName: baseline.name,
    customerId: baseline.customerId,
    siteId: baseline.siteId,
    ...change,
  });
}
