import { controlLevelIsValid, type Level, type Levels, levelSuffices } from '../access/levels.ts';
import { DEVICE_LEVELS } from '../devices/devices.ts';

/** A name in both languages. */
export interface Bilingual {
  en: string;
  zh: string;
}

/**
 * Control types by number: 1 to 11 of spec §9, where 9 and 10 have two meanings each; 12 and higher are defined by this
 * product.
 */
export const CONTROL_TYPES = {
  1: 'softReset',
  2: 'hardReset',
  3: 'disableSystem',
  4: 'disableConnector',
  5: 'upgradeSoftware',
  6: 'uploadLog',
  7: 'startVpn',
  8: 'stopVpn',
  9: 'restartOrConfiguration',
  10: 'plcOrParameters',
  11: 'setParameters',
  12: 'remoteStart',
  13: 'remoteStop',
  14: 'unlockConnector',
  15: 'clearCache',
  16: 'triggerMessage',
  17: 'sendMessage',
} as const;
export type ControlType = keyof typeof CONTROL_TYPES;
export const MAX_CONTROL_TYPE = 17;

/** The meanings of types 9 and 10 (spec §9). The control item of a model selects one. */
export const CONTROL_READINGS = {
  9: ['restartCcu', 'refreshConfiguration'],
  10: ['updatePlcFirmware', 'refreshParameters'],
} as const;
export type ControlReading = (typeof CONTROL_READINGS)[9 | 10][number];

/** All meanings of both types. */
export const ALL_CONTROL_READINGS = [...CONTROL_READINGS[9], ...CONTROL_READINGS[10]] as const;

/** Preconditions of a control: no charging session in progress; the device is in maintenance. */
export const PRECONDITIONS = ['noSession', 'maintenance'] as const;
export type Precondition = (typeof PRECONDITIONS)[number];

/** The kinds of readable and settable items of a model. */
export const ITEM_KINDS = ['config', 'parameter'] as const;
export type ItemKind = (typeof ITEM_KINDS)[number];

/** The meanings that a control type can have; empty for types with a single meaning. */
export function readingsOf(type: number): readonly ControlReading[] {
  return type === 9 || type === 10 ? CONTROL_READINGS[type] : [];
}

/**
 * The error of a control item of a model, or null. The write level of spec §5 is the level that the model requires for
 * its parameters: sending commands requires a lower right than changing parameters.
 */
export function controlProblem(
  control: { type: number; level: Level; reading: ControlReading | null },
  parameterWriteLevel: Level,
): 'controlLevelLow' | 'controlReadingWrong' | null {
  if (!controlLevelIsValid(control.level, parameterWriteLevel)) return 'controlLevelLow';
  const readings = readingsOf(control.type);
  const fits = readings.length === 0 ? control.reading === null : readings.some((one) => one === control.reading);
  return fits ? null : 'controlReadingWrong';
}

/** The entries that one model of an inheritance chain defines. */
export interface OwnEntries<T> {
  /** the model that defines it */
  origin: number;
  entries: readonly T[];
}

/**
 * The effective entries of a model. Each model of the chain, starting with the first ancestor, adds entries, replaces
 * inherited entries with the same key, or removes them (`removed`). Removing a key that does not exist has no effect. A
 * later model may add a removed key again.
 */
export function resolveEntries<T extends { removed: boolean }>(
  ancestors: readonly OwnEntries<T>[],
  keyOf: (entry: T) => string | number,
): (T & { origin: number })[] {
  const resolved = new Map<string | number, T & { origin: number }>();
  for (const { origin, entries } of ancestors) {
    for (const entry of entries) {
      if (entry.removed) resolved.delete(keyOf(entry));
      else resolved.set(keyOf(entry), { ...entry, origin });
    }
  }
  return [...resolved.values()];
}

/** The models from the first ancestor to the model itself, or null when the parents form a cycle. */
export function ancestorsOf(id: number, parentOf: (id: number) => number | null): number[] | null {
  const ancestors = [id];
  for (let parent = parentOf(id); parent !== null; parent = parentOf(parent)) {
    if (ancestors.includes(parent)) return null;
    ancestors.unshift(parent);
  }
  return ancestors;
}

/**
 * The key of a quantity or parameter in the protocol: printable ASCII without blanks at the ends, 1 to 100 characters.
 */
export const PROTOCOL_KEY_PATTERN = '^[!-~]([ -~]{0,98}[!-~])?$';

/** True when a text is a valid protocol key of a data item. */
export function isProtocolKey(text: string): boolean {
  return new RegExp(PROTOCOL_KEY_PATTERN).test(text);
}

/**
 * True for users who may change the data model and device models: users of the platform vendor with the level for
 * changing devices.
 */
export function mayEditModels(person: {
  root: boolean;
  platformVendor: boolean;
  readOnly: boolean;
  levels: Levels;
}): boolean {
  if (person.root) return true;
  return person.platformVendor && !person.readOnly && levelSuffices(person.levels.device.write, DEVICE_LEVELS.write);
}
