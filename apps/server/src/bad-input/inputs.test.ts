import { CODES, ENDPOINTS, type Endpoint } from '@chargehand/contract';
import type { TObject } from 'typebox';
import { describe, expect, test } from 'vitest';
import { checkTexts, specialFields } from '../platform/http/body/input-texts.ts';
import { Problem } from '../platform/http/problem.ts';
import { validatorCompiler } from '../platform/http/validation.ts';
import { ENDPOINT_CASES } from '../testing/contract/endpoint-cases.ts';
import {
  FORBIDDEN,
  HOSTILE,
  hasLines,
  LIMITED_BY_SERVICE,
  NO_IDS,
  numberFields,
  SEVERAL_LINES,
  textFields,
  timeFields,
  UNREADABLE,
} from '../testing/contract/input-fields.ts';

type Part = 'params' | 'query' | 'body';

const PART_OF_URL = { params: 'params', query: 'querystring', body: 'body' } as const;

/** The validator of one part of an endpoint, which no field is missing in. */
function validatorOf(endpoint: Endpoint, part: Part) {
  const schema = { ...(endpoint[part] as TObject), required: [] };
  const compiled = validatorCompiler({ schema, httpPart: PART_OF_URL[part], method: endpoint.method, url: '' });
  return compiled as (value: unknown) => { error?: unknown };
}

/** The problem of one field, as a request with it gets it: first its characters, then its schema; null without one. */
function problemOf(endpoint: Endpoint, validate: ReturnType<typeof validatorOf>, name: string, value: unknown) {
  const input = { [name]: value };
  const found = checkTexts(input, specialFields(endpoint));
  if (found) return { code: 'fieldCharacters', field: found.field, message: found.character };
  const { error } = validate(input);
  if (error === undefined) return null;
  if (!(error instanceof Problem)) throw error;
  return { code: error.code, field: error.field, message: error.envelope('en-US').message };
}

const endpoints = Object.values<Endpoint>(ENDPOINTS).filter(({ params, query, body }) => params ?? query ?? body);

describe.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (id, endpoint) => {
  const validators = new Map<Part, ReturnType<typeof validatorOf>>();
  const problem = (part: Part, name: string, value: unknown) => {
    if (!validators.has(part)) validators.set(part, validatorOf(endpoint, part));
    return problemOf(endpoint, validators.get(part)!, name, value);
  };

  test('malicious text is a text, or gives a message that names the field', () => {
    for (const { part, name } of textFields(endpoint)) {
      for (const text of HOSTILE) {
        const { field = name, message = '' } = problem(part, name, text) ?? {};
        expect(field).toBe(name);
        expect(message).not.toMatch(/\{[a-z]+\}/i);
      }
    }
  });

  test('a forbidden character, a line end, a tab or a line separator names the field', () => {
    for (const one of textFields(endpoint)) {
      for (const [character, text] of hasLines(endpoint, one) ? FORBIDDEN : [...FORBIDDEN, ...SEVERAL_LINES]) {
        expect(problem(one.part, one.name, text)).toEqual({
          ...{ code: 'fieldCharacters', field: one.name, message: character },
        });
      }
    }
  });

  test('a very long text names the field', () => {
    for (const { part, name } of textFields(endpoint)) {
      if (LIMITED_BY_SERVICE.some((field) => field[0] === id && field[1] === name)) continue;
      const length = ENDPOINT_CASES[id]?.longTexts?.includes(name) ? 100_000 : 10_000;
      const code = problem(part, name, 'x'.repeat(length))?.code as keyof typeof CODES | undefined;
      expect({ name, refused: code !== undefined }).toEqual({ name, refused: true });
      expect(CODES[code!].code).toBeLessThan(20_000);
    }
  });

  test('an unsupported time names the field', () => {
    for (const format of ['date', 'date-time'] as const) {
      for (const { part, name } of timeFields(endpoint, format)) {
        for (const text of UNREADABLE[format]) {
          expect({ text, ...problem(part, name, text) }).toMatchObject({ text, code: 'fieldFormat', field: name });
        }
      }
    }
  });

  test('a number that is out of range names the field', () => {
    for (const { part, name } of numberFields(endpoint)) {
      for (const number of [1e20, -1e20]) expect(problem(part, name, number)).toMatchObject({ field: name });
    }
  });

  test('an unknown field names itself', () => {
    for (const part of ['query', 'body'] as const) {
      if (!endpoint[part]) continue;
      expect(problem(part, 'surprise', 1)).toMatchObject({ code: 'fieldUnknown', field: 'surprise' });
    }
  });

  test('a text that is no id is refused', () => {
    if (!endpoint.params || !('id' in endpoint.params.properties)) return;
    for (const text of NO_IDS) expect(problem('params', 'id', text)).toMatchObject({ field: 'id' });
  });

  test('a page, a size or an order that does not exist names the field', () => {
    const wrong: [string, unknown][] = [
      ['page', 0],
      ['page', 'x'],
      ['pageSize', 21],
      ['sort', 'password_hash'],
    ];
    for (const [name, value] of 'page' in (endpoint.query?.properties ?? {}) ? wrong : []) {
      expect(problem('query', name, value)).toMatchObject({ field: name });
    }
  });
});
