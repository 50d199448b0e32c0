import { randomUUID } from 'node:crypto';
import { CODES, issueEndpoints, publicShareEndpoints, type ShareRow, shareEndpoints } from '@chargehand/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

const { shareIssue, updateShare, destroyShare, listShares } = shareEndpoints;
const { readSharedIssue, commentSharedIssue, openShare } = publicShareEndpoints;
const { createSiteIssue, commentIssue, listIssueEntries, closeIssue, readIssue } = issueEndpoints;

let server: TestServer;
let root: Client;
let north: Client;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  root = await server.as('root');
  north = await server.as('northAdmin');
});
afterAll(() => server.stop());

const words = (text: string) => ({
  type: 'doc' as const,
  content: [{ type: 'paragraph' as const, content: [{ type: 'text' as const, text }] }],
});
interface Answer {
  code: number;
  // biome-ignore lint/suspicious/noExplicitAny: the answers of several endpoints
  data: any;
}
const answerOf = async (path: string, init?: RequestInit) =>
  (await (await fetch(`${server.url}${path}`, init)).json()) as Answer;
const read = ({ token }: ShareRow) => answerOf(`${readSharedIssue.path}?s=${token}`);
const comment = ({ token }: ShareRow, text: string, requestKey: string = randomUUID(), visitorName = 'Li Wei') =>
  answerOf(commentSharedIssue.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ s: token, requestKey, visitorName, comment: text }),
  });

test('a visitor reads the name of a built-in device model in their language', async () => {
  const id = await newIssue();
  await server.database.pool.query(`update issues set device_model = 'V2G pile' where id = $1`, [id]);
  const { token } = await share(id);
  const nameIn = async (locale: string) => {
    const headers = { 'accept-language': locale };
    return (await answerOf(`${readSharedIssue.path}?s=${token}`, { headers })).data.deviceModel;
  };
  expect([await nameIn('zh-CN'), await nameIn('en-US')]).toEqual(['V2G 充电桩', 'V2G pile']);
});

async function newIssue(): Promise<number> {
  const body = { title: 'Connector is hot', type: 3, body: words('It smells') } as const;
  return (await north.data(createSiteIssue, { params: { id: server.world.sites.northQuay }, body })).id;
}
const share = (id: number, more: object = {}) =>
  north.data(shareIssue, { params: { id }, body: { days: 7, code: false, comments: true, ...more } });
const timeline = async (id: number) => (await north.data(listIssueEntries, { params: { id } })).items;

test('an outsider reads an issue without its internal comments and places, and comments once', async () => {
  const id = await newIssue();
  await north.data(commentIssue, { params: { id }, body: { body: words('Ask the maker'), internal: false } });
  await north.data(commentIssue, { params: { id }, body: { body: words('They are slow') } });
  expect((await read(await share(id))).data.entries).toEqual([]);
  const one = await share(id, { recipient: 'Maker Ltd', earlier: true });
  expect(one).toMatchObject({ kind: 'issue', comments: true, object: { kind: 'issue', id } });
  const opened = await answerOf(`${openShare.path}?s=${one.token}`);
  expect(opened.data.content).toMatchObject({ kind: 'issue', isFolder: false });
  const { data } = await read(one);
  expect(data).toMatchObject({ title: 'Connector is hot', text: 'It smells', status: 'open', commentsLeft: 100 });
  expect(data.entries.map(({ text }: { text: string }) => text)).toEqual(['Ask the maker']);
  const sent = JSON.stringify([opened, data]);
  for (const secret of ['slow', 'northQuay', 'Customer north']) expect(sent).not.toContain(secret);

  const requestKey = randomUUID();
  const script = '<script>alert(1)</script>\r\nSecond line';
  for (let time = 0; time < 2; time += 1) expect((await comment(one, script, requestKey)).code).toBe(0);
  expect((await read(one)).data.entries.at(-1)).toMatchObject({
    ...{ by: 'Li Wei', outside: true, text: '<script>alert(1)</script>\nSecond line' },
  });
  const [entry] = await timeline(id);
  expect(entry).toMatchObject({ userId: null, userName: 'Li Wei', data: { shareId: one.id, recipient: 'Maker Ltd' } });
  expect((await timeline(id)).filter(({ userName }) => userName === 'Li Wei')).toHaveLength(1);
  // An outsider is not one of those whose response time is measured. A comment of the reporter calculates it again.
  await north.data(commentIssue, { params: { id }, body: { body: words('Thank you') } });
  expect((await north.data(readIssue, { params: { id } })).responseMs).toBeNull();
  await north.data(closeIssue, { params: { id }, body: { cause: 'software', remedy: 'updated' } });
  expect((await comment(one, 'Thank you', randomUUID(), '  ')).code).toBe(CODES.fieldRequired.code);
  expect((await read(one)).data).toMatchObject({ status: 'closed', commentsLeft: 99 });
});

test('a share that only shows the issue takes no comment, and ends when it is destroyed', async () => {
  const id = await newIssue();
  const one = await share(id, { comments: false });
  expect((await comment(one, 'Hello')).code).toBe(CODES.shareReadOnly.code);
  expect((await read(one)).data.commentsLeft).toBeNull();
  expect(await north.data(updateShare, { params: { id: one.id }, body: { comments: true } })).toMatchObject({
    comments: true,
  });
  expect((await comment(one, 'Hello')).code).toBe(0);
  // Its page was opened once.
  expect((await root.data(listShares, { query: { issueId: id } })).items).toMatchObject([
    { id: one.id, token: null, uses: 1 },
  ]);
  await server.database.pool.query('update shares set use_limit = 1 where id = $1', [one.id]);
  expect([await read(one), await comment(one, 'Hello again')]).toMatchObject([
    { code: CODES.shareUsedUp.code, data: null },
    { code: CODES.shareUsedUp.code, data: null },
  ]);
  await north.data(destroyShare, { params: { id: one.id } });
  expect((await read(one)).code).toBe(CODES.shareDestroyed.code);
  expect((await comment(one, 'Hello')).code).toBe(CODES.shareDestroyed.code);
});

test('a code protects the issue, and a forged link opens nothing', async () => {
  const one = await share(await newIssue(), { code: true });
  expect((await read(one)).code).toBe(CODES.shareCodeNeeded.code);
  expect((await comment(one, 'Hello')).code).toBe(CODES.shareCodeNeeded.code);
  expect((await read({ ...one, token: randomUUID() })).code).toBe(CODES.shareUnknown.code);
});

test('users who may not see an issue cannot share it', async () => {
  const id = await newIssue();
  const south = await server.as('southAdmin');
  const body = { days: 7, code: false, comments: true } as const;
  expect((await south.call(shareIssue, { params: { id }, body })).code).toBe(CODES.notFound.code);
  expect((await north.data(readIssue, { params: { id } })).id).toBe(id);
});
