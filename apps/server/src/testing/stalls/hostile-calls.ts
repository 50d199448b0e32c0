import { JSON_LIMITS } from '@chargehand/domain';

/** A payload that is meant to keep a server busy, with a description. */
export interface HostilePayload {
  what: string;
  payload: unknown;
}

/** The properties of an OCPP schema that are read here. */
interface Schema {
  $ref?: string;
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  enum?: unknown[];
  format?: string;
  maxLength?: number;
  definitions?: Record<string, Schema>;
}

/** Options for creating an example. */
interface Making {
  /** the list with many entries, and their number */
  list?: Schema;
  count?: number;
  /** makes its texts different from those of other entries */
  number: number;
  /** the value of texts; the schema limits their length */
  text?: (schema: Schema) => unknown;
  /** fields that the schema of an entry does not contain */
  more?: object;
}

/**
 * The most expensive payloads that the schema of a message allows, each up to a number of bytes: every list filled with
 * valid entries, invalid ones and ones that tolerant reading repairs, and every text with its maximum length.
 */
export function* hostilePayloads(schema: object, bytes: number): Generator<HostilePayload> {
  const root = schema as Schema;
  yield { what: 'texts as long as they may be', payload: make(root, root, { number: 1, text: longText(bytes) }) };
  const unknown = Object.fromEntries(Array.from({ length: JSON_LIMITS.members - 50 }, (_, at) => [`unknown${at}`, {}]));
  yield { what: 'unknown fields', payload: { ...(make(root, root, { number: 1 }) as object), ...unknown } };
  for (const [path, list] of listsOf(root, root)) {
    const filled = (what: string, making: Partial<Making>) => ({
      what: `${path}: ${what}`,
      payload: fill(root, { list, number: 1, ...making }, bytes),
    });
    yield filled('as many entries as fit', {});
    yield filled('entries to be repaired', { text: () => 1, more: { unknown: 1 } });
    yield filled('entries without what they need', { text: () => null });
  }
}

/** With as many entries in its list as fit into a number of bytes and the limits of JSON. */
function fill(root: Schema, making: Making, bytes: number): unknown {
  const sample = JSON.stringify([make(root, itemOf(making), { ...making, number: 10_000 })]);
  const values = sample.match(/[,[{]/g)?.length ?? 1;
  const count = Math.min(
    making.list?.maxItems ?? Number.POSITIVE_INFINITY,
    Math.floor((bytes - 2_000) / (sample.length - 1)),
    Math.floor((JSON_LIMITS.values - 100) / values),
  );
  return make(root, root, { ...making, count });
}

const itemOf = ({ list }: Making): Schema => list?.items ?? {};

function make(root: Schema, given: Schema, making: Making): unknown {
  const schema = resolved(root, given);
  if (schema.enum) return schema.enum[0];
  switch (schema.type) {
    case 'array': {
      const count = schema === making.list ? (making.count ?? 1) : 1;
      return Array.from({ length: count }, (_, at) =>
        make(root, schema.items ?? {}, schema === making.list ? { ...making, number: making.number + at } : making),
      );
    }
    case 'object': {
      const { properties = {}, required = [] } = schema;
      const names = Object.keys(properties).filter(
        (name) => required.includes(name) || leadsTo(root, properties[name], making.list),
      );
      const made = names.map((name) => [name, make(root, properties[name] ?? {}, making)]);
      return { ...Object.fromEntries(made), ...(making.list === undefined ? {} : making.more) };
    }
    case 'string':
      if (making.text) return making.text(schema);
      if (schema.format === 'date-time') return new Date(1_700_000_000_000 + making.number).toISOString();
      return `t${making.number}`.slice(0, schema.maxLength);
    case 'boolean':
      return true;
    default:
      return 1;
  }
}

function resolved(root: Schema, schema: Schema | undefined): Schema {
  const name = schema?.$ref?.split('/').at(-1);
  return (name === undefined ? schema : root.definitions?.[name]) ?? {};
}

function leadsTo(root: Schema, given: Schema | undefined, list: Schema | undefined, depth = 0): boolean {
  const schema = resolved(root, given);
  if (list === undefined || depth > 6) return false;
  if (schema === list) return true;
  if (schema.type === 'array') return leadsTo(root, schema.items, list, depth + 1);
  return Object.values(schema.properties ?? {}).some((property) => leadsTo(root, property, list, depth + 1));
}

function* listsOf(root: Schema, given: Schema, path = '', depth = 0): Generator<[path: string, list: Schema]> {
  const schema = resolved(root, given);
  if (depth > 6) return;
  if (schema.type === 'array') {
    yield [path, schema];
    yield* listsOf(root, schema.items ?? {}, `${path}[]`, depth + 1);
  }
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    yield* listsOf(root, property, path === '' ? name : `${path}.${name}`, depth + 1);
  }
}

/** A text with a share of a number of bytes, within its schema. */
function longText(bytes: number): (schema: Schema) => string {
  return ({ maxLength = bytes / 4, format }) =>
    format === 'date-time'
      ? `2026-01-01T00:00:00.${'0'.repeat(bytes / 4)}Z`
      : 'é'.repeat(Math.min(maxLength, bytes / 8));
}
