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
  preconditionOf,
  requireControl,
  requireNamedParams,
} from '../commands/control-rules.ts';
import type { ParameterView } from '../parameters/parameter-view.ts';
import type { BatchFacts, NewBatchExecution } from './batches.store.ts';

/** A model of some of the devices of a batch: one of them for all, what it says to the caller, and the control meant. */
export interface BatchModel {
  device: CommandedDevice;
  view: ParameterView;
  control: Control;
}

/**
 * Holds a command against a model: the caller's level, whether it can be asked of several at once, and what its
 * parameters admit.
 * @throws {Problem} noPermission, controlNotOffered, batchIncapable, or what is wrong with the input
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
  settledFor(view, command);
  if (lacks) throw new Problem('batchIncapable', { field: 'kind', values: { model: device.modelName } });
  return { device, view, control };
}

/** A command as a model wants it sent: the value of a parameter as its item writes it. @throws {Problem} what is wrong with it */
export function settledFor(view: ParameterView, command: Command): Command {
  const { key, value } = command.params;
  if (command.kind !== 'setParameter' || key === undefined || value === undefined) return command;
  const described = view.describe(key);
  const setting = settingOf([], described, described?.item.key ?? key, value);
  if (setting.problem === null) return { ...command, params: { key: setting.key, value: setting.value } };
  const { fault, values } = setting.problem;
  throw new Problem(fault, { field: fault.startsWith('parameter') ? 'key' : 'value', values });
}

/** The levels that a batch keeps for whoever looks at it, or takes it back, later: the strictest of its models. */
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

/** A device of a batch, and the reason for which it is not even queued. */
export interface PlannedDevice extends NewBatchExecution {
  device: CommandedDevice;
}

/**
 * What becomes of each device of a batch when it is asked for: queued, or over with the reason that is known already. A
 * device whose parameter has the value is no fault of the others.
 */
export function planBatch(
  devices: readonly CommandedDevice[],
  models: ReadonlyMap<number, BatchModel>,
  command: Command,
  known: {
    facts: ReadonlyMap<number, BatchFacts>;
    charging: ReadonlySet<number>;
    /** the devices with which a transfer cannot begin */
    transfers: ReadonlyMap<number, TransferRefusal>;
  },
): PlannedDevice[] {
  return devices.map((device) => {
    const model = models.get(device.deviceModelId);
    const precondition = model ? preconditionOf(model.control) : null;
    const facts = known.facts.get(device.id);
    const transfer = known.transfers.get(device.id) ?? null;
    const refused = facts
      ? refusalOf(device, command, { ...facts, session: known.charging.has(device.id), transfer }, model)
      : null;
    return { executionId: randomUUID(), deviceId: device.id, device, refused, precondition };
  });
}

function refusalOf(
  device: CommandedDevice,
  command: Command,
  facts: BatchFacts & { session: boolean; transfer: TransferRefusal | null },
  model: BatchModel | undefined,
): Refused | null {
  const { waiting, session, transfer } = facts;
  if (!device.enabled) return 'deviceDisabled';
  if (!facts.hasConnector) return 'connectorUnknown';
  const unsettable = model ? settingRefusal(command, facts, model.view) : null;
  if (unsettable) return unsettable;
  const precondition = model ? preconditionOf(model.control) : null;
  const unmet = unmetPrecondition(precondition, { session, maintenance: device.maintenance });
  if (unmet ?? transfer) return unmet ?? transfer;
  return waiting.length >= MAX_WAITING_COMMANDS || waiting.some((one) => conflicts(one, command)) ? 'deviceBusy' : null;
}

/** Why a parameter of a device is not set, by what it last told: a setting without an answer leaves open what it holds. */
function settingRefusal(command: Command, { reported, parameter }: BatchFacts, view: ParameterView): Refused | null {
  const { key, value } = command.params;
  if (command.kind !== 'setParameter' || key === undefined || value === undefined || !reported) return null;
  if (!parameter) return 'parameterUnknown';
  const fault = settingOf([{ key, ...parameter }], view.describe(key), key, value).problem?.fault;
  if (fault === 'sameValue') return parameter.inDoubt ? null : 'sameValue';
  return fault === 'parameterReadonly' ? 'parameterReadonly' : null;
}
