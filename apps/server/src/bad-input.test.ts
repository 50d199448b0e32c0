import { CODES, ENDPOINTS, type Endpoint, fleetEndpoints } from '@chargehand/contract';
import type { TObject } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Ground } from './testing/cases/ground.ts';
import type { Client } from './testing/client.ts';
import { ENDPOINT_CASES } from './testing/endpoint-cases.ts';
import { type Inputs, invoke } from './testing/invoke.ts';
import { startTestServer, type TestServer } from './testing/server.ts';

/** Texts that have broken programs: SQL, script, patterns, paths, formats, letters of many bytes. */
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

/** What no text may hold: what cannot be stored, and marks that turn the writing direction. */
const FORBIDDEN = [
  ['U+0000', 'a\u0000b'],
  ['U+202E', 'a\u202Eb'],
  ['U+200F', '\u200Fa'],
] as const;

/** Days and times that the formats of JSON Schema admit, and that no clock or database here knows. */
const UNREADABLE = {
  date: ['2026-02-30', '0000-01-01'],
  'date-time': ['2026-11-20T23:59:60Z', '2026-11-20T00:00:00+08', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59-12:00'],
} as const;

/** Endpoints that take something; the others have nothing that could be bad. */
const endpoints = (Object.values(ENDPOINTS) as Endpoint[]).filter((one) => one.params ?? one.query ?? one.body);

let server: TestServer;
let root: Client;
let ground: Ground;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  root = await server.as('root');
  ground = { world: server.world, db: server.database.db };
});
afterAll(() => server.stop());

const validCall = async (endpoint: Endpoint): Promise<Inputs> =>
  (await ENDPOINT_CASES[endpoint.id]?.call?.(ground, 'northQuay', 'root')) ?? {};

/** Every place of an endpoint that takes text, and a call with a text put into it. */
function textFields(endpoint: Endpoint): { part: 'query' | 'body'; name: string }[] {
  return (['query', 'body'] as const).flatMap((part) =>
    Object.entries(endpoint[part]?.properties ?? {})
      .filter(([, schema]) => takesText(schema as { type?: string; anyOf?: { type?: string }[] }))
      .map(([name]) => ({ part, name })),
  );
}

/** Every place of an endpoint that takes a day or a time. */
function timeFields(endpoint: Endpoint): { part: 'query' | 'body'; name: string; format: keyof typeof UNREADABLE }[] {
  return (['query', 'body'] as const).flatMap((part) =>
    Object.entries(endpoint[part]?.properties ?? {}).flatMap(([name, schema]) => {
      const { format, anyOf = [] } = schema as { format?: string; anyOf?: { format?: string }[] };
      const found = [format, ...anyOf.map((one) => one.format)].find((one) => one === 'date' || one === 'date-time');
      return found ? [{ part, name, format: found }] : [];
    }),
  );
}

/** Every place of an endpoint that takes a whole number. */
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
  return schema.type === 'string' || (schema.anyOf ?? []).some((one) => one.type === 'string');
}

async function callWith(endpoint: Endpoint, part: 'query' | 'body', name: string, value: unknown) {
  const inputs = await validCall(endpoint);
  const answer = await invoke(root, endpoint, { ...inputs, [part]: { ...(inputs[part] as object), [name]: value } });
  if (answer.code === 0) await ENDPOINT_CASES[endpoint.id]?.undo?.(ground);
  expect(answer.message).not.toMatch(/\{[a-z]+\}/i);
  return answer;
}

describe.each(endpoints.map((endpoint) => [endpoint.id, endpoint] as const))('%s', (_, endpoint) => {
  test.each(textFields(endpoint))(
    'hostile text in $name of the $part is text or a clear error',
    async ({ part, name }) => {
      for (const text of HOSTILE) {
        const { status, code } = await callWith(endpoint, part, name, text);
        expect(status).toBe(200);
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

  test.each(textFields(endpoint))(
    'a text without end in $name of the $part names the field',
    async ({ part, name }) => {
      const length = ENDPOINT_CASES[endpoint.id]?.longTexts?.includes(name) ? 100_000 : 10_000;
      const { code, field } = await callWith(endpoint, part, name, 'x'.repeat(length));
      expect({ code: code >= 10_000 && code < 20_000, field }).toEqual({ code: true, field: name });
    },
  );

  test.each(timeFields(endpoint))(
    'a time that nobody can read in $name of the $part names the field',
    async ({ part, name, format }) => {
      for (const text of UNREADABLE[format]) {
        const { status, code, field } = await callWith(endpoint, part, name, text);
        expect({ text, status, code, field }).toEqual({ text, status: 200, code: CODES.fieldFormat.code, field: name });
      }
    },
  );

  test.each(numberFields(endpoint))(
    'a number that nothing can hold in $name of the $part names the field',
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
      const bad = [Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]), '{"a":', '[]', '"text"', '{"__proto__":{"a":1}}'];
      for (const body of endpoint.body ? bad : bad.slice(0, 2)) {
        const response = await root.fetch(path, {
          method: endpoint.method,
          headers: { 'content-type': 'application/json' },
          body,
        });
        expect(response.status).toBe(200);
        expect(((await response.json()) as { code: number }).code).toBe(CODES.badBody.code);
      }
    });
  }

  for (const part of ['query', 'body'] as const) {
    if (!endpoint[part]) continue;
    test(`a field in the ${part} that nobody asked for is refused by its name`, async () => {
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
    test('a page beyond the end is empty and still tells the total', async () => {
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

test.each([
  ['/api/unauth/login', 'en-US', 'The request is too large: at most 1 MB.'],
  [fleetEndpoints.createDevice.path, 'zh-CN', '请求内容过大，最大 1 MB。'],
])('ten megabytes to %s answer 413 in the envelope', async (path, locale, message) => {
  const response = await root.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'accept-language': locale },
    body: JSON.stringify({ name: 'x'.repeat(10 * 1024 * 1024) }),
  });
  expect(response.status).toBe(413);
  expect(await response.json()).toEqual({ code: 10003, message, data: null });
});

test.each([`/api/auth/sys/menus/${'x'.repeat(300)}`, '/api/auth/sys/devices/%zz'])(
  'an address that the router refuses is answered in the envelope: %s',
  async (path) => {
    const response = await root.fetch(path, { headers: { 'accept-language': 'zh-CN' } });
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ code: 10001, message: '接口不存在。', data: null });
  },
);

test('a name of script and SQL is kept and given back as it was typed', async () => {
  const name = `<script>alert('1')</script>"; drop table devices; --`;
  const inputs = await validCall(fleetEndpoints.createDevice);
  const made = await invoke(root, fleetEndpoints.createDevice, { body: { ...(inputs.body as object), name } });
  expect(made.code).toBe(0);
  const { data } = await invoke(root, fleetEndpoints.readDevice, { params: { id: (made.data as { id: number }).id } });
  expect(data).toMatchObject({ name });
});

test('no answer is taken for anything but JSON by a browser', async () => {
  const response = await root.fetch(fleetEndpoints.listDevices.path);
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(response.headers.get('content-security-policy')).toContain("script-src 'self'");
});
