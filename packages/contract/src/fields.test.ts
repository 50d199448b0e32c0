import { expect, test } from 'vitest';
import { ENDPOINTS, type Endpoint, FIELD_LABELS, fieldLabel } from './index.ts';

const endpoints: Endpoint[] = Object.values(ENDPOINTS);

/** The names of all inputs that a person can get wrong. */
const inputs = new Set(
  endpoints.flatMap(({ params, query, body }) =>
    [params, query, body].flatMap((part) => Object.keys(part?.properties ?? {})),
  ),
);

test.each([...inputs])('the input %s has a label in both languages', (field) => {
  expect(FIELD_LABELS[field]).toEqual({ en: expect.stringMatching(/\S/), zh: expect.stringMatching(/\S/) });
});

test('every label is that of an input', () => {
  expect(Object.keys(FIELD_LABELS).filter((field) => !inputs.has(field))).toEqual([]);
});

test('an input nobody knows is called by its own name', () => {
  for (const name of ['colour', 'constructor', '__proto__']) expect(fieldLabel(name, 'zh-CN')).toBe(name);
});

test('every call has an id and an address of its own', () => {
  const ids = endpoints.map(({ id }) => id);
  const addresses = endpoints.map(({ method, path }) => `${method} ${path}`);
  expect(new Set(ids).size).toBe(ids.length);
  expect(new Set(addresses).size).toBe(addresses.length);
});
