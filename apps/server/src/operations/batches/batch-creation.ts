import type { NewBatch, NewCommand } from '@chargehand/contract';
import {
  batchSpanMs,
  batchTimeoutMs,
  COMMAND_KINDS,
  type Command,
  DEFAULT_BATCH_PARALLEL,
  DEFAULT_QUEUE_MINUTES,
  transferOf,
} from '@chargehand/domain';
import type { Kysely, Transaction } from 'kysely';
import { logAction } from '../../audit/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import type { TransferDesk, TransferRefusal } from '../../ports/transfers.ts';
import {
  type CommandedDevice,
  devicesCharging,
  type findCommandedDevices,
  insertCommandRow,
  lockCommandsOfSite,
} from '../commands/commands.store.ts';
import { commandOf, type Waiting, waitingOf } from '../commands/control-rules.ts';
import { type ParameterView, viewParameters } from '../parameters/parameter-view.ts';
import {
  type BatchModel,
  batchLevels,
  type PlannedDevice,
  planBatch,
  requireBatchModel,
  resolvedFor,
} from './batch-plan.ts';
import { batchFacts, findBatch, insertBatch, insertBatchExecutions, type ListedBatch } from './batches.store.ts';

type SiteDevice = Awaited<ReturnType<typeof findCommandedDevices>>[number];
/** Devices of one site. */
export type SiteDevices = [SiteDevice, ...SiteDevice[]];

/** A batch that was created, with its devices. */
export interface CreatedBatch {
  id: number;
  planned: PlannedDevice[];
}

/**
 * Plans a batch for devices of one site, and locks the commands of the site until the end of the transaction.
 * @throws {Problem} what prevents the whole batch, except busy devices
 */
export async function planBatchIn(
  transaction: Transaction<Database>,
  caller: Caller,
  transfers: TransferDesk,
  { wanted, devices }: { wanted: NewBatch; devices: SiteDevices },
) {
  const entered = commandOf(commandIn(wanted));
  const models = await modelsOf(transaction, caller, devices, (device, view) =>
    requireBatchModel(caller, device, view, entered),
  );
  const settled = resolvedFor([...models.values()][0]!.view, entered);
  const timeout = batchTimeout(wanted, devices.length);
  await lockCommandsOfSite(transaction, devices[0].siteId);
  const { kind, params: inputs } = settled;
  const files =
    transferOf(kind) === null ? null : await transfers.plan(transaction, { deviceIds: wanted.deviceIds, kind, inputs });
  const command = { ...settled, params: files?.params ?? inputs };
  const refusals = files?.refusals ?? new Map();
  const plan = await planOf(transaction, devices, models, { command, transfers: refusals, waiting: timeout });
  return { command, models: [...models.values()], plan, timeout, files };
}

/** Stores a batch for devices of one site. @throws {Problem} what prevents the whole batch */
export async function createBatchIn(
  transaction: Transaction<Database>,
  caller: Caller,
  transfers: TransferDesk,
  { wanted, devices, rerunOf }: { wanted: NewBatch; devices: SiteDevices; rerunOf: number | null },
): Promise<CreatedBatch> {
  const { files, ...planned } = await planBatchIn(transaction, caller, transfers, { wanted, devices });
  requireFree(planned.plan, wanted.leaveOutBusy ?? false);
  const recorded = await record(transaction, caller, { wanted, rerunOf, ...planned });
  await files?.begin(
    planned.plan.filter(({ refused }) => refused === null),
    caller,
  );
  return recorded;
}

/** The command for each device, without the fields of the batch. */
function commandIn(wanted: NewBatch): NewCommand {
  const { deviceIds: _, parallel: __, stopAfter: ___, leaveOutBusy: ____, ...command } = wanted;
  return command;
}

/** The models of devices, each read once. */
export async function modelsOf<T>(
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
): Promise<CreatedBatch> {
  const { wanted, rerunOf, command, models, plan, timeout } = batch;
  const { kind, params, connector } = command;
  const { siteId, customerId } = models[0]!.device;
  const controlType = COMMAND_KINDS[kind];
  const { requestKey } = wanted;
  const request = requestKey === undefined ? null : { key: requestKey, part: `site ${siteId}` };
  const commandId = await insertCommandRow(transaction, { kind, params, controlType, requestedBy: caller, request });
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

/** Logs what was done with a batch. */
export function logBatch(transaction: Transaction<Database>, caller: Caller, batch: ListedBatch, after: object) {
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
