import { controlLevelIsValid, type Level, type Levels, levelSuffices } from '../access/levels.ts';
import { DEVICE_LEVELS } from '../devices/devices.ts';

/** A name in both languages of the product. */
export interface Bilingual {
  en: string;
  zh: string;
}

/** Control types by their number: 1 to 11 of spec §9, of which 9 and 10 have two readings each; 12 and above our own. */
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

/** What types 9 and 10 can mean (spec §9): the control item of a model says which. */
export const CONTROL_READINGS = {
  9: ['restartCcu', 'refreshConfiguration'],
  10: ['updatePlcFirmware', 'refreshParameters'],
} as const;
export type ControlReading = (typeof CONTROL_READINGS)[9 | 10][number];

/** All readings, of both types. */
export const ALL_CONTROL_READINGS = [...CONTROL_READINGS[9], ...CONTROL_READINGS[10]] as const;

/** What may be asked for before a control is given: no charging session in progress; the device set to maintenance. */
export const PRECONDITIONS = ['noSession', 'maintenance'] as const;
export type Precondition = (typeof PRECONDITIONS)[number];

/** What a model lets one read and what it lets one set. */
export const ITEM_KINDS = ['config', 'parameter'] as const;
export type ItemKind = (typeof ITEM_KINDS)[number];

/** The readings that a control type can have; none for those that mean one thing only. */
export function readingsOf(type: number): readonly ControlReading[] {
  return type === 9 || type === 10 ? CONTROL_READINGS[type] : [];
}

/**
 * What is wrong with a control item of a model, or null. The write level that spec §5 speaks of is the one that the
 * model asks for its parameters: who may only give commands holds less than who may change how the device is set.
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

/** What one model of a chain of inheritance says itself. */
export interface OwnEntries<T> {
  /** the model that says it */
  origin: number;
  entries: readonly T[];
}

/**
 * What a model has in the end: each model of the chain, the first ancestor first, adds to what it inherits, puts
 * its own entry in the place of an inherited one with the same key, or takes that away (`removed`). A removal of what
 * is not there says nothing; a later model may bring back what an earlier one took away.
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

/** The models from the first ancestor to the model itself, or null when they go round in a circle. */
export function ancestorsOf(id: number, parentOf: (id: number) => number | null): number[] | null {
  const ancestors = [id];
  for (let parent = parentOf(id); parent !== null; parent = parentOf(parent)) {
    if (ancestors.includes(parent)) return null;
    ancestors.unshift(parent);
  }
  return ancestors;
}

/** A key as devices name a quantity or a parameter: printable ASCII without blanks at its ends, 1 to 100 characters. */
export const PROTOCOL_KEY_PATTERN = '^[!-~]([ -~]{0,98}[!-~])?$';

/** True when a text can be the protocol key of a data-model item. */
export function isProtocolKey(text: string): boolean {
  return new RegExp(PROTOCOL_KEY_PATTERN).test(text);
}

/** True for who may change the data model and device models: people of the platform vendor, by the level that changing a device takes. */
export function mayEditModels(person: {
  root: boolean;
  platformVendor: boolean;
  readOnly: boolean;
  levels: Levels;
}): boolean {
  if (person.root) return true;
  return person.platformVendor && !person.readOnly && levelSuffices(person.levels.device.write, DEVICE_LEVELS.write);
}
