import { readFileSync } from 'node:fs';
import { OPEN_OPERATION_GROUPS, OPEN_OPERATION_OBJECTS } from '@chargehand/domain';
import { expect, test } from 'vitest';
import { ROW_TYPES } from '../policy/policy.ts';
import { OPEN_ENDPOINTS } from './open.ts';
import type { OpenEndpoint } from './open-endpoint.ts';
import { openApiDocument } from './openapi.ts';

/** What was published: each input and each field of an answer, with its type. */
const PUBLISHED = new URL('./published.json', import.meta.url);

type Schema = {
  type?: string | string[];
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
};

/** The fields of a schema as lines: `items[].sn: string`. */
function fieldsOf(schema: Schema, path: string): string[] {
  if (schema.anyOf) return schema.anyOf.flatMap((one) => fieldsOf(one, path));
  if (schema.properties) {
    return Object.entries(schema.properties).flatMap(([name, inner]) =>
      fieldsOf(inner, path ? `${path}.${name}` : name),
    );
  }
  if (schema.items) return fieldsOf(schema.items, `${path}[]`);
  return [`${path}: ${schema.type ?? typeof schema.enum?.[0]}`];
}

const current = Object.values(OPEN_ENDPOINTS).flatMap(({ id, method, path, ...parts }) => {
  const { params, query, body, answer } = parts as { [key in 'params' | 'query' | 'body' | 'answer']?: Schema };
  const inputs = [params, query, body].flatMap((part) => (part ? fieldsOf(part, '') : []));
  return [
    `${id} ${method} ${path}`,
    ...inputs.map((field) => `${id} < ${field}`),
    ...fieldsOf(answer as Schema, '').map((field) => `${id} > ${field}`),
  ];
});

test('everything that was published is still there; add new lines to published.json', () => {
  const published: string[] = JSON.parse(readFileSync(PUBLISHED, 'utf8'));
  expect(published.filter((line) => !current.includes(line))).toEqual([]);
  expect(current.filter((line) => !published.includes(line))).toEqual([]);
});

test('no input that was optional has become required', () => {
  const required = Object.values(OPEN_ENDPOINTS).flatMap(({ id, ...parts }) => {
    const { query, body } = parts as { query?: Schema; body?: Schema };
    const withoutDefault = (part: Schema | undefined) =>
      (part?.required ?? []).filter((name) => !('default' in (part?.properties?.[name] ?? {})));
    return [...withoutDefault(query), ...withoutDefault(body)].map((name) => `${id} ${name}`);
  });
  expect(required).toEqual([
    'open.readChart items',
    'open.readChart from',
    'open.readChart to',
    'open.sendCommand kind',
    'open.createIssue title',
    'open.createIssue type',
  ]);
});

test('the document names every operation once', () => {
  const { paths } = openApiDocument('0') as { paths: Record<string, Record<string, { operationId: string }>> };
  const ids = Object.values(paths).flatMap((one) => Object.values(one).map(({ operationId }) => operationId));
  const operations = Object.values(OPEN_ENDPOINTS).map(({ id }) => id.replace('open.', ''));
  expect(ids.sort()).toEqual([...operations, 'createToken'].sort());
});

test('every operation can be chosen for an application', () => {
  const groups = Object.values(OPEN_OPERATION_GROUPS).flat();
  expect(groups.map((name) => `open.${name}`).sort()).toEqual(
    Object.values(OPEN_ENDPOINTS)
      .map(({ id }) => id)
      .sort(),
  );
});

test('the object that an operation names is the one of its policy', () => {
  const named = Object.values(OPEN_ENDPOINTS).flatMap(({ id, path, policy }: OpenEndpoint) => {
    const row = policy.route === 'public' ? undefined : policy.row;
    const name = id.replace('open.', '');
    return path.includes(':id') && typeof row === 'object' ? [[name, ROW_TYPES[row.object]]] : [];
  });
  expect(Object.fromEntries(named)).toEqual(OPEN_OPERATION_OBJECTS);
});
