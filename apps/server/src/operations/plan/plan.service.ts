import { randomUUID } from 'node:crypto';
import type { NewCommand } from '@chargehand/contract';
import {
  COMMAND_RULES,
  type Command,
  type DevicePlan,
  type ModelOffer,
  type Precondition,
  planDevice,
  plannedRefusal,
  type Refused,
  settingOf,
  transferOf,
} from '@chargehand/domain';
import type { Transaction } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { PlannedTransfers, TransferCalls } from '../../ports/transfers.ts';
import { type CommandedDevice, devicesCharging } from '../commands/commands.store.ts';
import {
  type Control,
  commandOf,
  preconditionNow,
  preconditionOf,
  requireControl,
  requireNamedParams,
  type Waiting,
} from '../commands/control-rules.ts';
import { type ParameterView, viewParameters } from '../parameters/parameter-view.ts';
import { storedFacts } from './plan.store.ts';

/** A model of the devices: one of its devices, its description for the caller, and the control. */
export interface PlannedModel {
  device: CommandedDevice;
  view: ParameterView;
  control: Control;
}

/** A device of a plan: what the command does on it, and the execution that it gets. */
export interface PlannedDevice extends DevicePlan {
  executionId: string;
  deviceId: number;
  device: CommandedDevice;
  /** why it gets no command */
  refused: Refused | null;
  precondition: Precondition | null;
  /** the value of the parameter that the command sets, as last reported; undefined if the caller may not read it */
  value?: string | null;
}

/** A command with what it does on each device. */
export interface CommandPlan {
  /** in the form that the model and the file require */
  command: Command;
  /** the models that can take it */
  models: PlannedModel[];
  devices: PlannedDevice[];
  /** null if it transfers no file */
  files: PlannedTransfers | null;
}

interface Request {
  wanted: NewCommand;
  devices: readonly [CommandedDevice, ...CommandedDevice[]];
  waiting: Waiting;
  /** to several devices: the model must allow it */
  batch: boolean;
  /** how many commands of the same request wait before it */
  ahead?: number;
}

/**
 * Plans a command for devices, one or many: in the transaction that records it, or that only shows the plan. The caller
 * holds the lock of their commands.
 * @throws {Problem} what prevents the command for every device: its inputs, or what no model allows
 */
export async function planCommand(
  transaction: Transaction<Database>,
  caller: Caller,
  transfers: TransferCalls,
  { wanted, devices, waiting, batch, ahead = 0 }: Request,
): Promise<CommandPlan> {
  const entered = commandOf(wanted);
  if (batch && !COMMAND_RULES[entered.kind].batch) throw new Problem('notForBatches', { field: 'kind' });
  const models = await modelsOf(transaction, caller, devices, (device, view) =>
    offerOf(caller, device, view, { command: entered, batch }),
  );
  const able = [...models.values()].filter((model): model is PlannedModel => !('problem' in model));
  if (able.length === 0) throw [...models.values()].find((model) => 'problem' in model)!.problem;
  const ids = devices.map(({ id }) => id);
  const { connector } = entered;
  const facts = await storedFacts(transaction, ids, { connector, key: entered.params.key });
  const [only, ...others] = devices;
  const stored = others.length === 0 ? (facts.get(only.id)?.parameter ?? null) : null;
  const settled = settingFor(able, entered, stored?.key ?? null);
  const file = { deviceIds: ids, kind: settled.kind, inputs: settled.params };
  const files = transferOf(settled.kind) === null ? null : await transfers.plan(transaction, file);
  const command = { ...settled, params: files?.params ?? settled.params };
  const guarded = able.some(({ control }) => preconditionOf(control) !== null);
  const charging = guarded ? await devicesCharging(transaction, ids, connector) : new Set<number>();
  const { key } = command.params;
  const plans = devices.map((device): PlannedDevice => {
    const model = models.get(device.deviceModelId)!;
    const known = facts.get(device.id)!;
    const takes = 'problem' in model ? null : model;
    const precondition = takes && preconditionOf(takes.control);
    const plan = planDevice(command, {
      ...known,
      ...{
        enabled: device.enabled,
        connected: device.connected,
        maintenance: device.maintenance,
        waits: waiting.waits,
      },
      offer: 'problem' in model ? model.offer : 'offered',
      described: (key !== undefined && takes?.view.describe(key)) || null,
      precondition: preconditionNow(precondition, waiting),
      session: charging.has(device.id),
      transfer: files?.refusals.get(device.id) ?? null,
      ahead,
    });
    const shown = key !== undefined && takes?.view.mayRead(key) && !takes.view.isSecret(key);
    return {
      ...{ ...plan, executionId: randomUUID(), deviceId: device.id, device },
      ...{ refused: plannedRefusal(plan), precondition },
      ...(shown && { value: known.parameter?.value ?? null }),
    };
  });
  return { command, models: able, devices: plans, files };
}

/** The models of devices, each read once. */
export async function modelsOf<T>(
  db: Parameters<typeof viewParameters>[0],
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

type Unable = { offer: Exclude<ModelOffer, 'offered'>; problem: Problem };

/** The control of a model for a command, or why the model cannot take it. @throws {Problem} an invalid input */
function offerOf(
  caller: Caller,
  device: CommandedDevice,
  view: ParameterView,
  { command, batch }: { command: Command; batch: boolean },
): PlannedModel | Unable {
  const { key } = command.params;
  let control: Control;
  try {
    control = requireControl(caller, device, view, { kind: command.kind, ...(key === undefined ? {} : { key }) });
  } catch (problem) {
    if (!(problem instanceof Problem) || (problem.code !== 'noPermission' && problem.code !== 'controlNotOffered'))
      throw problem;
    return { offer: problem.code, problem };
  }
  requireNamedParams(command, control);
  const item = key === undefined ? null : view.describe(key);
  const single = batch && command.kind === 'setParameter' && view.description.version > 0;
  if (single && !(item?.kind === 'parameter' && item.item.batch)) {
    const problem = new Problem('batchIncapable', { field: 'kind', values: { model: device.modelName } });
    return { offer: 'batchIncapable', problem };
  }
  return { device, view, control };
}

/**
 * A command in the form that the models require: the key as the device or the model spells it, and the value in the
 * notation of the item.
 * @throws {Problem} the invalid input
 */
function settingFor(models: readonly PlannedModel[], command: Command, spelled: string | null): Command {
  const { key, value } = command.params;
  if (command.kind !== 'setParameter' || key === undefined || value === undefined) return command;
  const [settled] = models.map(({ view }) => {
    const described = view.describe(key);
    const setting = settingOf([], described, spelled ?? described?.item.key ?? key, value);
    if (setting.problem === null) return { ...command, params: { key: setting.key, value: setting.value } };
    const { fault, values } = setting.problem;
    throw new Problem(fault, { field: fault.startsWith('parameter') ? 'key' : 'value', values });
  });
  return settled!;
}
