import {
  CODES,
  GUEST_TERMINAL_PATH,
  linkEndpoints,
  publicShareEndpoints,
  shareEndpoints,
  TERMINAL_PATH,
  type TerminalPeople,
} from '@chargehand/contract';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { newFile } from '../../testing/cases/attachments.ts';
import { manualClock } from '../../testing/clock.ts';
import { eventually } from '../../testing/eventually.ts';
import { openTerminalSocket, openTerminals, type TerminalSocket } from '../../testing/links/open-terminals.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

const { listTerminals, watchTerminal, endTerminal, inviteGuest, changeGuest, removeGuest } = linkEndpoints;
const { listRecordings } = linkEndpoints;

let server: TestServer;
let stage: Awaited<ReturnType<typeof openTerminals>>;
let page: Awaited<ReturnType<(typeof stage)['open']>>;
let sockets: TerminalSocket[] = [];

beforeAll(async () => {
  // Places, invitations and slow connections end after 30 seconds or more, which a busy machine needs for some tests.
  server = await startTestServer({ captcha: false }, { clock: manualClock({ realUpTo: 10_000 }) });
  await server.database.pool.query('update roles set remote_access = 1');
  stage = await openTerminals(server);
});
beforeEach(async () => {
  page = await stage.open();
  await shows(page, '$ ');
});
afterEach(async () => {
  if (page.socket.readyState === page.socket.OPEN) page.say({ close: true });
  await page.closed;
  for (const { socket } of sockets) socket.terminate();
  sockets = [];
});
afterAll(async () => {
  await stage.stop();
  await server.stop();
});

const shows = (shown: TerminalSocket, text: string) =>
  eventually(
    () => shown.text(),
    (output) => output.endsWith(text),
    { what: `the text ${text}` },
  );
const got = (shown: TerminalSocket, message: object) =>
  eventually(
    () => shown.messages,
    (all) => all.some((one) => JSON.stringify(one) === JSON.stringify(message)),
    { what: JSON.stringify(message) },
  );
const params = () => ({ id: stage.linkId, terminalId: page.id });

function connect(path: string, key: string, headers: Record<string, string>): TerminalSocket {
  const socket = openTerminalSocket(server, path, key, headers);
  sockets.push(socket);
  return socket;
}

async function watch(person: 'vendorStaff' | 'northAdmin' = 'vendorStaff') {
  const user = await stage.as(person);
  const { key } = await user.data(watchTerminal, { params: params(), body: {} });
  return { user, key, shown: connect(TERMINAL_PATH, key, { cookie: user.cookie }) };
}

/** Invites a guest who has entered the code. */
async function invite(interactive: boolean, minutes = 5) {
  const share = await stage.host.data(inviteGuest, { params: params(), body: { interactive, minutes } });
  const enter = async (accessCode: string) => {
    const { path } = publicShareEndpoints.enterShareCode;
    const response = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ s: share.token, accessCode }),
    });
    const cookie = (response.headers.getSetCookie()[0] ?? '').split(';')[0]!;
    return { cookie, ...((await response.json()) as { code: number; data: never }) };
  };
  const join = async (cookie: string, entered: object = {}) => {
    const response = await fetch(`${server.url}${publicShareEndpoints.joinTerminal.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify({ s: share.token, visitorName: '王工', recorded: true, ...entered }),
    });
    return (await response.json()) as { code: number; data: { key: string } };
  };
  return { share, enter, join };
}

async function guest(interactive: boolean) {
  const invited = await invite(interactive);
  const { cookie } = await invited.enter(invited.share.code!);
  const { data } = await invited.join(cookie);
  const shown = connect(GUEST_TERMINAL_PATH, data.key, { cookie });
  await shows(shown, page.text());
  return { ...invited, cookie, key: data.key, shown };
}

const actions = async () => {
  const { rows } = await server.database.pool.query<{ after: string }>(
    'select after::text from action_logs order by id desc limit 4',
  );
  return rows.map(({ after }) => after).join();
};

test('a watcher sees the screen and its size, who types and when it ends; its user sees who watches', async () => {
  page.say('读取\n');
  await shows(page, '读取\n');
  const { user, shown } = await watch();
  await shows(shown, '$ 读取\n');
  expect(shown.messages[0]).toEqual({ screen: { cols: 80, rows: 24 } });
  await eventually(
    () => page.messages.at(-1),
    (message) => (message?.people as TerminalPeople | undefined)?.watchers.length === 1,
  );
  page.say({ size: { cols: 100, rows: 30 } });
  await got(shown, { size: { cols: 100, rows: 30 } });
  page.say('on\n');
  await shows(shown, 'on\n');
  const { items } = await user.data(listTerminals, { params: { id: stage.linkId } });
  expect(items).toMatchObject([{ id: page.id, userName: 'admin', cols: 100, hostConnected: true, typed: {} }]);
  expect(shown.messages).toContainEqual({ typed: items[0]!.host });
  expect(await actions()).toContain('"watched"');
  await user.data(endTerminal, { params: params() });
  expect(await shown.closed).toBe(1000);
  expect(shown.messages.at(-1)).toEqual({ end: 'ended' });
  expect((await user.call(watchTerminal, { params: params(), body: {} })).code).toBe(CODES.terminalOver.code);
});

test('what a watcher sends closes its connection, and does not reach the device', async () => {
  const { shown } = await watch();
  await shows(shown, '$ ');
  shown.say('evil\n');
  expect(await shown.closed).toBe(1008);
  page.say('own\n');
  await shows(page, 'own\n');
  expect(page.text()).not.toContain('evil');
});

test('a watcher who reads nothing does not slow down the terminal, and then gets the present screen', async () => {
  const { shown } = await watch();
  await shows(shown, '$ ');
  shown.socket.pause();
  page.socket.on('message', () => page.say({ ack: page.bytes() }));
  for (let round = 0; round < 4; round += 1) {
    const before = page.bytes();
    page.say('flood\n');
    await eventually(
      () => page.bytes(),
      (length) => length >= before + 4 * 1024 * 1024,
      { what: 'the whole output' },
    );
  }
  page.say('\nlast\n');
  await shows(page, 'last\n');
  shown.socket.resume();
  await shows(shown, 'last\n');
  expect(shown.messages.filter(({ screen }) => screen).length).toBeGreaterThan(1);
});

test('a watcher leaves when they lose the permission', async () => {
  const { shown } = await watch();
  await shows(shown, '$ ');
  await server.database.pool.query('update roles set remote_access = 0');
  await server.sweep();
  expect(await shown.closed).toBe(1000);
  expect(shown.messages.at(-1)).toEqual({ end: 'removed' });
  await server.database.pool.query('update roles set remote_access = 1');
});

test('of 100 requests to watch, 20 get a place', async () => {
  const user = await stage.as('vendorStaff');
  const one = () => user.call(watchTerminal, { params: params(), body: {} }).then(({ code }) => code);
  const codes: number[] = [];
  for (let round = 0; round < 4; round += 1) codes.push(...(await Promise.all(Array.from({ length: 25 }, one))));
  expect(codes.filter((code) => code === 0)).toHaveLength(20);
  expect(new Set(codes)).toEqual(new Set([0, CODES.watchersFull.code]));
});

test('a guest accepts the recording, types if the host allows it, and is recorded by name', async () => {
  const { share, enter, join } = await invite(true);
  const { cookie, data } = await enter(share.code!);
  expect(data).toMatchObject({ content: { kind: 'terminal', interactive: true, size: null } });
  expect((await join(cookie, { recorded: false })).code).not.toBe(0);
  expect((await join(cookie, { visitorName: ' ' })).code).toBe(CODES.fieldRequired.code);
  const { key } = (await join(cookie)).data;
  const shown = connect(GUEST_TERMINAL_PATH, key, { cookie });
  await shows(shown, '$ ');
  shown.say('诊断\n');
  await shows(page, '诊断\n');
  await got(shown, { typed: '王工' });
  await stage.host.data(changeGuest, { params: { id: stage.linkId, guestId: share.id }, body: { interactive: false } });
  await got(shown, { interactive: false });
  shown.say('no\n');
  page.say('yes\n');
  await shows(page, 'yes\n');
  expect(page.text()).toBe('$ 诊断\nyes\n');
  await got(page, {
    people: { watchers: [], guests: [{ id: share.id, name: '王工', interactive: false, connected: true }] },
  });
  await stage.host.data(removeGuest, { params: { id: stage.linkId, guestId: share.id } });
  expect(await shown.closed).toBe(1000);
  expect(shown.messages.at(-1)).toEqual({ end: 'removed' });
  expect((await join(cookie)).code).toBe(CODES.shareDestroyed.code);
  page.say({ close: true });
  await page.closed;
  // Its last part is stored after the connection was closed.
  const { id } = await eventually(
    async () => (await stage.host.data(listRecordings, { params: { id: stage.linkId } })).items.at(-1)!,
    ({ endedAt }) => endedAt !== null,
  );
  const read = async (content: string) =>
    await (await stage.host.fetch(`/api/auth/sys/links/${stage.linkId}/recordings/${id}/${content}`)).text();
  expect(await read('input')).toMatch(/"m","guest: 王工"\]\n.*"诊断\\n"\]\n.*"m","user"\]\n.*"yes/);
  expect(await read('output')).toMatch(/guest joined: 王工[\s\S]*guest left: 王工/);
  const { rows } = await server.database.pool.query(
    `select 1 from action_logs where after ? 'guestJoined' and user_id is null`,
  );
  expect(rows).toHaveLength(1);
});

test('guests leave when the host closes the terminal, and while the host is away nobody types', async () => {
  const { shown, cookie, join } = await guest(true);
  page.socket.terminate();
  await eventually(
    () => shown.messages.filter(({ host }) => host).at(-1),
    (message) => (message?.host as { connected: boolean } | undefined)?.connected === false,
  );
  shown.say('alone\n');
  const again = await stage.host.data(listTerminals, { params: { id: stage.linkId } });
  expect(again.items[0]!.typed).toBeNull();
  await stage.host.data(endTerminal, { params: params() });
  expect(await shown.closed).toBe(1000);
  expect(shown.messages.at(-1)).toEqual({ end: 'ended' });
  const late = await eventually(
    () => join(cookie),
    ({ code }) => code === CODES.shareDestroyed.code,
  );
  expect(late.data).toBeNull();
});

test('guests leave when the host has been away for a minute', async () => {
  const { shown } = await guest(true);
  page.socket.terminate();
  await eventually(
    () => shown.messages.filter(({ host }) => host).at(-1),
    (message) => (message?.host as { connected: boolean } | undefined)?.connected === false,
  );
  server.elapse(59_000);
  const { items } = await stage.host.data(listTerminals, { params: { id: stage.linkId } });
  expect(items[0]!.people.guests).toMatchObject([{ connected: true }]);
  server.elapse(60_000);
  expect(await shown.closed).toBe(1000);
  expect(shown.messages.at(-1)).toEqual({ end: 'away' });
});

test('a guest leaves when the time of the invitation is over, and cannot come back', async () => {
  const { share, shown, cookie, join, enter } = await guest(true);
  server.elapse(4 * 60_000);
  page.say('still here\n');
  await shows(shown, 'still here\n');
  server.elapse(5 * 60_000);
  expect(await shown.closed).toBe(1000);
  expect(shown.messages.at(-1)).toEqual({ end: 'expired' });
  await server.database.pool.query(`update shares set expires_at = now() - interval '1 ms' where id = $1`, [share.id]);
  expect((await join(cookie)).code).toBe(CODES.shareExpired.code);
  expect((await enter(share.code!)).code).toBe(CODES.shareExpired.code);
});

test('what a guest sends after their end does not reach the device', async () => {
  const { share, shown } = await guest(true);
  // The guest does not read that it has ended.
  shown.socket.pause();
  await stage.host.data(removeGuest, { params: { id: stage.linkId, guestId: share.id } });
  shown.say('late\n');
  shown.socket.resume();
  // The server has received everything before this.
  expect(await shown.closed).toBe(1000);
  page.say('own\n');
  await shows(page, 'own\n');
  expect(page.text()).toBe('$ own\n');
});

test('ten wrong codes lock an invitation; a code does not open another invitation', async () => {
  const { share, enter, join, shown } = await guest(false);
  const wrong = share.code === 'AAAA' ? 'BBBB' : 'AAAA';
  for (let time = 0; time < 9; time += 1) expect((await enter(wrong)).code).toBe(CODES.shareCodeWrong.code);
  expect((await enter(wrong)).code).toBe(CODES.shareLocked.code);
  expect(await shown.closed).toBe(1000);
  expect((await enter(share.code!)).code).toBe(CODES.shareLocked.code);
  const other = await invite(false);
  const { cookie } = await other.enter(other.share.code!);
  expect((await join(cookie)).code).toBe(CODES.shareLocked.code);
  expect(await actions()).toContain('"locked": true');
});

test('an invitation is for one guest, and a key only for their browser and this site', async () => {
  const { share, enter, join, key, cookie } = await guest(false);
  const second = await enter(share.code!);
  expect((await join(second.cookie)).code).toBe(CODES.guestTaken.code);
  expect((await join('')).code).toBe(CODES.shareCodeNeeded.code);
  const refused = async (value: string, headers: Record<string, string>) =>
    await connect(GUEST_TERMINAL_PATH, value, headers).closed;
  expect(await refused(key, { cookie: second.cookie })).toBe(403);
  expect(await refused(key, {})).toBe(403);
  expect(await refused(key, { cookie, origin: 'http://evil.example' })).toBe(403);
  expect(await refused('guess', { cookie })).toBe(404);
  expect(await connect(TERMINAL_PATH, key, { cookie }).closed).toBe(404);
  const { key: watched, user } = await watch();
  expect(await connect(GUEST_TERMINAL_PATH, watched, { cookie: user.cookie }).closed).toBe(404);
  const opened = connect(GUEST_TERMINAL_PATH, key, { cookie });
  await shows(opened, '$ ');
  opened.socket.send(Buffer.alloc(100_000));
  expect(await opened.closed).toBe(1009);
});

test('a guest can neither read files of the host nor use the API; only the host invites', async () => {
  const { share, cookie } = await guest(false);
  const fileId = await newFile({ db: server.database.db, world: server.world }, 'northQuay');
  const file = await fetch(
    `${server.url}${publicShareEndpoints.downloadShared.path}?s=${share.token}&fileId=${fileId}`,
    { headers: { cookie } },
  );
  expect(await file.json()).toMatchObject({ code: CODES.shareFileGone.code });
  const api = await fetch(`${server.url}/api/auth/sys/links`, { headers: { cookie } });
  expect(await api.json()).toMatchObject({ code: CODES.notSignedIn.code });
  const staff = await stage.as('vendorStaff');
  const others = await staff.call(inviteGuest, { params: params(), body: { interactive: true, minutes: 5 } });
  expect(others.code).toBe(CODES.guestNotOwn.code);
  const { items } = await stage.host.data(shareEndpoints.listShares, { query: { kind: 'terminal' } });
  expect(items[0]).toMatchObject({ id: share.id, object: { kind: 'link', id: stage.linkId }, state: 'open' });
  for (let count = 1; count < 5; count += 1) await invite(false);
  const full = await stage.host.call(inviteGuest, { params: params(), body: { interactive: false, minutes: 5 } });
  expect(full.code).toBe(CODES.guestsFull.code);
});
