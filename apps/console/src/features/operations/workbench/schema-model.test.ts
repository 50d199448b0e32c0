import { expect, test } from 'vitest';
import {
  fieldsOf,
  initialValue,
  kindOf,
  readPayload,
  resolved,
  type Schema,
  withEntry,
  withField,
} from './schema-model.ts';

const definitions: Record<string, Schema> = {
  Place: { type: 'object', properties: { id: { type: 'integer' }, only: { enum: ['One'] } }, required: ['id', 'only'] },
};
const schema: Schema = {
  type: 'object',
  properties: {
    note: { type: 'string' },
    place: { $ref: '#/definitions/Place' },
    list: { type: 'array', minItems: 1, items: { $ref: '#/definitions/Place' } },
    customData: { type: 'object' },
    kind: { enum: ['A', 'B'] },
  },
  required: ['place', 'list', 'kind'],
};

test('a new message contains the values that its schema fixes', () => {
  expect(initialValue(schema, definitions)).toEqual({ place: { only: 'One' }, list: [{ only: 'One' }] });
  expect(initialValue({ type: 'object', properties: {} }, {})).toBeUndefined();
});

test('required fields come first, and vendor extensions are not fields', () => {
  expect(fieldsOf(schema).map(({ name, required }) => `${name}${required ? '*' : ''}`)).toEqual([
    ...['place*', 'list*', 'kind*', 'note'],
  ]);
});

test.each<[Schema, string]>([
  [{ enum: ['A'] }, 'choice'],
  [{ type: 'string', format: 'date-time' }, 'time'],
  [{ type: 'string' }, 'text'],
  [{ type: 'integer' }, 'integer'],
  [{ type: 'boolean' }, 'boolean'],
  [{ type: 'array' }, 'list'],
  [{ type: 'object', properties: { a: {} } }, 'object'],
  [{ type: 'object' }, 'json'],
  [{}, 'json'],
])('%j has the input %s', (field, kind) => {
  expect(kindOf(field)).toBe(kind);
});

test('a reference is resolved', () => {
  expect(resolved({ $ref: '#/definitions/Place' }, definitions)).toEqual(definitions.Place);
});

test('changes do not modify the previous value', () => {
  const before = { a: 1 };
  expect(withField(before, 'b', 2)).toEqual({ a: 1, b: 2 });
  expect(withField(before, 'a', undefined)).toEqual({});
  expect(before).toEqual({ a: 1 });
  expect(withEntry(['x', 'y'], 1, 'z')).toEqual(['x', 'z']);
  expect(withEntry(['x', 'y'], 0, undefined)).toEqual(['y']);
});

test.each([
  ['{"a":1}', { a: 1 }],
  ['[1]', null],
  ['{', null],
  ['null', null],
])('the text %s is the payload %j', (text, expected) => {
  expect(readPayload(text)).toEqual(expected);
});
