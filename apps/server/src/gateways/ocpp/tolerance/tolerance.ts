import { reportedTime } from '@chargehand/domain';
import type { ErrorObject } from 'ajv';
import type { Dialect } from '../dialect.ts';
import { describe } from '../schemas.ts';

/** The result of reading a payload tolerantly. */
export interface Tolerated {
  payload: object;
  /** each deviation from the schema, and how it was handled */
  notes: string[];
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
export function tolerate(
  dialect: Dialect,
  message: { action: string; kind: 'req' | 'conf'; payload: unknown },
  receivedAt: Date,
): Tolerated | null {
  const { action, kind, payload } = message;
  if (typeof payload !== 'object' || payload === null || countValues(payload) > MOST_VALUES) return null;
  const copy = structuredClone(payload) as object;
  const notes: string[] = [];
  const accepted = new Set<string>();
  for (let pass = 0; pass < MOST_PASSES; pass += 1) {
    const errors = (dialect.schemas.violationOf(action, kind, copy, 'all')?.errors ?? []).filter(
      (error) => !accepted.has(`${error.instancePath} ${error.keyword}`),
    );
    if (errors.length === 0) return { payload: copy, notes };
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
    const left = withoutEntries(copy, unreadable);
    if (left === null) return null;
    notes.push(...left);
  }
  return null;
}

/**
 * Lists whose entries do not depend on each other: one that cannot be read says nothing about the others. Of meter values
 * the inner list comes first.
 */
const INDEPENDENT: ReadonlySet<string> = new Set([
  ...['configurationKey', 'getVariableResult', 'setVariableResult', 'reportData', 'eventData', 'monitor'],
  ...['sampledValue', 'meterValue', 'transactionData', 'constantStreamData'],
]);

/**
 * Reads an answer in which some entries of a list violate the schema: keeps the others and names what is left out. The
 * device cannot correct an answer, so this applies to strict models too. Null when that does not help.
 */
export function withoutFaultyEntries(dialect: Dialect, action: string, payload: object): Tolerated | null {
  if (countValues(payload) > MOST_VALUES) return null;
  const errors = dialect.schemas.violationOf(action, 'conf', payload, 'all')?.errors ?? [];
  if (errors.length === 0 || errors.length > MOST_FAULTS) return null;
  const copy = structuredClone(payload) as object;
  const notes = withoutEntries(copy, errors);
  return notes === null || dialect.schemas.violationOf(action, 'conf', copy) ? null : { payload: copy, notes };
}

/** Removes the entries with faults in place, and names them with their faults; null when a fault is in no such entry. */
function withoutEntries(payload: object, errors: readonly ErrorObject[]): string[] | null {
  const entries = new Map<string, { list: unknown[]; index: number; error: ErrorObject }>();
  for (const error of errors) {
    const path = error.instancePath.split('/').slice(1);
    const at = path.findLastIndex((step, index) => INDEPENDENT.has(step) && index < path.length - 1);
    const list = at < 0 ? null : valueAt(payload, path.slice(0, at + 1));
    if (!Array.isArray(list)) return null;
    const key = path.slice(0, at + 2).join('/');
    if (!entries.has(key)) entries.set(key, { list, index: Number(path[at + 1]), error });
  }
  const notes = [...entries.values()].map(({ list, index, error }) => {
    const key = (list[index] as { key?: unknown } | null)?.key;
    const name = typeof key === 'string' ? ` of ${key.slice(0, 60)}` : '';
    return `left out: ${describe(error)}${name}`;
  });
  // From the end, so that the other positions stay the same.
  const last = [...entries.values()].sort((one, other) => other.index - one.index);
  for (const { list, index } of last) list.splice(index, 1);
  return notes;
}

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
