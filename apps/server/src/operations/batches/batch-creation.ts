import type { NewBatch, NewCommand } from '@chargehand/contract';
import {
  batchSpanMs,
  batchTimeoutMs,
  COMMAND_KINDS,
  type Command,
  DEFAULT_BATCH_PARALLEL,
  DEFAULT_QUEUE_MINUTES,
  type Level,
  MAX_BATCH_SITES,
  transferOf,
} from '@chargehand/domain';
import type { Kysely, Transaction } from 'kysely';
import { logAction } from '../../audit/index.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import type { TransferCalls } from '../../ports/transfers.ts';
import {
  type CommandedDevice,
  findCommandedDevices,
  insertCommandRow,
  lockCommandsOfSite,
} from '../commands/commands.store.ts';
import { levelsFor, type Waiting, waitingOf } from '../commands/control-rules.ts';
import { type CommandPlan, type PlannedDevice, type PlannedModel, planCommand } from '../plan/plan.service.ts';
import { insertBatch, insertBatchExecutions } from './batches.store.ts';

/** Devices of one site. */
export type SiteDevices = [CommandedDevice, ...CommandedDevice[]];

/** An operation that was created, with its batches and devices. */
export interface CreatedOperation {
  id: number;
  batchIds: number[];
  plan: CommandPlan;
}

/**
 * Plans a command for devices; with `locked`, nobody adds commands at their sites until the end of the transaction.
 * @throws {Problem} what prevents the whole command
 */
export async function planOperationIn(
  transaction: Transaction<Database>,
  caller: Caller,
  transfers: TransferCalls,
  { wanted, locked }: { wanted: NewBatch; locked: boolean },
): Promise<{ sites: SiteDevices[]; plan: CommandPlan }> {
  const sites = await devicesBySite(transaction, caller, wanted.deviceIds);
  if (locked) for (const [{ siteId }] of sites) await lockCommandsOfSite(transaction, siteId);
  const devices = sites.flat() as SiteDevices;
  const command = commandIn(wanted);
  const plan = await planCommand(transaction, caller, transfers, {
    ...{ wanted: command, devices, waiting: waitingOf(command), batch: true },
  });
  return { sites, plan };
}

/**
 * Stores an operation: a batch for each site, all or none.
 * @param given `onPlan`: called with the plan, also when it prevents the operation
 * @throws {Problem} what prevents the whole operation
 */
export async function createOperationIn(
  transaction: Transaction<Database>,
  caller: Caller,
  transfers: TransferCalls,
  given: { wanted: NewBatch; rerunOf: ReadonlyMap<number, number>; onPlan(plan: CommandPlan): void },
): Promise<CreatedOperation> {
  const { wanted, rerunOf, onPlan } = given;
  const { sites, plan } = await planOperationIn(transaction, caller, transfers, { wanted, locked: true });
  onPlan(plan);
  if (!wanted.leaveOut) requireAble(plan.devices);
  const batchIds: number[] = [];
  for (const own of sites) {
    const [{ siteId }] = own;
    const devices = plan.devices.filter(({ device }) => device.siteId === siteId);
    const batch = { wanted, operationId: batchIds[0] ?? null, rerunOf: rerunOf.get(siteId) ?? null };
    batchIds.push(await record(transaction, caller, { ...batch, plan: { ...plan, devices } }));
  }
  await plan.files?.begin(
    plan.devices.filter(({ refused }) => refused === null),
    caller,
  );
  return { id: batchIds[0]!, batchIds, plan };
}

/** The command for each device, without the fields of the batch. */
function commandIn(wanted: NewBatch): NewCommand {
  const { deviceIds: _, parallel: __, stopAfter: ___, leaveOut: ____, ...command } = wanted;
  return command;
}

/**
 * Devices in scope by site. Sites are in the order of their ids, because that is the order in which they are locked.
 * @throws {Problem} notFound, `batchTooManySites`
 */
export async function devicesBySite(
  db: Kysely<Database>,
  caller: Caller,
  ids: readonly number[],
): Promise<SiteDevices[]> {
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

/**
 * Devices that are busy, or whose model cannot take the command, prevent the operation unless the caller leaves them out.
 * @throws {Problem} the reason; `someDevicesBusy`
 */
function requireAble(devices: readonly PlannedDevice[]): void {
  for (const { refused, device } of devices) {
    if (refused === 'noPermission' || refused === 'controlNotOffered' || refused === 'batchIncapable')
      throw new Problem(refused, { field: 'kind', values: { model: device.modelName } });
  }
  const busy = devices.filter(({ refused }) => refused === 'deviceBusy').length;
  if (busy === 0) return;
  if (devices.length === 1) throw new Problem('deviceBusy');
  throw new Problem('someDevicesBusy', { values: { busy, total: devices.length } });
}

async function record(
  transaction: Transaction<Database>,
  caller: Caller,
  batch: { wanted: NewBatch; operationId: number | null; rerunOf: number | null; plan: CommandPlan },
): Promise<number> {
  const { wanted, operationId, rerunOf, plan } = batch;
  const { kind, params, connector } = plan.command;
  const [{ device }] = plan.devices as [PlannedDevice];
  const { siteId, customerId } = device;
  const timeout = batchTimeout(wanted, plan.devices.length);
  const controlType = COMMAND_KINDS[kind];
  const { requestKey } = wanted;
  const request = requestKey === undefined ? null : { key: requestKey, part: `site ${siteId}` };
  const commandId = await insertCommandRow(transaction, { kind, params, controlType, requestedBy: caller, request });
  const { parallel, queueMinutes } = timeout;
  const stopAfter = wanted.stopAfter ?? null;
  const levels = batchLevels(plan.models, plan.command);
  const id = await insertBatch(transaction, {
    ...{ commandId, operationId, siteId, customerId, connector, parallel, stopAfter, queueMinutes, rerunOf, ...levels },
  });
  const file = transferOf(kind) === null ? null : ('underWay' as const);
  await insertBatchExecutions(transaction, { batchId: id, commandId, connector, file, ...timeout }, plan.devices);
  await logBatch(
    transaction,
    caller,
    { id, siteId, siteName: device.siteName, customerId },
    {
      ...{ kind, ...(connector === 0 ? {} : { connector }), ...params, devices: plan.devices.length },
      ...(rerunOf === null ? {} : { rerunOf }),
    },
  );
  return id;
}

/** The levels that are stored with a batch for reading and cancelling it later: the strictest of its models. */
function batchLevels(models: readonly PlannedModel[], command: Command): { level: Level; valueLevel: Level } {
  const { key } = command.params;
  const levels = models.map(({ device, view, control }) => {
    const item = key === undefined ? undefined : view.describe(key)?.item;
    const required = levelsFor(device, command.kind, control).map(({ level }) => level);
    return {
      // The first required level is for reading devices, and every caller has it.
      level: command.kind === 'setParameter' && item ? [item.writeLevel] : required.slice(1),
      valueLevel: [item?.readLevel ?? device.parameterReadLevel],
    };
  });
  return {
    level: Math.min(...levels.flatMap(({ level }) => level)) as Level,
    valueLevel: Math.min(...levels.flatMap(({ valueLevel }) => valueLevel)) as Level,
  };
}

/** Logs what was done with a batch. */
export function logBatch(
  transaction: Transaction<Database>,
  caller: Caller,
  batch: { id: number; siteId: number; siteName: string; customerId: number },
  after: object,
) {
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
