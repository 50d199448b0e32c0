import { ISSUE_LABEL_LENGTH } from '../issues/issues.ts';
import { DICTIONARY_DEFAULTS } from './defaults.ts';

/** Lists of names that an installation can change. */
export const DICTIONARIES = ['alarmNames', 'causes', 'remedies', 'labels', 'regions'] as const;
export type Dictionary = (typeof DICTIONARIES)[number];

/** What users choose an entry from: entries can be turned off. Alarm names are only shown. */
export function isChosenFrom(dictionary: Dictionary): boolean {
  return dictionary !== 'alarmNames';
}

/** Without an entry that can be chosen, issues could not be closed. Labels are optional, and can be typed. */
export function needsChoice(dictionary: Dictionary): boolean {
  return dictionary === 'causes' || dictionary === 'remedies';
}

/** Maximum length of codes and names. A code or a name of a label can also be typed as a label of an issue. */
export function dictionaryLengths(dictionary: Dictionary): { code: number; name: number } {
  if (dictionary === 'labels') return { code: ISSUE_LABEL_LENGTH, name: ISSUE_LABEL_LENGTH };
  return { code: DICTIONARY_CODE_LENGTH, name: DICTIONARY_NAME_LENGTH };
}

/** The entries have an order that can be changed. Regions are in the order of their names. */
export function hasOrder(dictionary: Dictionary): boolean {
  return isChosenFrom(dictionary) && dictionary !== 'regions';
}

/** The values of an entry that can be changed. */
export interface DictionaryValue {
  nameEn: string;
  nameZh: string;
  /** false: it is still shown where it is used, but cannot be chosen */
  enabled: boolean;
  /** entries with a smaller number come first */
  position: number;
  /** of regions: the code of the region that it is part of; countries have none */
  parent?: string;
}

/** An entry as it applies: the value of the installation, or the default. */
export interface DictionaryEntry extends DictionaryValue {
  code: string;
  /** null: the installation added it */
  byDefault: DictionaryValue | null;
  /** the installation added or changed it */
  changed: boolean;
}

/** Distance between the positions of the shipped entries, so that others fit between them. */
const STEP = 10;
export const DICTIONARY_MAX_POSITION = 9_999;
export const DICTIONARY_CODE_LENGTH = 64;
export const DICTIONARY_NAME_LENGTH = 100;
export const DICTIONARY_MAX_ENTRIES = 2_000;

const CODE_FORM = /^[\p{L}\p{N}._:-]+$/u;

/** True when a new entry can have this code. */
export function isDictionaryCode(code: string): boolean {
  return CODE_FORM.test(code);
}

/** The position of a new entry: after those that exist. */
export function nextPosition(positions: readonly number[]): number {
  const last = positions.reduce((most, position) => Math.max(most, position), 0);
  return Math.min(last + STEP, DICTIONARY_MAX_POSITION);
}

/** The shipped value of a code; null: there is none. */
export function dictionaryDefault(dictionary: Dictionary, code: string): DictionaryValue | null {
  const codes = Object.keys(DICTIONARY_DEFAULTS[dictionary]);
  const index = codes.indexOf(code);
  const names = DICTIONARY_DEFAULTS[dictionary][codes[index] ?? ''];
  if (!names) return null;
  return { nameEn: names.en, nameZh: names.zh, enabled: true, position: (index + 1) * STEP };
}

/** All entries: the shipped ones with the values of the installation, and those that it added, in their order. */
export function dictionaryEntries(
  dictionary: Dictionary,
  stored: ReadonlyMap<string, DictionaryValue>,
): DictionaryEntry[] {
  const codes = new Set([...Object.keys(DICTIONARY_DEFAULTS[dictionary]), ...stored.keys()]);
  const entries = [...codes].map((code): DictionaryEntry => {
    const byDefault = dictionaryDefault(dictionary, code);
    const own = stored.get(code);
    return { ...(own ?? byDefault!), code, byDefault, changed: own !== undefined };
  });
  const byCode = (a: DictionaryEntry, b: DictionaryEntry) => (a.code < b.code ? -1 : 1);
  if (!isChosenFrom(dictionary)) return entries.sort(byCode);
  return entries.sort((a, b) => a.position - b.position || byCode(a, b));
}

/** True when two values are the same. */
export function sameDictionaryValue(a: DictionaryValue | null, b: DictionaryValue | null): boolean {
  if (a === null || b === null) return a === b;
  const same = a.nameEn === b.nameEn && a.nameZh === b.nameZh && a.enabled === b.enabled;
  return same && a.position === b.position && a.parent === b.parent;
}

export type DictionaryFault = 'nameEmpty' | 'nameLong' | 'nameTaken' | 'lastEnabled';

/**
 * Why an entry cannot get a value; null: it can. Two entries that users choose from need different names in each language,
 * and one cause and one remedy must remain that can be chosen. `value` null: the entry is removed or gets its default.
 */
export function dictionaryFault(
  dictionary: Dictionary,
  entries: readonly DictionaryEntry[],
  code: string,
  value: DictionaryValue | null,
): { fault: DictionaryFault; field: 'nameEn' | 'nameZh' | 'enabled' } | null {
  const next = value ?? dictionaryDefault(dictionary, code);
  const others = entries.filter((one) => one.code !== code);
  for (const field of ['nameEn', 'nameZh'] as const) {
    if (next?.[field].trim() === '') return { fault: 'nameEmpty', field };
    if (next && next[field].length > dictionaryLengths(dictionary).name) return { fault: 'nameLong', field };
    if (!next || !isChosenFrom(dictionary)) continue;
    const same = others.some((one) => one[field].toLowerCase() === next[field].toLowerCase());
    if (same) return { fault: 'nameTaken', field };
  }
  if (needsChoice(dictionary) && !next?.enabled && !others.some(({ enabled }) => enabled)) {
    return { fault: 'lastEnabled', field: 'enabled' };
  }
  return null;
}

/** Why an entry of the installation cannot be removed: it is used, and has no default that it returns to. */
export function isRemovable(byDefault: DictionaryValue | null, uses: number): boolean {
  return byDefault !== null || uses === 0;
}

/** A recorded change of an entry. Null: the default, or no entry. */
export interface DictionaryChange {
  id: number;
  before: DictionaryValue | null;
  after: DictionaryValue | null;
}

/**
 * Why a change cannot be undone; null: it can. `later`: the entry was changed again, so undoing this change would also undo
 * the later one.
 */
export function undoFault(change: DictionaryChange, latestId: number, current: DictionaryValue | null): 'later' | null {
  return change.id === latestId && sameDictionaryValue(change.after, current) ? null : 'later';
}
