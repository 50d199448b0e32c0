import type {
  BatchDetail,
  BatchExecutionRow,
  BatchFailure,
  BatchPreview,
  BatchRow,
  BodyOf,
  batchEndpoints,
  CommonControls,
  NewBatch,
  QueryOf,
  WithDates,
} from '@chargehand/contract';
import { type Command, type CommandKind, transferOf } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import { pageOf } from '../../platform/http/serve/list-queries.ts';
import type { Events } from '../../ports/events.ts';
import type { TransferCalls } from '../../ports/transfers.ts';
import { commonControls, settableItems } from '../commands/common-controls.ts';
import { rowOf } from '../commands/execution-rows.ts';
import { batchRequestedWith } from '../commands/requests.store.ts';
import type { CommandSender } from '../commands/send-command.ts';
import { type CommandPlan, modelsOf } from '../plan/plan.service.ts';
import { reportedValues } from '../plan/plan.store.ts';
import { noteSeen } from './announcements.store.ts';
import { createOperationIn, devicesBySite, logBatch, planOperationIn } from './batch-creation.ts';
import { mayReadValue, rowFor } from './batch-rows.ts';
import type { BatchRunner } from './batch-runner.ts';
import { commonConnectors, reportedKeys } from './batches.store.ts';
import {
  devicesOfBatches,
  devicesToRetry,
  failuresOf,
  findOperation,
  listBatchExecutions,
  listOperations,
  type StoredOperation,
  stopBatches,
} from './shown-batches.store.ts';

type Queries = typeof batchEndpoints;
export type BatchesService = ReturnType<typeof batchesService>;

/** Commands to several devices: one operation, with a batch for each site. */
export function batchesService(parts: {
  db: Kysely<Database>;
  runner: BatchRunner;
  events: Events;
  transfers: TransferCalls;
  sender: Pick<CommandSender, 'requestStatus'>;
}) {
  const { db, runner, events, transfers, sender } = parts;

  /**
   * Creates an operation, all of its batches or none, and sends its first commands. The same key creates it once.
   * @throws {Problem} what prevents the whole operation
   */
  async function create(
    caller: Caller,
    wanted: NewBatch,
    rerunOf: ReadonlyMap<number, number> = new Map(),
  ): Promise<WithDates<BatchRow>> {
    let busy: number[] = [];
    const onPlan = ({ files }: CommandPlan) => {
      busy = [...(files?.refusals ?? [])].flatMap(([deviceId, refusal]) => (refusal === 'deviceBusy' ? deviceId : []));
    };
    const creation = db.transaction().execute(async (transaction) => {
      const sent = await batchRequestedWith(transaction, caller, wanted.requestKey);
      return sent ?? (await createOperationIn(transaction, caller, transfers, { wanted, rerunOf, onPlan }));
    });
    const created = await creation.finally(() => sender.requestStatus(busy, wanted.kind));
    if (typeof created === 'number') return rowFor(caller, await visible(caller, created));
    const { id, batchIds, plan } = created;
    const topics = transferOf(wanted.kind) === null ? [] : (['device.transfers'] as const);
    for (const { deviceId } of plan.devices) events.publish(['device.executions', ...topics], { id: deviceId });
    for (const batchId of batchIds) await runner.advance(batchId);
    return rowFor(caller, await visible(caller, id));
  }

  async function visible(caller: Caller, id: number): Promise<StoredOperation> {
    const operation = await findOperation(caller.scope, db, id);
    if (!operation) throw notFound('commandBatch');
    return operation;
  }

  /**
   * What devices have now of what a command sets, as last reported: the parameter, or the version. Null if it sets
   * nothing.
   */
  async function valuesNow(
    { kind, params }: { kind: CommandKind; params: Command['params'] },
    deviceIds: readonly number[],
  ): Promise<ReadonlyMap<number, string | null> | null> {
    if (kind === 'setParameter' && params.key !== undefined) return await reportedValues(db, deviceIds, params.key);
    return kind === 'upgradeSoftware' || kind === 'updatePlcFirmware'
      ? await transfers.versionsOf(deviceIds, kind)
      : null;
  }

  /** The same for the devices of an operation, if the caller may read it. */
  async function shownValues(caller: Caller, operation: StoredOperation, deviceIds: readonly number[]) {
    const [{ kind, params }] = operation.batches;
    if (kind === 'setParameter' && !mayReadValue(caller, operation)) return null;
    return await valuesNow({ kind: kind as CommandKind, params: params as Command['params'] }, deviceIds);
  }

  return {
    create: (caller: Caller, wanted: NewBatch) => create(caller, wanted),

    /** What `create` would do on each device. Sends nothing. */
    async preview(caller: Caller, wanted: NewBatch): Promise<BatchPreview> {
      const { sites, plan } = await db
        .transaction()
        .execute((transaction) => planOperationIn(transaction, caller, transfers, { wanted, locked: false }));
      const { kind, params } = plan.command;
      const versions = kind === 'setParameter' ? null : await valuesNow(plan.command, wanted.deviceIds);
      return {
        sites: sites.map((own) => ({
          ...{ siteId: own[0].siteId, siteName: own[0].siteName },
          devices: plan.devices
            .filter(({ device }) => device.siteId === own[0].siteId)
            .map(({ device: { id, name, sn }, effect, reason, value = null }) => ({
              ...{ deviceId: id, name, sn, effect, reason },
              value: versions ? (versions.get(id) ?? null) : value,
            })),
        })),
        value: kind === 'setParameter' ? (params.value ?? null) : ((params as { version?: string }).version ?? null),
      };
    },

    /** The controls that several devices have in common, and the parameters of all or some of them. */
    async common(caller: Caller, deviceIds: readonly number[]): Promise<CommonControls> {
      const sites = await devicesBySite(db, caller, deviceIds);
      const devices = sites.flat();
      const models = [...(await modelsOf(db, caller, devices, (device, view) => ({ device, view }))).values()];
      const sizes = Map.groupBy(devices, ({ deviceModelId }) => deviceModelId);
      const counted = models.map((one) => ({ ...one, devices: sizes.get(one.device.deviceModelId)?.length ?? 0 }));
      const reported = await reportedKeys(db, deviceIds);
      return {
        devices: devices.length,
        offline: devices.filter(({ connected }) => !connected).length,
        sites: sites.map((own) => ({ id: own[0].siteId, name: own[0].siteName, devices: own.length })),
        controls: commonControls(caller, models),
        parameters: settableItems(caller, counted, reported),
        connectors: await commonConnectors(db, deviceIds),
      };
    },

    async list(
      caller: Caller,
      query: QueryOf<Queries['listBatches']>,
    ): Promise<{ items: WithDates<BatchRow>[]; total: number }> {
      const { siteId, kind, state } = query;
      const oldestFirst = query.sort === 'requestedAt';
      const { items, total } = await listOperations(
        ...([caller.scope, db, { siteId, kind, state }, { ...pageOf(query), oldestFirst }] as const),
      );
      return { items: items.map((operation) => rowFor(caller, operation)), total };
    },

    async read(caller: Caller, id: number): Promise<WithDates<BatchDetail>> {
      const operation = await visible(caller, id);
      const row = rowFor(caller, operation);
      if (row.endedAt !== null && operation.batches[0].requestedById === caller.userId)
        await noteSeen(db, operation.id);
      const batchIds = batchIdsOf(operation);
      const places = await devicesOfBatches(caller.scope, db, batchIds);
      const values = await shownValues(
        caller,
        operation,
        places.map(({ deviceId }) => deviceId),
      );
      const failures = (await failuresOf(db, batchIds)) as BatchFailure[];
      return { ...row, failures, values: values && countValues(places, values) };
    },

    async executions(
      caller: Caller,
      id: number,
      query: QueryOf<Queries['listBatchExecutions']>,
    ): Promise<{ items: WithDates<BatchExecutionRow>[]; total: number }> {
      const operation = await visible(caller, id);
      const readable = mayReadValue(caller, operation);
      const { items, total } = await listBatchExecutions(caller.scope, db, batchIdsOf(operation, query.siteId), {
        ...pageOf(query),
        state: query.state ?? null,
        descending: query.sort === '-sn',
      });
      const values = await shownValues(
        caller,
        operation,
        items.flatMap(({ deviceId }) => deviceId ?? []),
      );
      return {
        items: items.map(({ deviceId, deviceName, sn, siteName, outcome, logId, ...execution }) => ({
          ...rowOf(execution, readable, false),
          ...{ deviceId, deviceName, sn, siteName, outcome, logId: deviceId === null ? null : logId },
          value: (deviceId !== null && values?.get(deviceId)) || null,
        })),
        total,
      };
    },

    /** Sends no more commands to the devices in the caller's scope. Commands in progress continue. */
    async cancel(caller: Caller, id: number): Promise<WithDates<BatchRow>> {
      const operation = await visible(caller, id);
      const stopped = await db.transaction().execute(async (transaction) => {
        const ids = await stopBatches(transaction, batchIdsOf(operation), caller.userName);
        if (ids.length === 0) throw new Problem('batchOver');
        for (const batch of operation.batches) {
          if (!ids.includes(batch.id)) continue;
          await logBatch(transaction, caller, batch, { kind: batch.kind, cancelled: true });
        }
        return ids;
      });
      // The batch runner cancels the rest, also after a restart.
      for (const batchId of stopped) await runner.advance(batchId);
      return rowFor(caller, await visible(caller, id));
    },

    /** Sends the command again to the devices that did not execute it, all or those with one reason. */
    async rerun(caller: Caller, id: number, body: BodyOf<Queries['rerunBatch']>): Promise<WithDates<BatchRow>> {
      const { requestKey, ...failure } = body;
      const operation = await visible(caller, id);
      const [batch] = operation.batches;
      if (operation.batches.some(({ endedAt }) => endedAt === null)) throw new Problem('batchRunning');
      const deviceIds = await devicesToRetry(caller.scope, db, batchIdsOf(operation), failure);
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
        ...{ kind: batch.kind as CommandKind, deviceIds, parallel: batch.parallel, leaveOut: true },
        ...Object.fromEntries(given),
        ...(requestKey !== undefined && { requestKey }),
        ...(batch.connector === 0 ? {} : { connector: batch.connector }),
        ...(batch.queueMinutes === null ? {} : { whenOffline: 'queue' as const, queueMinutes: batch.queueMinutes }),
        ...(batch.stopAfter === null ? {} : { stopAfter: batch.stopAfter }),
      };
      return create(caller, wanted, new Map(operation.batches.map(({ siteId, id: batchId }) => [siteId, batchId])));
    },
  };
}

/** The batches of an operation, all or those of one site. -1 matches none: a site outside of the operation. */
function batchIdsOf({ batches }: StoredOperation, siteId?: number): number[] {
  const own = siteId === undefined ? batches : batches.filter((batch) => batch.siteId === siteId);
  return own.length === 0 ? [-1] : own.map(({ id }) => id);
}

/** How many devices of each site have which value. */
function countValues(
  places: readonly { deviceId: number; siteId: number }[],
  values: ReadonlyMap<number, string | null>,
): NonNullable<BatchDetail['values']> {
  const counted = new Map<string, NonNullable<BatchDetail['values']>[number]>();
  for (const { deviceId, siteId } of places) {
    const value = values.get(deviceId) ?? null;
    const name = JSON.stringify([siteId, value]);
    const found = counted.get(name);
    if (found) found.devices += 1;
    else counted.set(name, { siteId, value, devices: 1 });
  }
  return [...counted.values()].sort((one, other) => other.devices - one.devices);
}
