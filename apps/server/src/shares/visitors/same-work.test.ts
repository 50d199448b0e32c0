import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { CODES, folderEndpoints, publicShareEndpoints, type ShareRow, shareEndpoints } from '@chargehand/contract';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

const { openShare, enterShareCode, listShared, startSharedUpload } = publicShareEndpoints;
const CRYPTO = ['createHash', 'createHmac', 'timingSafeEqual', 'scrypt', 'pbkdf2'] as const;
/** The tables that a request for a share can need. Other work of the server at the same time is left out. */
const OF_SHARES = /\b(shares|share_uses|share_uploads|attachments|folders|users|roles)\b/;
const JSON_TYPE = { 'content-type': 'application/json' };

let server: TestServer;
let north: Client;
/** The work of the server since it was last cleared: SQL statements and cryptographic operations, in their order. */
const work: string[] = [];
beforeAll(async () => {
  // Before the server opens its connections, which keep the function they find.
  const { query } = pg.Client.prototype;
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...given: unknown[]) {
    const [statement] = given as [string | { text: string }];
    const text = typeof statement === 'string' ? statement : statement.text;
    if (OF_SHARES.test(text)) work.push(text);
    return Reflect.apply(query, this, given);
  } as never);
  for (const name of CRYPTO) {
    const original = crypto[name];
    vi.spyOn(crypto, name).mockImplementation(((...given: unknown[]) => {
      work.push(name);
      return Reflect.apply(original, crypto, given);
    }) as never);
  }
  // The named imports of the server, too.
  syncBuiltinESMExports();
  server = await startTestServer({ captcha: false });
  north = await server.as('northAdmin');
});
afterAll(async () => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
  await server.stop();
});

async function newShare(change = ''): Promise<ShareRow> {
  const { id } = await north.data(folderEndpoints.createFolder, { body: { name: crypto.randomUUID() } });
  const body = { days: 7, code: true } as const;
  const share = await north.data(shareEndpoints.shareFolder, { params: { id }, body });
  if (change !== '') await server.database.pool.query(`update shares set ${change} where id = $1`, [share.id]);
  return share;
}

/** The code of an answer, and the work for it. */
async function answered(path: string, body?: object): Promise<{ code: number; work: string[] }> {
  work.length = 0;
  const init = body && { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(body) };
  const response = await fetch(`${server.url}${path}`, init);
  const { code } = (await response.json()) as { code: number };
  return { code, work: [...work] };
}

const wrong = (code: string | null, at: number) =>
  [...(code ?? '')].map((letter, index) => (index === at ? (letter === 'A' ? 'B' : 'A') : letter)).join('');

test.each([
  ['opening', (s: string) => answered(`${openShare.path}?s=${s}`)],
  [
    'entering the right code',
    (s: string, code: string | null) => answered(enterShareCode.path, { s, accessCode: code }),
  ],
  [
    'entering a wrong code',
    (s: string, code: string | null) => answered(enterShareCode.path, { s, accessCode: wrong(code, 0) }),
  ],
  ['listing its files', (s: string) => answered(`${listShared.path}?s=${s}`)],
  ['downloading a file', (s: string) => answered(`/api/unauth/share/content?s=${s}`)],
  ['uploading', (s: string) => answered(startSharedUpload.path, { s, name: 'a.txt', size: 1 })],
])('%s takes the same work for unknown, destroyed, expired and locked shares', async (_, ask) => {
  const unknown = { token: crypto.randomBytes(32).toString('base64url'), code: 'AAAA' };
  const shares = [
    unknown,
    await newShare('destroyed_at = now()'),
    await newShare(`expires_at = now() - interval '1 hour'`),
    await newShare('locked_at = now(), wrong_codes = 10'),
  ];
  const answers = [];
  for (const { token, code } of shares) answers.push(await ask(token ?? '', code));
  expect(answers.map(({ code }) => code)).toEqual(
    (['shareUnknown', 'shareDestroyed', 'shareExpired', 'shareLocked'] as const).map((name) => CODES[name].code),
  );
  const [first] = answers;
  expect(first?.work.some((statement) => /from\s+shares/.test(statement))).toBe(true);
  for (const answer of answers) expect(answer.work).toEqual(first?.work);
});

test('a wrong code takes the same work, however much of it is right', async () => {
  const { token, code } = await newShare();
  const answers = [];
  for (const accessCode of [wrong(code, 0), wrong(code, 3), wrong(wrong(wrong(wrong(code, 0), 1), 2), 3)])
    answers.push(await answered(enterShareCode.path, { s: token, accessCode }));
  const [first] = answers;
  expect(first?.code).toBe(CODES.shareCodeWrong.code);
  expect(first?.work).toContain('timingSafeEqual');
  for (const answer of answers) expect(answer).toEqual(first);
});
