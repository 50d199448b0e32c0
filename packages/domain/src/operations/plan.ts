import type { Precondition } from '../models/device-models.ts';
import { type Command, conflicts, MAX_WAITING_COMMANDS } from './commands.ts';
import { unmetPrecondition } from './controls.ts';
import type { Refused } from './executions.ts';
import { type DescribedKey, settingOf } from './parameters.ts';

/** What a command would do on a device. `has`: nothing, because it already has the value or runs the version. */
export const COMMAND_EFFECTS = ['changes', 'has', 'offline', 'cannot'] as const;
export type CommandEffect = (typeof COMMAND_EFFECTS)[number];

/** Why a device is not changed: the reason with which its execution would end. */
export interface DevicePlan {
  effect: CommandEffect;
  /** null if it is changed */
  reason: Refused | 'deviceOffline' | null;
}

/** What the model of a device says about a command: it is offered, or why not. */
export type ModelOffer = 'offered' | Extract<Refused, 'controlNotOffered' | 'noPermission' | 'batchIncapable'>;

/** What decides about a command to a device, as known now. */
export interface PlanFacts {
  offer: ModelOffer;
  /** device, site and customer are all enabled */
  enabled: boolean;
  connected: boolean;
  hasConnector: boolean;
  /** the command waits for a device that is offline */
  waits: boolean;
  /** it has reported parameters */
  reported: boolean;
  /** the parameter of the command, as last reported; `inDoubt`: a setting without a response leaves the value unknown */
  parameter: { value: string | null; readonly: boolean; inDoubt: boolean } | null;
  /** the parameter in the model */
  described: DescribedKey;
  /** what must hold now; null for what is checked only when the command is sent */
  precondition: Precondition | null;
  /** a vehicle is charging */
  session: boolean;
  maintenance: boolean;
  /** why its file transfer cannot begin */
  transfer: Extract<Refused, 'deviceBusy' | 'firmwareRunning'> | null;
  /** the commands that it has not finished */
  waiting: readonly Command[];
  /** how many of them belong to the same request, so that they do not make it busy */
  ahead: number;
}

const HAS: ReadonlySet<DevicePlan['reason']> = new Set(['sameValue', 'firmwareRunning'] as const);

/**
 * Plans a command for one device, by the same rules for one device and for a thousand. What the user can least change
 * comes first: the model, the device, its parameter, its state, other commands, its connection.
 */
export function planDevice(command: Command, facts: PlanFacts): DevicePlan {
  const reason = refusalOf(command, facts);
  if (reason !== null) return { effect: HAS.has(reason) ? 'has' : 'cannot', reason };
  return facts.connected || facts.waits
    ? { effect: 'changes', reason: null }
    : { effect: 'offline', reason: 'deviceOffline' };
}

/** Why the command is not queued. A device that is offline gets it queued: it may connect before it is sent. */
export function plannedRefusal({ reason }: DevicePlan): Refused | null {
  return reason === 'deviceOffline' ? null : reason;
}

/** True when a device cannot take another command: too many are waiting, or one of them conflicts with it. */
export function isBusyFor(command: Command, waiting: readonly Command[], ahead = 0): boolean {
  return waiting.length - ahead >= MAX_WAITING_COMMANDS || waiting.some((one) => conflicts(one, command));
}

function refusalOf(command: Command, facts: PlanFacts): Refused | null {
  if (facts.offer !== 'offered') return facts.offer;
  if (!facts.enabled) return 'deviceDisabled';
  if (!facts.hasConnector) return 'connectorUnknown';
  const { session, maintenance } = facts;
  return (
    settingRefusal(command, facts) ??
    unmetPrecondition(facts.precondition, { session, maintenance }) ??
    facts.transfer ??
    (isBusyFor(command, facts.waiting, facts.ahead) ? 'deviceBusy' : null)
  );
}

function settingRefusal(command: Command, { reported, parameter, described }: PlanFacts): Refused | null {
  const { key, value } = command.params;
  if (command.kind !== 'setParameter' || key === undefined || value === undefined || !reported) return null;
  if (!parameter) return 'parameterUnknown';
  const fault = settingOf([{ key, ...parameter }], described, key, value).problem?.fault;
  if (fault === 'sameValue') return parameter.inDoubt ? null : 'sameValue';
  return fault === 'parameterReadonly' ? 'parameterReadonly' : null;
}
