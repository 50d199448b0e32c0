import { CODES, ENDPOINTS, type Endpoint } from '@chargehand/contract';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OPEN_ENFORCER } from '../../../testing/contract/open-enforcer.ts';
import { httpServer } from '../server.ts';

const MB = 1024 * 1024;
const LIMIT = 3 * MB;

let app: Awaited<ReturnType<typeof httpServer>>;
beforeAll(async () => {
  const log = pino({ level: 'silent' });
  app = await httpServer({ log, version: '0', https: null, enforcer: OPEN_ENFORCER, guard: async () => null });
  const config = { endpoint: ENDPOINTS.logout as Endpoint };
  app.post('/text', { bodyLimit: LIMIT, config }, async ({ body }) => ({
    length: (body as { text: string }).text.length,
  }));
  await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.close());

/** Sends a body with its length, or in chunks without. */
async function send(
  body: string | Buffer<ArrayBuffer>,
  chunked: boolean,
): Promise<{ status: number; answer: unknown }> {
  const headers = { 'content-type': 'application/json' };
  const init = {
    method: 'POST',
    headers,
    body: chunked ? new Blob([body]).stream() : body,
    duplex: 'half',
  } as RequestInit;
  const response = await fetch(`${app.listeningOrigin}/text`, init);
  return { status: response.status, answer: await response.json() };
}

const bodyOf = (length: number) => JSON.stringify({ text: 'ü'.repeat(length / 2) });

test.each([
  ['short', 1_000],
  ['long', 2 * MB],
  ['of the maximum length', LIMIT - bodyOf(0).length],
])('a body that is %s arrives whole, with or without its length', async (_, length) => {
  for (const chunked of [false, true])
    expect(await send(bodyOf(length), chunked)).toEqual({ status: 200, answer: { length: Math.floor(length / 2) } });
});

test('a body that is too long is refused with the limit, with or without its length', async () => {
  for (const chunked of [false, true]) {
    const { status, answer } = await send(bodyOf(LIMIT), chunked);
    expect(status).toBe(413);
    expect(answer).toMatchObject({ message: expect.stringContaining('3 MB') });
  }
});

test('a long body with invalid UTF-8 or JSON is refused', async () => {
  for (const body of [Buffer.from(bodyOf(2 * MB), 'latin1'), bodyOf(2 * MB).slice(1)])
    expect((await send(body, true)).answer).toMatchObject({ code: CODES.badBody.code });
});
