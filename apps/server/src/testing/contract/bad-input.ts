import { CODES, ENDPOINTS, type Endpoint } from '@chargehand/contract';
import type { TObject } from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Ground } from '../cases/ground.ts';
import type { Client } from '../client.ts';
import { type Inputs, invoke } from '../invoke.ts';
import { startTestServer, type TestServer } from '../server.ts';
import { ENDPOINT_CASES } from './endpoint-cases.ts';
import {
  FORBIDDEN,
  HOSTILE,
  hasLines,
  NO_IDS,
  numberFields,
  SEVERAL_LINES,
  textFields,
  timeFields,
  UNREADABLE,
} from './input-fields.ts';

/** Sends invalid values for every input of every endpoint: each is stored as text, or refused with its name. */
export function badInput(): void {
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
  const endpoints = Object.values<Endpoint>(ENDPOINTS).filter(
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

    test.each(textFields(endpoint).filter((field) => !hasLines(endpoint, field)))(
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

    const times = (['date', 'date-time'] as const).flatMap((format) =>
      timeFields(endpoint, format).map((field) => ({ ...field, format })),
    );
    test.each(times)('an unsupported time in $name of the $part names the field', async ({ part, name, format }) => {
      for (const text of UNREADABLE[format]) {
        const { status, code, field } = await callWith(endpoint, part, name, text);
        expect({ text, status, code, field }).toEqual({
          text,
          status: 200,
          code: CODES.fieldFormat.code,
          field: name,
        });
      }
    });

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
      test.each(NO_IDS)('the id %s is refused', async (id) => {
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
