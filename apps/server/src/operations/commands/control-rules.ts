import type { DescribedControl, NewCommand } from '@chargehand/contract';
import {
  COMMAND_RULES,
  type Command,
  type CommandKind,
  commandLevels,
  controlOf,
  DEFAULT_QUEUE_MINUTES,
  isOverMqtt,
  type ModelLevels,
  meets,
  type Precondition,
  QUEUE_TIMEOUT_MS,
  type RequiredLevel,
  unfitField,
} from '@chargehand/domain';
import type { Caller } from '../../platform/http/caller.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { ParameterView } from '../parameters/parameter-view.ts';
import type { CommandedDevice } from './commands.store.ts';

/** A control item of a model, or `standard` when no item exists for a kind. */
export type Control = DescribedControl | 'standard';

/** False for a command that only OCPP supports, on a device that is connected over MQTT. */
export function isSpoken({ protocol }: Pick<CommandedDevice, 'protocol'>, kind: CommandKind): boolean {
  return !COMMAND_RULES[kind].ocpp || !isOverMqtt(protocol);
}

/** The requirements of a model for its devices. */
export function modelLevelsOf(device: CommandedDevice): ModelLevels {
  return {
    parameterRead: device.parameterReadLevel,
    parameterWrite: device.parameterWriteLevel,
    control: device.controlLevel,
  };
}

/**
 * The control item for a kind of command, if the caller's levels allow it (the third step of design §5). For a single
 * parameter the levels of its item apply, else those of the control or the model.
 * @throws {Problem} noPermission, or `controlNotOffered` when the model has no such control
 */
export function requireControl(
  caller: Caller,
  device: CommandedDevice,
  view: ParameterView,
  { kind, key }: Pick<NewCommand, 'kind' | 'key'>,
): Control {
  const control = controlOf(view.description, kind);
  const { right } = COMMAND_RULES[kind];
  const ofItem = key === undefined || right === 'control' ? null : right;
  const suffices =
    ofItem === null || key === undefined
      ? meets(caller.levels, levelsFor(device, kind, control))
      : ofItem === 'readParameters'
        ? view.mayRead(key)
        : mayTry(view, key);
  if (!suffices) throw new Problem('noPermission');
  if (control === null || !isSpoken(device, kind)) {
    throw new Problem('controlNotOffered', { field: 'kind', values: { model: device.modelName } });
  }
  return control;
}

/**
 * A caller who may read a read-only parameter is told that it is read-only, not that a permission is missing that
 * nobody has.
 */
function mayTry(view: ParameterView, key: string): boolean {
  return view.maySet(key) || (view.describe(key)?.kind === 'config' && view.mayRead(key));
}

/** The requirements of a kind of command for its sender. */
export function levelsFor(
  device: CommandedDevice,
  kind: CommandKind,
  control: Control | null,
): readonly RequiredLevel[] {
  return commandLevels(modelLevelsOf(device), kind, control);
}

/** The preconditions of a control. */
export function preconditionOf(control: Control): Precondition | null {
  return control === 'standard' ? null : control.precondition;
}

/** The command of a request. @throws {Problem} with the missing or unnecessary input */
export function commandOf({ kind, connector, whenOffline: _, queueMinutes: __, ...params }: NewCommand): Command {
  const unfit = unfitField(kind, { connector, ...params });
  if (unfit) throw new Problem(unfit.fault === 'missing' ? 'paramMissing' : 'fieldUnknown', { field: unfit.field });
  return { kind, connector: connector ?? 0, params };
}

/** Refuses a parameter of a control that the model does not define. @throws {Problem} fieldUnknown */
export function requireNamedParams(command: Command, control: Control): void {
  for (const field of ['param1', 'param2'] as const) {
    if (command.params[field] === undefined || !COMMAND_RULES[command.kind].admits.includes(field)) continue;
    if (control !== 'standard' && control[field] === null) throw new Problem('fieldUnknown', { field });
  }
}

/**
 * How long a command may wait in the queue, and whether it also waits for an offline device. @throws {Problem}
 * fieldUnknown
 */
export function timeoutOf({ whenOffline, queueMinutes }: Pick<NewCommand, 'whenOffline' | 'queueMinutes'>): {
  timeoutMs: number;
  waits: boolean;
} {
  if (whenOffline !== 'queue') {
    if (queueMinutes !== undefined) throw new Problem('fieldUnknown', { field: 'queueMinutes' });
    return { timeoutMs: QUEUE_TIMEOUT_MS, waits: false };
  }
  return { timeoutMs: (queueMinutes ?? DEFAULT_QUEUE_MINUTES) * 60_000, waits: true };
}
