import type { Level, RequiredLevel } from '../access/levels.ts';
import { deviceLevels, type ModelLevels } from '../devices/devices.ts';
import type { ControlReading, Precondition } from '../models/device-models.ts';
import { COMMAND_KINDS, COMMAND_RULES, type CommandKind } from './commands.ts';

/** The properties of a control in a model that the rules use. */
export interface ControlItem {
  type: number;
  level: Level;
  reading: ControlReading | null;
  precondition: Precondition | null;
}

/** The controls of a model. Version 0: the model has no description yet. */
export interface Offer<C extends ControlItem> {
  version: number;
  controls: readonly C[];
}

/**
 * The control item of a kind of command; `standard` when the kind is available without an item, null when it is not
 * available. A model without a description has the standard set. Reading and setting parameters is available however a
 * model defines its controls 9 to 11, because the parameters page needs it.
 */
export function controlOf<C extends ControlItem>(offer: Offer<C>, kind: CommandKind): C | 'standard' | null {
  const { standard, right, internal } = COMMAND_RULES[kind];
  if (internal) return null;
  if (offer.version === 0) return standard ? 'standard' : null;
  const item = offer.controls.find(
    ({ type, reading }) => type === COMMAND_KINDS[kind] && (reading === null || reading === kind),
  );
  return item ?? (right === 'control' || right === 'everything' ? null : 'standard');
}

/** The commands of a control item of a model: types 3 and 4 have one for each direction. */
export function kindsOf(control: Pick<ControlItem, 'type' | 'reading'>): CommandKind[] {
  const kinds = Object.keys(COMMAND_KINDS) as CommandKind[];
  return kinds.filter(
    (kind) =>
      COMMAND_KINDS[kind] === control.type &&
      !COMMAND_RULES[kind].internal &&
      (control.reading === null || control.reading === kind),
  );
}

/**
 * The levels that a kind of command requires on a device: for the device as a whole, the level of its control item, or
 * that of the model when there is none; for reading and setting parameters, the levels of parameters; for messages of
 * any kind, all of them.
 */
export function commandLevels(
  model: ModelLevels,
  kind: CommandKind,
  control: Pick<ControlItem, 'level'> | 'standard' | null,
): readonly RequiredLevel[] {
  const level = control === null || control === 'standard' ? model.control : control.level;
  const required = deviceLevels({ ...model, control: level });
  return {
    everything: [...required.readParameters, ...required.setParameters, ...required.control],
    control: required.control,
    readParameters: required.readParameters,
    writeParameters: required.setParameters,
  }[COMMAND_RULES[kind].right];
}

/** The facts that preconditions are checked against. */
export interface ControlFacts {
  /** a vehicle is charging, on the connector of the command or on any connector */
  session: boolean;
  maintenance: boolean;
}

/** The precondition of a control that is not met, as the reason for not sending the command; null when all are met. */
export function unmetPrecondition(
  precondition: Precondition | null,
  facts: ControlFacts,
): 'sessionInProgress' | 'maintenanceNeeded' | null {
  if (precondition === 'noSession' && facts.session) return 'sessionInProgress';
  if (precondition === 'maintenance' && !facts.maintenance) return 'maintenanceNeeded';
  return null;
}

/**
 * What happens to a command whose device is offline: it fails immediately, or waits for the device until a deadline.
 */
export const OFFLINE_POLICIES = ['fail', 'queue'] as const;
export type OfflinePolicy = (typeof OFFLINE_POLICIES)[number];

/** A command waits for its device for at most seven days. A later execution would be unexpected. */
export const MAX_QUEUE_MINUTES = 7 * 24 * 60;
/** An hour covers a short interruption of a pile's mobile connection and is shorter than a work shift. */
export const DEFAULT_QUEUE_MINUTES = 60;
