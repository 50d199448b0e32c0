import type { DescribedControl, NewCommand } from '@chargehand/contract';
import {
  COMMAND_RULES,
  type Command,
  type CommandKind,
  commandLevels,
  controlOf,
  DEFAULT_QUEUE_MINUTES,
  isOverMqtt,
  MAX_START_AHEAD_MS,
  type ModelLevels,
  meets,
  type Precondition,
  QUEUE_TIMEOUT_MS,
  type RequiredLevel,
  type StartFault,
  startPlan,
  unfitField,
} from '@chargehand/domain';
import type { Caller } from '../../platform/http/caller.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { ParameterView } from '../parameters/parameter-view.ts';
import type { CommandedDevice } from './commands.store.ts';

/** A control item of a model, or `standard` when no item exists for a kind. */
export type Control = DescribedControl | 'standard';

/** False for a command that only OCPP supports, on a device that is connected over MQTT. */
export function isSupportedBy({ protocol }: Pick<CommandedDevice, 'protocol'>, kind: CommandKind): boolean {
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
  if (control === null || !isSupportedBy(device, kind)) {
    throw new Problem('controlNotOffered', { field: 'kind', values: { model: device.modelName } });
  }
  return control;
}

/**
 * True when the problem for a caller should be that the parameter is read-only, instead of a missing permission that
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
export function commandOf(wanted: NewCommand): Command {
  const { kind, connector, whenOffline: _, queueMinutes: __, requestKey: ___, ...params } = wanted;
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

/** Until when a command waits, and for what. */
export interface Waiting {
  /** how long it may wait in the queue (ms) */
  timeoutMs: number;
  /** it waits as long for a device that is offline */
  waits: boolean;
  /** not sent before; null: at once */
  notBefore: Date | null;
  /** not sent while a vehicle is charging */
  whenIdle: boolean;
}

/** How long a command may wait, and for what. @throws {Problem} the invalid field */
export function waitingOf(wanted: NewCommand): Waiting {
  const start = startPlan(wanted, new Date());
  if (start?.fault) throw startProblem(start.fault);
  if (start) return { timeoutMs: start.timeoutMs, waits: true, notBefore: start.notBefore, whenIdle: true };
  const { whenOffline, queueMinutes } = wanted;
  const now = { notBefore: null, whenIdle: false };
  if (whenOffline !== 'queue') {
    if (queueMinutes !== undefined) throw new Problem('fieldUnknown', { field: 'queueMinutes' });
    return { timeoutMs: QUEUE_TIMEOUT_MS, waits: false, ...now };
  }
  return { timeoutMs: (queueMinutes ?? DEFAULT_QUEUE_MINUTES) * 60_000, waits: true, ...now };
}

function startProblem({ field, fault }: StartFault): Problem {
  switch (fault) {
    case 'missing':
      return new Problem('paramMissing', { field });
    case 'unknown':
      return new Problem('fieldUnknown', { field });
    case 'past':
      return new Problem('startInPast', { field });
    case 'tooFar':
      return new Problem('startTooFar', { field, values: { days: MAX_START_AHEAD_MS / DAY_MS } });
  }
}

const DAY_MS = 24 * 60 * 60_000;

/** A precondition that can be checked now: one that waits for the device to be idle is checked when it is sent. */
export function preconditionNow(precondition: Precondition | null, { whenIdle }: Waiting): Precondition | null {
  return whenIdle && precondition === 'noSession' ? null : precondition;
}
