import type { Level, RequiredLevel } from '../access/levels.ts';
import { deviceLevels, type ModelLevels } from '../devices/devices.ts';
import type { ControlReading, Precondition } from '../models/device-models.ts';
import { COMMAND_KINDS, COMMAND_RULES, type CommandKind } from './commands.ts';

/** What a model says of a control, as far as rules go. */
export interface ControlItem {
  type: number;
  level: Level;
  reading: ControlReading | null;
  precondition: Precondition | null;
}

/** What a model offers: version 0 as long as nobody has described it. */
export interface Offer<C extends ControlItem> {
  version: number;
  controls: readonly C[];
}

/**
 * The control item that a kind of command falls under, `standard` where the kind is offered without one, or null where it
 * is not offered. A model that nobody has described offers the standard set. Reading and setting parameters is offered
 * whatever a model calls its controls 9 to 11: it is what the page of parameters lives on.
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

/** The kinds that a control item of a model stands for: types 3 and 4 carry both directions. */
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
 * What a kind of command asks of a role on a device: over the device as such the level of its control item, or the
 * model's where there is none; for reading and setting parameters the levels of parameters; for messages of any kind all
 * of them.
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

/** What a precondition is held against. */
export interface ControlFacts {
  /** a vehicle is being charged, at the connector that is meant or at any */
  session: boolean;
  maintenance: boolean;
}

/** Which precondition of a control does not hold, as the reason why the device is not asked; null when it may be. */
export function unmetPrecondition(
  precondition: Precondition | null,
  facts: ControlFacts,
): 'sessionInProgress' | 'maintenanceNeeded' | null {
  if (precondition === 'noSession' && facts.session) return 'sessionInProgress';
  if (precondition === 'maintenance' && !facts.maintenance) return 'maintenanceNeeded';
  return null;
}

/** What becomes of a command whose device is offline: it ends at once, or waits for the device until a deadline. */
export const OFFLINE_POLICIES = ['fail', 'queue'] as const;
export type OfflinePolicy = (typeof OFFLINE_POLICIES)[number];

/** A command waits for its device for seven days at most: what was meant for last week would surprise. */
export const MAX_QUEUE_MINUTES = 7 * 24 * 60;
/** An hour covers a pile whose mobile connection is down for a moment, and no shift ends in between. */
export const DEFAULT_QUEUE_MINUTES = 60;
