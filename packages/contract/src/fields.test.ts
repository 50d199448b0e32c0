import { expect, test } from 'vitest';
import { ENDPOINTS, type Endpoint, FIELD_LABELS, fieldLabel } from './index.ts';

const endpoints: Endpoint[] = Object.values(ENDPOINTS);

/** The names of all inputs that a user can enter incorrectly. */
const inputs = new Set(
  endpoints.flatMap(({ params, query, body }) =>
    [params, query, body].flatMap((part) => Object.keys(part?.properties ?? {})),
  ),
);

test.each([...inputs])('the input %s has a label in both languages', (field) => {
  expect(FIELD_LABELS[field]).toEqual({ en: expect.stringMatching(/\S/), zh: expect.stringMatching(/\S/) });
});

test('every label belongs to an input', () => {
  expect(Object.keys(FIELD_LABELS).filter((field) => !inputs.has(field))).toEqual([]);
});

test('an unknown input has its own name as label', () => {
  for (const name of ['colour', 'constructor', '__proto__']) expect(fieldLabel(name, 'zh-CN')).toBe(name);
});

test('every input with a pattern says what is expected', () => {
  const silent = (schema: unknown): boolean =>
    typeof schema === 'object' &&
    schema !== null &&
    ((typeof (schema as { pattern?: unknown }).pattern === 'string' && !('x-expected' in schema)) ||
      Object.values(schema).some(silent));
  const found = endpoints.filter(({ params, query, body }) => [params, query, body].some(silent));
  expect(found.map(({ id }) => id)).toEqual([]);
});

test('every endpoint has a unique id and a unique path', () => {
  const ids = endpoints.map(({ id }) => id);
  const addresses = endpoints.map(({ method, path }) => `${method} ${path}`);
  expect(new Set(ids).size).toBe(ids.length);
  expect(new Set(addresses).size).toBe(addresses.length);
});

test('every endpoint has a Chinese name in Chinese characters', () => {
  for (const { nameZh } of endpoints) expect(nameZh).toMatch(/^[\u4e00-\u9fff]+$/);
});
