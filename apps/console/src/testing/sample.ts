import { ENDPOINTS } from '@chargehand/contract';
import type { Answer, EndpointName } from '../shared/api/client.ts';

/** The part of a JSON schema that the contract uses. */
interface Schema {
  type?: string;
  const?: unknown;
  enum?: readonly unknown[];
  anyOf?: readonly Schema[];
  properties?: Record<string, Schema>;
  required?: readonly string[];
  items?: Schema;
  format?: string;
  minimum?: number;
}

const FORMATS: Record<string, string> = {
  'date-time': '2026-01-01T00:00:00Z',
  date: '2026-01-01',
  uuid: '00000000-0000-4000-8000-000000000000',
};

type RowOf<K extends EndpointName> = Answer<K> extends { items: (infer Row)[] } ? Row : never;

/**
 * The smallest response of an endpoint that its schema allows, merged with `values`: empty lists, zeros, null where
 * allowed.
 */
export function sample<K extends EndpointName>(name: K, values: Partial<Answer<K>> = {}): Answer<K> {
  return { ...(smallest(answerOf(name)) as object), ...values } as Answer<K>;
}

/** A row of a list, as created by `sample`. */
export function sampleRow<K extends EndpointName>(name: K, values: Partial<RowOf<K>> = {}): RowOf<K> {
  const items = answerOf(name).properties?.items?.items;
  if (!items) throw new Error(`${name} does not answer a list`);
  return { ...(smallest(items) as object), ...values } as RowOf<K>;
}

/** A list of such rows; `total` is their number, and `next` is null, if the list has them. */
export function sampleList<K extends EndpointName>(name: K, rows: Partial<RowOf<K>>[] = []): Answer<K> {
  const items = rows.map((values) => sampleRow(name, values));
  const has = answerOf(name).properties ?? {};
  return { ...sample(name), items, ...('total' in has && { total: items.length }) } as Answer<K>;
}

function answerOf(name: EndpointName): Schema {
  const { answer } = ENDPOINTS[name];
  if (answer === null) throw new Error(`${name} answers a file`);
  return answer as Schema;
}

function smallest(schema: Schema): unknown {
  if ('const' in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf) {
    const nothing = schema.anyOf.some(({ type }) => type === 'null');
    return nothing ? null : smallest(schema.anyOf[0]!);
  }
  switch (schema.type) {
    case 'object':
      return Object.fromEntries((schema.required ?? []).map((key) => [key, smallest(schema.properties?.[key] ?? {})]));
    case 'array':
      return [];
    case 'string':
      return FORMATS[schema.format ?? ''] ?? '';
    case 'boolean':
      return false;
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 0, 0);
    default:
      return null;
  }
}

/**
 * Responds to a list call like the server: `search` in every text of a row, filters by equality, one sort field, and
 * pages.
 */
export function listed<K extends EndpointName>(name: K, rows: () => Partial<RowOf<K>>[]) {
  return ({ query }: { query: Record<string, string> }): Answer<K> => {
    const { page = '1', pageSize = '20', sort, search, ...filters } = query;
    let found = rows().map((values) => sampleRow(name, values) as Record<string, unknown>);
    found = found.filter((row) => Object.entries(filters).every(([key, value]) => String(row[key] ?? value) === value));
    if (search) {
      const texts = (row: object) => Object.values(row).filter((value) => typeof value === 'string');
      found = found.filter((row) => texts(row).some((text) => text.includes(search)));
    }
    if (sort) {
      const field = sort.replace('-', '');
      found.sort((a, b) => String(a[field]).localeCompare(String(b[field])) * (sort.startsWith('-') ? -1 : 1));
    }
    const from = (Number(page) - 1) * Number(pageSize);
    return { ...sample(name), items: found.slice(from, from + Number(pageSize)), total: found.length } as Answer<K>;
  };
}
