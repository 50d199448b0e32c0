import { reportedTime } from '@chargehand/domain';
import type { ErrorObject } from 'ajv';
import { BoundedNotes } from '../../bounded-notes.ts';
import type { Dialect } from '../dialect.ts';
import { describe } from '../schemas.ts';

/** A payload with an action. */
interface Message {
  action: string;
  kind: 'req' | 'conf';
  payload: unknown;
}

/**
 * Reads a payload that violates its schema as far as possible: without the faulty entries of lists, and tolerantly for
 * devices with such a model. Null when it is refused.
 */
export function readAnyway(
  dialect: Dialect,
  message: Message,
  how: { tolerant: boolean; receivedAt: Date },
): Tolerated | null {
  return (how.tolerant ? tolerate(dialect, message, how.receivedAt) : null) ?? withoutFaultyEntries(dialect, message);
}

/** The result of reading a payload that violates its schema. */
export interface Tolerated {
  payload: object;
  /** each deviation from the schema, and how it was handled */
  notes: string[];
  /** the entries of lists that are left out, and why */
  refused: string[];
}

/**
 * A repair may reveal the next fault (a number that became a text that is not a time), but the number of rounds is
 * limited.
 */
const MOST_PASSES = 6;
/**
 * Payloads with more values are read strictly: finding all faults of a payload takes far longer than finding the first
 * one. A list of 600 parameters in OCPP 1.6 has 2,400 values.
 */
const MOST_VALUES = 2_500;
/** A message with more faults is refused: an off-spec device sends a few wrong fields, and each repair takes time. */
const MOST_FAULTS = 1_000;

/**
 * Reads a payload of an off-spec device as well as possible (design §6, tolerant mode): removes unknown fields,
 * converts between numbers and texts, keeps unknown words and overlong texts, and leaves out the entries of a list that
 * cannot be read. Null when that does not help, or when the payload has too many values or faults.
 */
function tolerate(dialect: Dialect, message: Message, receivedAt: Date): Tolerated | null {
  const { action, kind, payload } = message;
  if (typeof payload !== 'object' || payload === null || countValues(payload) > MOST_VALUES) return null;
  const copy = structuredClone(payload) as object;
  const entries = new FaultyEntries(copy);
  const notes: string[] = [];
  const accepted = new Set<string>();
  for (let pass = 0; pass < MOST_PASSES; pass += 1) {
    const errors = (dialect.schemas.violationOf(action, kind, copy, 'all')?.errors ?? []).filter(
      (error) => !accepted.has(`${error.instancePath} ${error.keyword}`),
    );
    if (errors.length === 0) return { payload: copy, notes, refused: entries.refused.list };
    if (notes.length + errors.length > MOST_FAULTS) return null;
    const unreadable: ErrorObject[] = [];
    for (const error of errors) {
      const note = repair(dialect.defaults[action], copy, error, receivedAt);
      if (note === null) {
        unreadable.push(error);
        continue;
      }
      if (UNCHANGED_KEYWORDS.has(error.keyword)) accepted.add(`${error.instancePath} ${error.keyword}`);
      notes.push(`tolerated: ${describe(error)} (${note})`);
    }
    if (!entries.leaveOut(unreadable)) return null;
  }
  return null;
}

/**
 * Lists whose entries do not depend on each other: one that cannot be read says nothing about the others. Of nested lists
 * the inner one comes first.
 */
export const INDEPENDENT: ReadonlySet<string> = new Set([
  ...['configurationKey', 'getVariableResult', 'setVariableResult', 'setMonitoringResult', 'clearMonitoringResult'],
  ...['reportData', 'variableAttribute', 'eventData', 'monitor', 'variableMonitoring', 'certificateHashDataChain'],
  ...['meterValue', 'sampledValue', 'transactionData', 'batteryData', 'data', 'constantStreamData'],
  ...['chargingProfile', 'messageInfo', 'chargingProfileId', 'tariffAssignments'],
]);
/** Entries of a large payload that are left out: each needs another check of the whole payload. */
const MOST_LEFT_OUT = 10;

/**
 * Reads a message in which some entries of a list violate the schema: keeps the others and names what is left out. This
 * applies to strict models too, because one wrong value says nothing about the others. Null when that does not help.
 */
function withoutFaultyEntries(dialect: Dialect, { action, kind, payload }: Message): Tolerated | null {
  if (typeof payload !== 'object' || payload === null) return null;
  const isLarge = countValues(payload) > MOST_VALUES;
  const entries = new FaultyEntries(structuredClone(payload) as object);
  for (let pass = 0; pass < (isLarge ? MOST_LEFT_OUT : MOST_PASSES); pass += 1) {
    const violation = dialect.schemas.violationOf(action, kind, entries.payload, isLarge ? 'first' : 'all');
    if (!violation) {
      // An answer without any entry is none.
      const isEmpty = kind === 'conf' && entries.nothingLeft;
      return isEmpty ? null : { payload: entries.payload, notes: [], refused: entries.refused.list };
    }
    if (violation.errors.length > MOST_FAULTS || !entries.leaveOut(violation.errors)) return null;
  }
  return null;
}

/** A payload from which entries with faults are removed in place. */
class FaultyEntries {
  readonly payload: object;
  /** what was left out, and why */
  readonly refused = new BoundedNotes(MOST_NAMED);
  /** owners of lists that are gone because all their entries are */
  readonly #emptied = new Set<unknown>();

  constructor(payload: object) {
    this.payload = payload;
  }

  /** True if no entry is left of a list with a faulty one. */
  get nothingLeft(): boolean {
    return this.#emptied.has(this.payload);
  }

  /** Removes the entries with these faults; false, and nothing is removed, when a fault is in no such entry. */
  leaveOut(errors: readonly ErrorObject[]): boolean {
    const entries = new Map<string, { path: readonly string[]; list: unknown[]; index: number; error: ErrorObject }>();
    for (const error of errors) {
      const place = error.instancePath.split('/').slice(1);
      const step = place.findLastIndex((one, index) => INDEPENDENT.has(one) && index < place.length - 1);
      const path = place.slice(0, step + 1);
      const list = step < 0 ? null : valueAt(this.payload, path);
      if (!Array.isArray(list)) return false;
      const key = place.slice(0, step + 2).join('/');
      if (!entries.has(key)) entries.set(key, { path, list, index: Number(place[step + 1]), error });
    }
    for (const { list, index, error } of entries.values()) {
      const entry = list[index] as { key?: unknown } | null;
      // An entry whose own list is gone was named with it.
      if (this.#emptied.has(entry)) continue;
      const name = typeof entry?.key === 'string' ? ` of ${entry.key.slice(0, 60)}` : '';
      this.refused.add(`left out: ${describe(error)}${name}`);
    }
    // From the end, so that the other positions stay the same.
    const last = [...entries.values()].sort((one, other) => other.index - one.index);
    for (const { path, list, index } of last) {
      list.splice(index, 1);
      const owner = at(this.payload, path.slice(0, -1));
      if (list.length > 0 || !owner) continue;
      // Without the list, the payload is valid if the list is optional; if not, its own entry is faulty.
      delete owner[path.at(-1) ?? ''];
      this.#emptied.add(owner);
    }
    return true;
  }
}

/** Entries that are named in the protocol log. */
const MOST_NAMED = 50;

/** The number of values in a payload on all levels. Stops counting beyond `MOST_VALUES`. */
function countValues(payload: object, counted = 0): number {
  let count = counted;
  for (const value of Object.values(payload)) {
    count += 1;
    if (count > MOST_VALUES) return count;
    if (typeof value === 'object' && value !== null) count = countValues(value, count);
  }
  return count;
}

/** Harmless deviations: the value is kept unchanged. */
const UNCHANGED_KEYWORDS: ReadonlySet<string> = new Set([
  'enum',
  'maxLength',
  'minLength',
  'format',
  'minimum',
  'maximum',
  'minItems',
]);

/** Repairs one fault in place and returns a description, or null. */
function repair(
  defaults: Dialect['defaults'][string] | undefined,
  payload: object,
  error: ErrorObject,
  receivedAt: Date,
): string | null {
  const path = error.instancePath.split('/').slice(1);
  if (error.params.format === 'date-time') {
    const text = valueAt(payload, path);
    const at = typeof text === 'string' ? reportedTime(text) : null;
    return at && /[+-]\d{1,2}(:?\d{2})?$/.test(String(text).slice(-6)) && !Number.isNaN(at.getTime())
      ? `unchanged; read as ${at.toISOString()}`
      : 'unchanged; read as UTC, because it has no time zone';
  }
  if (error.keyword === 'enum') return otherLetterCase(payload, path, error.params.allowedValues) ?? 'unchanged';
  if (UNCHANGED_KEYWORDS.has(error.keyword)) return 'unchanged';
  if (error.keyword === 'additionalProperties') {
    const owner = at(payload, path);
    delete owner?.[String(error.params.additionalProperty)];
    return 'left out';
  }
  if (error.keyword === 'required' && path.length === 0) {
    const field = String(error.params.missingProperty);
    const replacement = defaults?.[field];
    if (replacement === undefined) return null;
    (payload as Record<string, unknown>)[field] = replacement === 'now' ? receivedAt.toISOString() : replacement;
    return `taken as ${replacement}`;
  }
  if (error.keyword === 'type') {
    const field = path.at(-1);
    const owner = at(payload, path.slice(0, -1));
    if (field === undefined || !owner) return null;
    if (owner[field] === null && !Array.isArray(owner)) {
      delete owner[field];
      return 'left out';
    }
    const value = coerce(owner[field], String(error.params.type));
    if (value === undefined) return null;
    owner[field] = value;
    return `read as ${String(error.params.type)}`;
  }
  return null;
}

/** Replaces a word in other letter case, such as `available` or `KW`, by the word of the specification. */
function otherLetterCase(payload: object, path: readonly string[], allowed: unknown): string | null {
  const owner = at(payload, path.slice(0, -1));
  const field = path.at(-1);
  const word = field === undefined ? undefined : owner?.[field];
  if (!owner || field === undefined || typeof word !== 'string' || word.length > LONGEST_WORD) return null;
  const small = word.toLowerCase();
  const same = (Array.isArray(allowed) ? allowed : []).filter((one) => String(one).toLowerCase() === small);
  if (same.length !== 1) return null;
  owner[field] = same[0];
  return `read as ${same[0]}`;
}

/** No word of OCPP is longer. */
const LONGEST_WORD = 64;

function valueAt(payload: object, path: readonly string[]): unknown {
  const field = path.at(-1);
  return field === undefined ? payload : at(payload, path.slice(0, -1))?.[field];
}

function at(payload: object, path: readonly string[]): Record<string, unknown> | null {
  let here: unknown = payload;
  for (const step of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return null;
    here = (here as Record<string, unknown>)[step];
  }
  return typeof here === 'object' && here !== null ? (here as Record<string, unknown>) : null;
}

function coerce(value: unknown, type: string): unknown {
  // Converters from XML send a list of one as its only entry.
  if (type === 'array' && typeof value === 'object' && value !== null) return [value];
  if (type === 'string' && (typeof value === 'number' || typeof value === 'boolean')) return String(value);
  if ((type === 'integer' || type === 'number') && typeof value === 'string' && /^-?\d{1,10}(\.\d+)?$/.test(value)) {
    return type === 'integer' ? Math.round(Number(value)) : Number(value);
  }
  if (type === 'integer' && typeof value === 'number' && Number.isFinite(value)) return Math.round(value);
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return undefined;
}
