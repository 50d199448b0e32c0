import type {
  BatchExecutionRow,
  BatchRow,
  batchEndpoints,
  CommonControls,
  NewBatch,
  NewCommand,
  QueryOf,
} from '@chargehand/contract';
import {
  batchSpanMs,
  batchTimeoutMs,
  COMMAND_KINDS,
  type Command,
  type CommandKind,
  DEFAULT_BATCH_PARALLEL,
  DEFAULT_QUEUE_MINUTES,
  transferOf,
} from '@chargehand/domain';
import type { Kysely, Transaction } from 'kysely';
import { logAction } from '../../audit/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import { pageOf } from '../../platform/http/serve/list-queries.ts';
import type { Events } from '../../ports/events.ts';
import type { TransferDesk, TransferRefusal } from '../../ports/transfers.ts';
import { rowOf } from '../commands/commands.service.ts';
import {
  type CommandedDevice,
  devicesCharging,
  findCommandedDevices,
  insertCommandRow,
  lockCommandsOfSite,
} from '../commands/commands.store.ts';
import { commonControls, commonItems } from '../commands/common-controls.ts';
import { commandOf, type Waiting, waitingOf } from '../commands/control-rules.ts';
import { type ParameterView, viewParameters } from '../parameters/parameter-view.ts';
import {
  type BatchModel,
  batchLevels,
  type PlannedDevice,
  planBatch,
  requireBatchModel,
  settledFor,
} from './batch-plan.ts';
import { mayReadValue, resultsOf, rowFor } from './batch-rows.ts';
import type { BatchRunner } from './batch-runner.ts';
import {
  batchFacts,
  commonConnectors,
  commonParameters,
  devicesToAskAgain,
  findBatch,
  insertBatch,
  insertBatchExecutions,
  type ListedBatch,
  listBatchExecutions,
  listBatches,
  stopBatch,
} from './batches.store.ts';

type Queries = typeof batchEndpoints;
type SiteDevices = Awaited<ReturnType<typeof findCommandedDevices>>;
export type BatchesService = ReturnType<typeof batchesService>;

/** Commands to several devices of one site. */
export function batchesService(parts: {
  db: Kysely<Database>;
  runner: BatchRunner;
  events: Events;
  transfers: TransferDesk;
}) {
  const { db, runner, events, transfers } = parts;

  /** Creates a batch and sends its first commands. @throws {Problem} what prevents the whole batch */
  async function create(caller: Caller, wanted: NewBatch, rerunOf: number | null): Promise<BatchRow> {
    const { id, planned } = await db.transaction().execute(async (transaction) => {
      const devices = await devicesOfOneSite(transaction, caller, wanted.deviceIds);
      const [first] = devices;
      const entered = commandOf(commandIn(wanted));
      const models = await modelsOf(transaction, caller, devices, (device, view) =>
        requireBatchModel(caller, device, view, entered),
      );
      const settled = settledFor([...models.values()][0]!.view, entered);
      const timeout = batchTimeout(wanted, devices.length);
      await lockCommandsOfSite(transaction, first.siteId);
      const { kind, params: inputs } = settled;
      const files =
        transferOf(kind) === null
          ? null
          : await transfers.plan(transaction, { deviceIds: wanted.deviceIds, kind, inputs });
      const command = { ...settled, params: files?.params ?? inputs };
      const transferRefusals = files?.refusals ?? new Map();
      const plan = await planOf(transaction, devices, models, {
        command,
        transfers: transferRefusals,
        waiting: timeout,
      });
      requireFree(plan, wanted.leaveOutBusy ?? false);
      const batch = { wanted, rerunOf, command, models: [...models.values()], plan, timeout };
      const recorded = await record(transaction, caller, batch);
      await files?.begin(
        plan.filter(({ refused }) => refused === null),
        caller,
      );
      return recorded;
    });
    const topics = transferOf(wanted.kind) === null ? [] : (['device.transfers'] as const);
    for (const { deviceId } of planned) events.publish(['device.executions', ...topics], { id: deviceId });
    await runner.advance(id);
    return rowFor(caller, await visibleBatch(caller, id));
  }

  async function visibleBatch(caller: Caller, id: number): Promise<ListedBatch> {
    const batch = await findBatch(caller.scope, db, id);
    if (!batch) throw notFound('commandBatch');
    return batch;
  }

  return {
    create: (caller: Caller, wanted: NewBatch) => create(caller, wanted, null),

    /** The controls that several devices have in common. */
    async common(caller: Caller, deviceIds: readonly number[]): Promise<CommonControls> {
      const devices = await devicesOfOneSite(db, caller, deviceIds);
      const [first] = devices;
      const models = [...(await modelsOf(db, caller, devices, (device, view) => ({ device, view }))).values()];
      const reported = await commonParameters(db, deviceIds);
      return {
        devices: devices.length,
        offline: devices.filter(({ connected }) => !connected).length,
        siteId: first.siteId,
        siteName: first.siteName,
        controls: commonControls(caller, models),
        parameters: commonItems(caller, models, reported),
        connectors: await commonConnectors(db, deviceIds),
      };
    },

    async list(caller: Caller, query: QueryOf<Queries['listBatches']>): Promise<{ items: BatchRow[]; total: number }> {
      const { siteId, kind, state } = query;
      const oldestFirst = query.sort === 'requestedAt';
      const filter = { siteId, kind, state };
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
          ...rowOf(execution, readable),
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
    async rerun(caller: Caller, id: number): Promise<BatchRow> {
      const batch = await visibleBatch(caller, id);
      if (batch.endedAt === null) throw new Problem('batchRunning');
      const deviceIds = await devicesToAskAgain(caller.scope, db, id);
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
        ...(batch.connector === 0 ? {} : { connector: batch.connector }),
        ...(batch.queueMinutes === null ? {} : { whenOffline: 'queue' as const, queueMinutes: batch.queueMinutes }),
        ...(batch.stopAfter === null ? {} : { stopAfter: batch.stopAfter }),
      };
      return create(caller, wanted, id);
    },
  };
}

/** Devices in scope, of one site. @throws {Problem} notFound, `batchSites` */
async function devicesOfOneSite(
  db: Kysely<Database>,
  caller: Caller,
  ids: readonly number[],
): Promise<[SiteDevices[number], ...SiteDevices]> {
  const [first, ...rest] = await findCommandedDevices(db, caller.scope, ids);
  if (!first || rest.length + 1 < ids.length) throw notFound('device');
  if (rest.some(({ siteId }) => siteId !== first.siteId)) throw new Problem('batchSites', { field: 'deviceIds' });
  return [first, ...rest];
}

/** The command for each device, without the fields of the batch. */
function commandIn(wanted: NewBatch): NewCommand {
  const { deviceIds: _, parallel: __, stopAfter: ___, leaveOutBusy: ____, ...command } = wanted;
  return command;
}

/** The models of devices, each read once. */
async function modelsOf<T>(
  db: Kysely<Database>,
  caller: Caller,
  devices: readonly CommandedDevice[],
  look: (device: CommandedDevice, view: ParameterView) => T,
): Promise<Map<number, T>> {
  const models = new Map<number, T>();
  for (const device of devices) {
    if (models.has(device.deviceModelId)) continue;
    models.set(device.deviceModelId, look(device, await viewParameters(db, caller, device)));
  }
  return models;
}

/**
 * How long the commands of a batch may wait: at least as long as the batch can take.
 * @throws {Problem} `queueTooShort`
 */
function batchTimeout(wanted: NewBatch, devices: number): Waiting & { parallel: number; queueMinutes: number | null } {
  const parallel = wanted.parallel ?? DEFAULT_BATCH_PARALLEL;
  const waiting = waitingOf(commandIn(wanted));
  // Devices that are idle too late for their turn end without the upgrade: the caller chose the deadline.
  if (waiting.whenIdle) return { ...waiting, parallel, queueMinutes: null };
  const spanMs = batchSpanMs(wanted.kind, devices, parallel);
  const minutes = Math.ceil(spanMs / 60_000);
  const timeoutMs = batchTimeoutMs(wanted.kind, devices, parallel);
  if (!waiting.waits) return { ...waiting, parallel, timeoutMs, queueMinutes: null };
  const queueMinutes = wanted.queueMinutes ?? Math.max(DEFAULT_QUEUE_MINUTES, minutes);
  if (queueMinutes < minutes) throw new Problem('queueTooShort', { field: 'queueMinutes', values: { minutes } });
  return { ...waiting, parallel, timeoutMs: queueMinutes * 60_000, queueMinutes };
}

async function planOf(
  transaction: Transaction<Database>,
  devices: readonly CommandedDevice[],
  models: ReadonlyMap<number, BatchModel>,
  {
    command,
    transfers,
    waiting,
  }: { command: Command; transfers: ReadonlyMap<number, TransferRefusal>; waiting: Waiting },
): Promise<PlannedDevice[]> {
  const ids = devices.map(({ id }) => id);
  const { connector } = command;
  const facts = await batchFacts(transaction, ids, { connector, key: command.params.key });
  const guarded = [...models.values()].some(({ control }) => control !== 'standard' && control.precondition !== null);
  const charging = guarded ? await devicesCharging(transaction, ids, connector) : new Set<number>();
  return planBatch(devices, models, command, { facts, charging, transfers, waiting });
}

/** Busy devices prevent the batch unless the caller skips them. @throws {Problem} deviceBusy, `someDevicesBusy` */
function requireFree(plan: readonly PlannedDevice[], leaveOut: boolean): void {
  const busy = plan.filter(({ refused }) => refused === 'deviceBusy').length;
  if (busy === 0 || leaveOut) return;
  if (plan.length === 1) throw new Problem('deviceBusy');
  throw new Problem('someDevicesBusy', { values: { busy, total: plan.length } });
}

async function record(
  transaction: Transaction<Database>,
  caller: Caller,
  batch: {
    wanted: NewBatch;
    rerunOf: number | null;
    command: Command;
    models: readonly BatchModel[];
    plan: PlannedDevice[];
    timeout: ReturnType<typeof batchTimeout>;
  },
): Promise<{ id: number; planned: PlannedDevice[] }> {
  const { wanted, rerunOf, command, models, plan, timeout } = batch;
  const { kind, params, connector } = command;
  const { siteId, customerId } = models[0]!.device;
  const controlType = COMMAND_KINDS[kind];
  const commandId = await insertCommandRow(transaction, { kind, params, controlType, requestedBy: caller });
  const { parallel, queueMinutes } = timeout;
  const stopAfter = wanted.stopAfter ?? null;
  const levels = batchLevels(models, command);
  const id = await insertBatch(transaction, {
    ...{ commandId, siteId, customerId, connector, parallel, stopAfter, queueMinutes, rerunOf, ...levels },
  });
  const file = transferOf(kind) === null ? null : ('underWay' as const);
  await insertBatchExecutions(transaction, { batchId: id, commandId, connector, file, ...timeout }, plan);
  const listed = await findBatch(caller.scope, transaction, id);
  if (!listed) throw notFound('commandBatch');
  await logBatch(transaction, caller, listed, {
    ...{ kind, ...(connector === 0 ? {} : { connector }), ...params, devices: plan.length },
    ...(rerunOf === null ? {} : { rerunOf }),
  });
  return { id, planned: plan };
}

function logBatch(transaction: Transaction<Database>, caller: Caller, batch: ListedBatch, after: object) {
  return logAction(transaction, caller, {
    operation: 'control',
    objectType: 'commandBatch',
    objectId: String(batch.id),
    objectName: batch.siteName,
    customerId: batch.customerId,
    siteId: batch.siteId,
    after,
  });
}
