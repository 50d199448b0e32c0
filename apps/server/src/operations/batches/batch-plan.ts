import { randomUUID } from 'node:crypto';
import {
  COMMAND_RULES,
  type Command,
  conflicts,
  type Level,
  MAX_WAITING_COMMANDS,
  type Refused,
  settingOf,
  unmetPrecondition,
} from '@chargehand/domain';
import type { Caller } from '../../platform/http/caller.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { TransferRefusal } from '../../ports/transfers.ts';
import type { CommandedDevice } from '../commands/commands.store.ts';
import {
  type Control,
  levelsFor,
  preconditionNow,
  preconditionOf,
  requireControl,
  requireNamedParams,
  type Waiting,
} from '../commands/control-rules.ts';
import type { ParameterView } from '../parameters/parameter-view.ts';
import type { BatchFacts, NewBatchExecution } from './batches.store.ts';

/** A model of the devices of a batch: one of its devices, its description for the caller, and the control. */
export interface BatchModel {
  device: CommandedDevice;
  view: ParameterView;
  control: Control;
}

/**
 * Checks a command against a model: the level of the caller, whether it allows batches, and its parameters.
 * @throws {Problem} noPermission, controlNotOffered, batchIncapable, or an input problem
 */
export function requireBatchModel(
  caller: Caller,
  device: CommandedDevice,
  view: ParameterView,
  command: Command,
): BatchModel {
  if (!COMMAND_RULES[command.kind].batch) throw new Problem('notForBatches', { field: 'kind' });
  const { key } = command.params;
  const control = requireControl(caller, device, view, { kind: command.kind, ...(key === undefined ? {} : { key }) });
  requireNamedParams(command, control);
  const item = key === undefined ? null : view.describe(key);
  const lacks =
    command.kind === 'setParameter' && view.description.version > 0 && !(item?.kind === 'parameter' && item.item.batch);
  resolvedFor(view, command);
  if (lacks) throw new Problem('batchIncapable', { field: 'kind', values: { model: device.modelName } });
  return { device, view, control };
}

/**
 * A command in the form that the model requires: a parameter value in the notation of its item.
 * @throws {Problem} the input problem
 */
export function resolvedFor(view: ParameterView, command: Command): Command {
  const { key, value } = command.params;
  if (command.kind !== 'setParameter' || key === undefined || value === undefined) return command;
  const described = view.describe(key);
  const setting = settingOf([], described, described?.item.key ?? key, value);
  if (setting.problem === null) return { ...command, params: { key: setting.key, value: setting.value } };
  const { fault, values } = setting.problem;
  throw new Problem(fault, { field: fault.startsWith('parameter') ? 'key' : 'value', values });
}

/** The levels that are stored with a batch for reading and cancelling it later: the strictest of its models. */
export function batchLevels(models: readonly BatchModel[], command: Command): { level: Level; valueLevel: Level } {
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

/** A device of a batch, and the reason why it is not queued. */
export interface PlannedDevice extends NewBatchExecution {
  device: CommandedDevice;
}

/**
 * The first state of each device of a batch: queued, or ended with a known reason. A device that already has the value
 * does not count as a failure.
 */
export function planBatch(
  devices: readonly CommandedDevice[],
  models: ReadonlyMap<number, BatchModel>,
  command: Command,
  known: {
    facts: ReadonlyMap<number, BatchFacts>;
    charging: ReadonlySet<number>;
    /** the devices that cannot begin a transfer */
    transfers: ReadonlyMap<number, TransferRefusal>;
    waiting: Waiting;
  },
): PlannedDevice[] {
  return devices.map((device) => {
    const model = models.get(device.deviceModelId);
    const precondition = model ? preconditionOf(model.control) : null;
    const facts = known.facts.get(device.id);
    const transfer = known.transfers.get(device.id) ?? null;
    const refused = facts
      ? refusalOf(device, command, { ...facts, session: known.charging.has(device.id), transfer }, model, known.waiting)
      : null;
    return { executionId: randomUUID(), deviceId: device.id, device, refused, precondition };
  });
}

function refusalOf(
  device: CommandedDevice,
  command: Command,
  facts: BatchFacts & { session: boolean; transfer: TransferRefusal | null },
  model: BatchModel | undefined,
  waits: Waiting,
): Refused | null {
  const { waiting, session, transfer } = facts;
  if (!device.enabled) return 'deviceDisabled';
  if (!facts.hasConnector) return 'connectorUnknown';
  const unsettable = model ? settingRefusal(command, facts, model.view) : null;
  if (unsettable) return unsettable;
  const precondition = model ? preconditionNow(preconditionOf(model.control), waits) : null;
  const unmet = unmetPrecondition(precondition, { session, maintenance: device.maintenance });
  if (unmet ?? transfer) return unmet ?? transfer;
  return waiting.length >= MAX_WAITING_COMMANDS || waiting.some((one) => conflicts(one, command)) ? 'deviceBusy' : null;
}

/**
 * Why a parameter of a device is not set, according to its last report. A setting without a response leaves the value
 * unknown.
 */
function settingRefusal(command: Command, { reported, parameter }: BatchFacts, view: ParameterView): Refused | null {
  const { key, value } = command.params;
  if (command.kind !== 'setParameter' || key === undefined || value === undefined || !reported) return null;
  if (!parameter) return 'parameterUnknown';
  const fault = settingOf([{ key, ...parameter }], view.describe(key), key, value).problem?.fault;
  if (fault === 'sameValue') return parameter.inDoubt ? null : 'sameValue';
  return fault === 'parameterReadonly' ? 'parameterReadonly' : null;
}
