import type {
  BatchExecutionRow,
  BatchPreview,
  BatchRow,
  BodyOf,
  batchEndpoints,
  CommonControls,
  NewBatch,
  QueryOf,
  SiteBatches,
} from '@chargehand/contract';
import { type Command, type CommandKind, MAX_BATCH_SITES, transferOf } from '@chargehand/domain';
import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import { pageOf } from '../../platform/http/serve/list-queries.ts';
import type { Events } from '../../ports/events.ts';
import type { TransferDesk } from '../../ports/transfers.ts';
import { rowOf } from '../commands/commands.service.ts';
import { findCommandedDevices } from '../commands/commands.store.ts';
import { commonControls, commonItems } from '../commands/common-controls.ts';
import { batchesRequestedWith } from '../commands/requests.store.ts';
import {
  type CreatedBatch,
  createBatchIn,
  logBatch,
  modelsOf,
  planBatchIn,
  type SiteDevices,
} from './batch-creation.ts';
import type { PlannedDevice } from './batch-plan.ts';
import { mayReadValue, resultsOf, rowFor } from './batch-rows.ts';
import type { BatchRunner } from './batch-runner.ts';
import {
  commonConnectors,
  commonParameters,
  devicesToRetry,
  findBatch,
  groupBatches,
  type ListedBatch,
  listBatchExecutions,
  listBatches,
  stopBatch,
} from './batches.store.ts';

type Queries = typeof batchEndpoints;
export type BatchesService = ReturnType<typeof batchesService>;

/** Commands to several devices of one site. */
export function batchesService(parts: {
  db: Kysely<Database>;
  runner: BatchRunner;
  events: Events;
  transfers: TransferDesk;
}) {
  const { db, runner, events, transfers } = parts;

  /** Creates the batches of a request, all or none, and sends their first commands. The same key creates them once. */
  async function create(
    caller: Caller,
    wanted: NewBatch,
    prepare: (transaction: Transaction<Database>) => Promise<CreatedBatch[]>,
  ): Promise<BatchRow[]> {
    const created = await db.transaction().execute(async (transaction) => {
      const sent = await batchesRequestedWith(transaction, caller, wanted.requestKey);
      return sent.length > 0 ? sent.map(({ id }) => ({ id, planned: [] })) : await prepare(transaction);
    });
    const topics = transferOf(wanted.kind) === null ? [] : (['device.transfers'] as const);
    for (const { deviceId } of created.flatMap(({ planned }) => planned)) {
      events.publish(['device.executions', ...topics], { id: deviceId });
    }
    const batches: BatchRow[] = [];
    for (const { id } of created) {
      await runner.advance(id);
      batches.push(rowFor(caller, await visibleBatch(caller, id)));
    }
    return batches;
  }

  /** Creates a batch. @throws {Problem} what prevents the whole batch */
  async function createOne(caller: Caller, wanted: NewBatch, rerunOf: number | null): Promise<BatchRow> {
    const [batch] = await create(caller, wanted, async (transaction) => {
      const devices = await devicesOfOneSite(transaction, caller, wanted.deviceIds);
      return [await createBatchIn(transaction, caller, transfers, { wanted, devices, rerunOf })];
    });
    return batch!;
  }

  async function visibleBatch(caller: Caller, id: number): Promise<ListedBatch> {
    const batch = await findBatch(caller.scope, db, id);
    if (!batch) throw notFound('commandBatch');
    return batch;
  }

  return {
    create: (caller: Caller, wanted: NewBatch) => createOne(caller, wanted, null),

    /** Creates a batch for each site of the devices, all or none. @throws {Problem} what prevents one of them */
    async createForSites(caller: Caller, wanted: NewBatch): Promise<SiteBatches> {
      const batches = await create(caller, wanted, async (transaction) => {
        const created: CreatedBatch[] = [];
        for (const devices of await devicesBySite(transaction, caller, wanted.deviceIds)) {
          const own = { ...wanted, deviceIds: devices.map(({ id }) => id) };
          created.push(await createBatchIn(transaction, caller, transfers, { wanted: own, devices, rerunOf: null }));
        }
        if (created.length > 1)
          await groupBatches(
            transaction,
            created.map(({ id }) => id),
          );
        return created;
      });
      return { batches };
    },

    /** What `createForSites` would do: the sites, and the devices that would not get the command, with the reason. */
    async preview(caller: Caller, wanted: NewBatch): Promise<BatchPreview> {
      return await db.transaction().execute(async (transaction) => {
        const sites: BatchPreview['sites'] = [];
        for (const devices of await devicesBySite(transaction, caller, wanted.deviceIds)) {
          const own = { ...wanted, deviceIds: devices.map(({ id }) => id) };
          const { plan } = await planBatchIn(transaction, caller, transfers, { wanted: own, devices });
          const [{ siteId, siteName }] = devices;
          sites.push({ siteId, siteName, devices: devices.length, skipped: plan.flatMap(skippedOf) });
        }
        return { sites };
      });
    },

    /** The controls that several devices have in common. */
    async common(caller: Caller, deviceIds: readonly number[]): Promise<CommonControls> {
      const sites = await devicesBySite(db, caller, deviceIds);
      const devices = sites.flat();
      const models = [...(await modelsOf(db, caller, devices, (device, view) => ({ device, view }))).values()];
      const reported = await commonParameters(db, deviceIds);
      return {
        devices: devices.length,
        offline: devices.filter(({ connected }) => !connected).length,
        sites: sites.map((own) => ({ id: own[0].siteId, name: own[0].siteName, devices: own.length })),
        controls: commonControls(caller, models),
        parameters: commonItems(caller, models, reported),
        connectors: await commonConnectors(db, deviceIds),
      };
    },

    async list(caller: Caller, query: QueryOf<Queries['listBatches']>): Promise<{ items: BatchRow[]; total: number }> {
      const { siteId, groupId, kind, state } = query;
      const oldestFirst = query.sort === 'requestedAt';
      const filter = { siteId, groupId, kind, state };
      const { items, total } = await listBatches(caller.scope, db, filter, { ...pageOf(query), oldestFirst });
      return { items: items.map((batch) => rowFor(caller, batch)), total };
    },

    async read(caller: Caller, id: number): Promise<BatchRow> {
      return rowFor(caller, await visibleBatch(caller, id));
    },

    async executions(
      caller: Caller,
      id: number,
      query: QueryOf<Queries['listBatchExecutions']>,
    ): Promise<{ items: BatchExecutionRow[]; total: number }> {
      const batch = await visibleBatch(caller, id);
      const readable = mayReadValue(caller, batch);
      const { items, total } = await listBatchExecutions(caller.scope, db, id, {
        ...pageOf(query),
        results: resultsOf(query.results),
        descending: query.sort === '-sn',
      });
      return {
        items: items.map(({ deviceId, deviceName, sn, outcome, ...execution }) => ({
          ...rowOf(execution, readable, false),
          ...{ deviceId, deviceName, sn, outcome },
        })),
        total,
      };
    },

    /** Sends no more commands. Commands in progress continue. */
    async cancel(caller: Caller, id: number): Promise<BatchRow> {
      const batch = await visibleBatch(caller, id);
      await db.transaction().execute(async (transaction) => {
        if (!(await stopBatch(transaction, id, caller.userName))) throw new Problem('batchOver');
        await logBatch(transaction, caller, batch, { kind: batch.kind, cancelled: true });
      });
      // The batch runner cancels the rest, also after a restart.
      await runner.advance(id);
      return rowFor(caller, await visibleBatch(caller, id));
    },

    /** Sends the command again to the devices that did not execute it. */
    async rerun(caller: Caller, id: number, { requestKey }: BodyOf<Queries['rerunBatch']>): Promise<BatchRow> {
      const batch = await visibleBatch(caller, id);
      if (batch.endedAt === null) throw new Problem('batchRunning');
      const deviceIds = await devicesToRetry(caller.scope, db, id);
      if (deviceIds.length === 0) throw new Problem('batchNothingToRerun');
      const { key, value, param1, param2, ...params } = batch.params as Command['params'];
      const { firmwareId, transport, logType, from, to, start, startWithinMinutes } = params;
      const inputs = {
        ...{ key, value, param1, param2, firmwareId, transport, logType, from, to, startWithinMinutes },
        // The time of the first attempt has passed.
        start: start === 'at' ? 'whenIdle' : start,
      };
      const given = Object.entries(inputs).filter(([, input]) => input !== undefined);
      const wanted: NewBatch = {
        ...{ kind: batch.kind as CommandKind, deviceIds, parallel: batch.parallel, leaveOutBusy: true },
        ...Object.fromEntries(given),
        ...(requestKey !== undefined && { requestKey }),
        ...(batch.connector === 0 ? {} : { connector: batch.connector }),
        ...(batch.queueMinutes === null ? {} : { whenOffline: 'queue' as const, queueMinutes: batch.queueMinutes }),
        ...(batch.stopAfter === null ? {} : { stopAfter: batch.stopAfter }),
      };
      return createOne(caller, wanted, id);
    },
  };
}

/**
 * Devices in scope by site. Sites are in the order of their ids, because that is the order in which they are locked.
 * @throws {Problem} notFound, `batchTooManySites`
 */
async function devicesBySite(db: Kysely<Database>, caller: Caller, ids: readonly number[]): Promise<SiteDevices[]> {
  const devices = await findCommandedDevices(db, caller.scope, ids);
  if (devices.length === 0 || devices.length < ids.length) throw notFound('device');
  const bySite = new Map<number, SiteDevices>();
  for (const device of devices) {
    const others = bySite.get(device.siteId);
    if (others) others.push(device);
    else bySite.set(device.siteId, [device]);
  }
  if (bySite.size > MAX_BATCH_SITES) {
    const values = { sites: bySite.size, max: MAX_BATCH_SITES };
    throw new Problem('batchTooManySites', { field: 'deviceIds', values });
  }
  return [...bySite.entries()].sort(([one], [other]) => one - other).map(([, own]) => own);
}

/** Devices in scope, of one site. @throws {Problem} notFound, `batchSites` */
async function devicesOfOneSite(db: Kysely<Database>, caller: Caller, ids: readonly number[]): Promise<SiteDevices> {
  const [devices, ...others] = await devicesBySite(db, caller, ids);
  if (!devices || others.length > 0) throw new Problem('batchSites', { field: 'deviceIds' });
  return devices;
}

/** A device of a preview that would not get the command. */
function skippedOf({ device, refused }: PlannedDevice): BatchPreview['sites'][number]['skipped'] {
  return refused === null ? [] : [{ deviceId: device.id, name: device.name, sn: device.sn, reason: refused }];
}
