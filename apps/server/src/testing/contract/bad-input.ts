import { CODES, type Endpoint } from '@chargehand/contract';
import type { TObject } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Ground } from '../cases/ground.ts';
import type { Client } from '../client.ts';
import { type Inputs, invoke } from '../invoke.ts';
import { startTestServer, type TestServer } from '../server.ts';
import { type ContractPart, endpointsOf } from './contract-parts.ts';
import { ENDPOINT_CASES } from './endpoint-cases.ts';

/** Texts that are known to break programs: SQL, script, patterns, paths, format strings, multi-byte letters. */
const HOSTILE = [
  `'; drop table users; --`,
  `" or 1=1 --`,
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '%_\\',
  '../../etc/passwd',
  '{{7*7}}%s%n#{7*7}',
  '充电桩🔌👩‍🔧',
  'שלום مرحبا',
];

/** Forbidden characters in texts: characters that cannot be stored, and marks that change the writing direction. */
const FORBIDDEN = [
  ['U+0000', 'a\u0000b'],
  ['U+202E', 'a\u202Eb'],
  ['U+200F', '\u200Fa'],
] as const;

/** Forbidden characters in texts of one line. */
const SEVERAL_LINES = [
  ['U+000D', 'a\r\nb'],
  ['U+000A', 'a\nb'],
  ['U+0009', 'a\tb'],
  ['U+2028', 'a\u2028b'],
] as const;

/** Dates and times that the formats of JSON Schema allow, and that neither `Date` nor the database supports. */
const UNREADABLE = {
  date: ['2026-02-30', '0000-01-01'],
  'date-time': ['2026-11-20T23:59:60Z', '2026-11-20T00:00:00+08', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59-12:00'],
} as const;

/** Every text field of an endpoint, and a call with a text in it. */
function textFields(endpoint: Endpoint): { part: 'query' | 'body'; name: string }[] {
  return (['query', 'body'] as const).flatMap((part) =>
    Object.entries(endpoint[part]?.properties ?? {})
      .filter(([, schema]) => takesText(schema as { type?: string; anyOf?: { type?: string }[] }))
      .map(([name]) => ({ part, name })),
  );
}

/** Every date and time field of an endpoint. */
function timeFields(endpoint: Endpoint): { part: 'query' | 'body'; name: string; format: keyof typeof UNREADABLE }[] {
  return (['query', 'body'] as const).flatMap((part) =>
    Object.entries(endpoint[part]?.properties ?? {}).flatMap(([name, schema]) => {
      const { format, anyOf = [] } = schema as { format?: string; anyOf?: { format?: string }[] };
      const found = [format, ...anyOf.map((one) => one.format)].find((one) => one === 'date' || one === 'date-time');
      return found ? [{ part, name, format: found }] : [];
    }),
  );
}

/** Every integer field of an endpoint. */
function numberFields(endpoint: Endpoint): { part: 'query' | 'body'; name: string }[] {
  return (['query', 'body'] as const).flatMap((part) =>
    Object.entries(endpoint[part]?.properties ?? {})
      .filter(([, schema]) => {
        const { type, anyOf = [] } = schema as { type?: string; anyOf?: { type?: string }[] };
        return type === 'integer' || anyOf.some((one) => one.type === 'integer');
      })
      .map(([name]) => ({ part, name })),
  );
}

function takesText(schema: { type?: string; anyOf?: { type?: string }[] }): boolean {
  // The bytes of a file are not text.
  if ('x-bytes' in schema) return false;
  return schema.type === 'string' || (schema.anyOf ?? []).some((one) => one.type === 'string');
}

/** True for a text that the contract declares with `Lines`. */
function hasLines(endpoint: Endpoint, part: 'query' | 'body', name: string): boolean {
  const schema = endpoint[part]?.properties[name] as { anyOf?: object[] };
  return [schema, ...(schema.anyOf ?? [])].some((one) => 'x-lines' in one);
}

/** Sends invalid values for every input of a part of the contract: each is stored as text, or refused with its name. */
export function badInput(part: ContractPart): void {
  let server: TestServer;
  let root: Client;
  let ground: Ground;
  beforeAll(async () => {
    server = await startTestServer({ captcha: false, trustedProxies: ['127.0.0.1'] });
    root = await server.as('root');
    ground = { world: server.world, db: server.database.db };
  });
  afterAll(() => server.stop());

  const validCall = async (endpoint: Endpoint): Promise<Inputs> =>
    (await ENDPOINT_CASES[endpoint.id]?.call?.(ground, 'northQuay', 'root')) ?? {};

  let calls = 0;
  /** Public endpoints are called from an address of their own each time, because they limit the calls of one address. */
  const from = (endpoint: Endpoint): Record<string, string> => {
    if (endpoint.policy.route !== 'public') return {};
    calls += 1;
    return { 'x-forwarded-for': `10.${calls >> 16}.${(calls >> 8) & 255}.${calls & 255}` };
  };

  async function callWith(endpoint: Endpoint, part: 'query' | 'body', name: string, value: unknown) {
    const inputs = await validCall(endpoint);
    const changed = { ...inputs, [part]: { ...(inputs[part] as object), [name]: value } };
    const answer = await invoke(root, endpoint, changed, from(endpoint));
    if (answer.code === 0) await ENDPOINT_CASES[endpoint.id]?.undo?.(ground);
    // Only the message about the placeholders of a template names some.
    if (answer.code !== CODES.templatePlaceholder.code) expect(answer.message).not.toMatch(/\{[a-z]+\}/i);
    return answer;
  }

  /** Endpoints with inputs; the others have nothing to test. The access matrix reads rows of other names. */
  const endpoints = endpointsOf(part).filter(
    ({ method, params, query, body }) => query ?? body ?? (params && (method !== 'GET' || 'id' in params.properties)),
  );
  describe.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (_, endpoint) => {
    test.each(textFields(endpoint))(
      'malicious text in $name of the $part is stored as text or gives a clear error',
      async ({ part, name }) => {
        for (const text of HOSTILE) {
          const { status, code } = await callWith(endpoint, part, name, text);
          // Otherwise a browser would store the answer as the file.
          expect(status).toBeOneOf(endpoint.answer === null ? [200, 404] : [200]);
          expect(code).not.toBe(CODES.internalError.code);
        }
        const { rows } = await server.database.pool.query(
          'select count(*)::int as n from users where id = any($1::int[])',
          [Object.values(ground.world.users)],
        );
        expect(rows).toEqual([{ n: 10 }]);
      },
    );

    test.each(textFields(endpoint))(
      'forbidden characters in $name of the $part name the field',
      async ({ part, name }) => {
        for (const [character, text] of FORBIDDEN) {
          const { code, field, message } = await callWith(endpoint, part, name, text);
          expect({ code, field }).toEqual({ code: CODES.fieldCharacters.code, field: name });
          expect(message).toContain(character);
        }
      },
    );

    test.each(textFields(endpoint).filter(({ part, name }) => !hasLines(endpoint, part, name)))(
      'a line end, a tab or a line separator in $name of the $part names the field',
      async ({ part, name }) => {
        for (const [character, text] of SEVERAL_LINES) {
          const { code, field, message } = await callWith(endpoint, part, name, text);
          expect({ code, field }).toEqual({ code: CODES.fieldCharacters.code, field: name });
          expect(message).toContain(character);
        }
      },
    );

    test.each(textFields(endpoint))(
      'a very long text in $name of the $part names the field',
      async ({ part, name }) => {
        const length = ENDPOINT_CASES[endpoint.id]?.longTexts?.includes(name) ? 100_000 : 10_000;
        const { code, field } = await callWith(endpoint, part, name, 'x'.repeat(length));
        expect({ code: code >= 10_000 && code < 20_000, field }).toEqual({ code: true, field: name });
      },
    );

    test.each(timeFields(endpoint))(
      'an unsupported time in $name of the $part names the field',
      async ({ part, name, format }) => {
        for (const text of UNREADABLE[format]) {
          const { status, code, field } = await callWith(endpoint, part, name, text);
          expect({ text, status, code, field }).toEqual({
            text,
            status: 200,
            code: CODES.fieldFormat.code,
            field: name,
          });
        }
      },
    );

    test.each(numberFields(endpoint))(
      'a number that is out of range in $name of the $part names the field',
      async ({ part, name }) => {
        for (const number of [1e20, -1e20]) {
          const { status, code, field } = await callWith(endpoint, part, name, number);
          expect({ status, code: code >= 10_000 && code < 20_000, field }).toEqual({
            ...{ status: 200, code: true, field: name },
          });
        }
      },
    );

    if (endpoint.method !== 'GET') {
      test('a body that is not UTF-8, not JSON or not an object is refused', async () => {
        const { params } = await validCall(endpoint);
        const path = endpoint.path.replace(/:(\w+)/g, (_whole, name: string) => String(params?.[name]));
        const bad = [
          Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]),
          '{"a":',
          '[]',
          '"text"',
          '{"__proto__":{"a":1}}',
        ];
        for (const body of endpoint.body ? bad : bad.slice(0, 2)) {
          const response = await root.fetch(path, {
            method: endpoint.method,
            headers: { 'content-type': 'application/json', ...from(endpoint) },
            body,
          });
          expect(response.status).toBe(200);
          expect(((await response.json()) as { code: number }).code).toBe(CODES.badBody.code);
        }
      });
    }

    for (const part of ['query', 'body'] as const) {
      if (!endpoint[part]) continue;
      test(`an unknown field in the ${part} is refused with its name`, async () => {
        const { code, field } = await callWith(endpoint, part, 'surprise', 1);
        expect({ code, field }).toEqual({ code: CODES.fieldUnknown.code, field: 'surprise' });
      });
    }

    if (endpoint.params && 'id' in endpoint.params.properties) {
      test.each(['0', '-1', '1.5', 'one', '99999999999', '1%20or%201=1'])('the id %s is refused', async (id) => {
        const inputs = await validCall(endpoint);
        const { status, code } = await invoke(root, endpoint, { ...inputs, params: { id } });
        expect(status).toBe(200);
        expect(code).toBeGreaterThanOrEqual(CODES.fieldRequired.code);
        expect(code).toBeLessThan(CODES.notFound.code);
      });
    }

    const query: TObject['properties'] = endpoint.query?.properties ?? {};
    if ('page' in query) {
      test('a page beyond the end is empty and still contains the total', async () => {
        const inputs = await validCall(endpoint);
        const first = await invoke(root, endpoint, inputs);
        const beyond = await invoke(root, endpoint, { ...inputs, query: { ...inputs.query, page: 1_000_000 } });
        expect(beyond).toMatchObject({ code: 0, data: { items: [] } });
        expect((beyond.data as { total: number }).total).toBe((first.data as { total: number }).total);
      });

      test.each([
        [{ page: 0 }, 'page'],
        [{ page: 'x' }, 'page'],
        [{ pageSize: 21 }, 'pageSize'],
        [{ sort: 'password_hash' }, 'sort'],
      ])('%j names the field', async (wrong, field) => {
        const inputs = await validCall(endpoint);
        expect(await invoke(root, endpoint, { ...inputs, query: { ...inputs.query, ...wrong } })).toMatchObject({
          status: 200,
          field,
        });
      });
    }
  });
}
