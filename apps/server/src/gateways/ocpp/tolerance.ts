import type { ErrorObject } from 'ajv';
import type { Dialect } from './dialect.ts';
import { describe } from './schemas.ts';

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
const MOST_PASSES = 4;
/**
 * Payloads with more values are read strictly: finding all faults of a payload takes far longer than finding the first
 * one. A list of 600 parameters in OCPP 1.6 has 2,400 values.
 */
const MOST_VALUES = 2_500;
/** A message with more faults is refused: an off-spec device sends a few wrong fields, and each repair takes time. */
const MOST_FAULTS = 1_000;

/**
 * Reads a payload of an off-spec device as well as possible (design §6, tolerant mode): removes unknown fields,
 * converts between numbers and texts, keeps unknown words and overlong texts. Null when that does not help, or when the
 * payload has too many values or faults.
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
    for (const error of errors) {
      const note = repair(dialect.defaults[action], copy, error, receivedAt);
      if (note === null) return null;
      if (UNCHANGED_KEYWORDS.has(error.keyword)) accepted.add(`${error.instancePath} ${error.keyword}`);
      notes.push(`tolerated: ${describe(error)} (${note})`);
    }
  }
  return null;
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
  if (error.params.format === 'date-time') return 'unchanged; read as UTC, because it has no time zone';
  if (UNCHANGED_KEYWORDS.has(error.keyword)) return 'unchanged';
  const path = error.instancePath.split('/').slice(1);
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
    const value = coerce(owner[field], String(error.params.type));
    if (value === undefined) return null;
    owner[field] = value;
    return `read as ${String(error.params.type)}`;
  }
  return null;
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
  if (type === 'string' && (typeof value === 'number' || typeof value === 'boolean')) return String(value);
  if ((type === 'integer' || type === 'number') && typeof value === 'string' && /^-?\d{1,10}(\.\d+)?$/.test(value)) {
    return type === 'integer' ? Math.round(Number(value)) : Number(value);
  }
  if (type === 'integer' && typeof value === 'number' && Number.isFinite(value)) return Math.round(value);
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return undefined;
}
