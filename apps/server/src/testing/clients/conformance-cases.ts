import type { ErrorCode } from '../../gateways/ocpp/wire.ts';

/** A payload that a schema gives, and how the standard answers it. */
export interface ConformanceCase {
  name: string;
  payload: object;
  /** the error of OCPP-J 1.6 §4.2.3; null: the payload is valid, or is valid without a faulty entry of a list */
  error: ErrorCode | null;
}

/** The parts of JSON Schema that the schemas of OCPP use. */
interface Schema {
  $ref?: string;
  type?: string;
  enum?: unknown[];
  format?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: unknown;
  items?: Schema;
  definitions?: Record<string, Schema>;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
}

type Json = Record<string | number, unknown>;

/** Values of another type than the schema's. */
const OTHER_TYPE: Readonly<Record<string, unknown>> = {
  ...{ string: 5, integer: 'x', number: 'x', boolean: 'x', array: 'x', object: 'x' },
};

/**
 * The payloads of a schema: valid with all and with only the required fields, at each boundary, and with one fault each.
 * @param kind an answer without any entry is invalid; a message may have other content
 * @param independent lists whose entries do not depend on each other: a faulty one is left out
 */
export function conformanceCases(
  schema: object,
  kind: 'req' | 'conf',
  independent: ReadonlySet<string>,
): ConformanceCase[] {
  const root = schema as Schema;
  const resolved = (node: Schema): Schema =>
    node.$ref ? (root.definitions?.[node.$ref.split('/').at(-1) ?? ''] ?? {}) : node;

  const sample = (given: Schema, isFull: boolean): unknown => {
    const node = resolved(given);
    if (node.enum) return node.enum[0];
    if (node.type === 'string') {
      if (node.format === 'date-time') return new Date().toISOString();
      return node.format === 'uri' ? 'http://a.example/' : 'a'.repeat(Math.max(1, node.minLength ?? 1));
    }
    if (node.type === 'integer' || node.type === 'number')
      return Math.min(Math.max(1, node.minimum ?? 1), node.maximum ?? 1);
    if (node.type === 'boolean') return true;
    if (node.type === 'array') return listOf(node, Math.max(1, node.minItems ?? 1), isFull);
    const names = Object.keys(node.properties ?? {}).filter((name) => isFull || node.required?.includes(name));
    return Object.fromEntries(names.map((name) => [name, sample(node.properties![name]!, isFull)]));
  };
  const listOf = (node: Schema, count: number, isFull: boolean) =>
    Array.from({ length: count }, () => sample(node.items ?? {}, isFull));

  const cases: ConformanceCase[] = [];
  const full = () => sample(root, true) as Json;
  /** A full payload with one change at a path. */
  const changed = (name: string, path: readonly (string | number)[], error: ErrorCode | null, change: Change) => {
    const payload = full();
    const owner = path.slice(0, -1).reduce((here: Json, step) => here[step] as Json, payload);
    change(owner, path.at(-1) ?? '');
    cases.push({ name: `${path.join('.')} ${name}`, payload, error });
  };
  const set =
    (value: unknown): Change =>
    (owner, field) => {
      owner[field] = value;
    };

  /** @param isForgiven a fault here is in an entry that is left out */
  const walk = (given: Schema, path: readonly (string | number)[], isRequired: boolean, isForgiven: boolean): void => {
    const node = resolved(given);
    const fault = (error: ErrorCode) => (isForgiven ? null : error);
    if (node.type && path.length > 0) {
      changed('of another type', path, fault('TypeConstraintViolation'), set(OTHER_TYPE[node.type]));
      changed('null', path, fault('TypeConstraintViolation'), set(null));
    }
    const isField = typeof path.at(-1) === 'string';
    if (isRequired && isField) {
      changed('missing', path, fault('OccurenceConstraintViolation'), (owner, field) => delete owner[field]);
    }
    for (const word of node.enum ?? []) changed(`= ${word}`, path, null, set(word));
    if (node.enum) changed('an unknown word', path, fault('PropertyConstraintViolation'), set('NoSuchWord'));
    if (node.maxLength !== undefined && !node.format) {
      changed('as long as possible', path, null, set('a'.repeat(node.maxLength)));
      changed('too long', path, fault('PropertyConstraintViolation'), set('a'.repeat(node.maxLength + 1)));
    }
    if (node.format) changed('in another format', path, fault('PropertyConstraintViolation'), set('yesterday'));
    for (const [limit, step] of [
      [node.minimum, -1],
      [node.maximum, 1],
    ] as const) {
      if (limit === undefined) continue;
      changed(`= ${limit}`, path, null, set(limit));
      changed(`= ${limit + step}`, path, fault('PropertyConstraintViolation'), set(limit + step));
    }
    if (node.type === 'array') {
      const name = String(path.at(-1));
      if (node.minItems) changed('empty', path, fault('OccurenceConstraintViolation'), set([]));
      if (node.maxItems !== undefined) {
        changed('with too many entries', path, fault('OccurenceConstraintViolation'), (owner, field) => {
          owner[field] = listOf(node, node.maxItems! + 1, false);
        });
      }
      const isAll = kind === 'conf' && path.length === 1;
      // Without its only entry the list is gone, which is valid if it is optional.
      walk(node.items ?? {}, [...path, 0], false, isForgiven || (independent.has(name) && !isRequired && !isAll));
    }
    if (node.type !== 'object') return;
    if (node.additionalProperties === false) {
      changed('an unknown field', [...path, 'noSuchField'], fault('FormationViolation'), set(1));
    }
    for (const [name, property] of Object.entries(node.properties ?? {})) {
      walk(property, [...path, name], node.required?.includes(name) ?? false, isForgiven);
    }
  };
  cases.push({ name: 'all fields', payload: full(), error: null });
  cases.push({ name: 'only required fields', payload: sample(root, false) as object, error: null });
  walk(root, [], false, false);
  return cases;
}

type Change = (owner: Json, field: string | number) => unknown;
