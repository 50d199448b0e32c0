import { accessEndpoints, CODES, linkEndpoints, TERMINAL_PATH, TOKEN_COOKIE } from '@chargehand/contract';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import WebSocket from 'ws';
import { publicKeyOf } from '../../testing/cases/ground.ts';
import { type Client, client, openSession } from '../../testing/client.ts';
import { eventually } from '../../testing/eventually.ts';
import { connectPile, type Pile } from '../../testing/gateways/pile.ts';
import { deviceShell, FLOOD_BYTES } from '../../testing/links/device-shell.ts';
import { type LinkDevice, openLink } from '../../testing/links/link-device.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { seal } from '../../testing/sign-in.ts';

const { requestLink, readLink, openTerminal, listRecordings, checkRecording, destroyLink } = linkEndpoints;
const WINDOW = 256 * 1024;

let server: TestServer;
let session: { token: string; csrf: string };
let root: Client;
let shell: Awaited<ReturnType<typeof deviceShell>>;
let pile: Pile;
let device: LinkDevice;
let linkId: number;
const pages: Page[] = [];

beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  session = await openSession(server.database.db, server.world.users.root);
  root = client(server.url, session);
  shell = await deviceShell();
  await server.database.pool.query('update device_models set ssh_support = true');
  const { id, sn } = server.world.devices.northQuay1;
  pile = await connectPile(server, sn);
  const body = { kind: 'ssh', reason: 'Test', port: shell.port } as const;
  ({ id: linkId } = await root.data(requestLink, { params: { id }, body }));
  const control = await pile.call(1);
  pile.answer(control.id, { status: 'Accepted' });
  device = openLink('ssh', JSON.parse(String(control.payload.data)));
  await eventually(
    () => root.data(readLink, { params: { id: linkId } }),
    ({ state }) => state === 'open',
  );
});
afterEach(() => {
  for (const { socket } of pages.splice(0)) socket.terminate();
});
afterAll(async () => {
  await device.stop();
  await pile.cut();
  await server.stop();
  shell.close();
});

const entered = async (more: object = {}) => ({
  ...{ userName: 'admin', password: seal(await publicKeyOf(server.database.db), '充电'), cols: 80, rows: 24, ...more },
});

const newKey = async () => (await root.data(openTerminal, { params: { id: linkId }, body: await entered() })).key;

interface Page {
  socket: WebSocket;
  text(): string;
  bytes(): number;
  ends: string[];
  say(message: object | string): void;
  closed: Promise<number>;
}

/** The page of a terminal. It acknowledges nothing by itself. */
function openPage(key: string, from = 0, headers: Record<string, string> = {}): Page {
  const url = `${server.url.replace('http', 'ws')}${TERMINAL_PATH}/${key}?from=${from}`;
  const socket = new WebSocket(url, {
    headers: { origin: server.url, cookie: `${TOKEN_COOKIE}=${session.token}`, ...headers },
  });
  const output: Buffer[] = [];
  const ends: string[] = [];
  socket.on('message', (data, binary) => {
    if (binary) output.push(data as Buffer);
    else if (String(data).startsWith('{"end"')) ends.push(JSON.parse(String(data)).end);
  });
  let status = 0;
  socket.on('unexpected-response', (_request, response) => {
    status = response.statusCode ?? 0;
    socket.terminate();
  });
  socket.on('error', () => undefined);
  const closed = new Promise<number>((resolve) => socket.on('close', (code) => resolve(status || code)));
  const page: Page = {
    ...{ socket, ends, closed },
    text: () => String(Buffer.concat(output)),
    bytes: () => output.reduce((sum, { length }) => sum + length, 0),
    say: (message) =>
      typeof message === 'string' ? socket.send(Buffer.from(message)) : socket.send(JSON.stringify(message)),
  };
  pages.push(page);
  return page;
}

const shows = (page: Page, text: string) =>
  eventually(
    () => page.text(),
    (shown) => shown.endsWith(text),
    { what: `the text ${text}` },
  );

test('a terminal shows the shell of the device, takes input and sizes, and ends with the shell', async () => {
  const page = openPage(await newKey());
  await shows(page, '$ ');
  page.say('读取日志\n');
  await shows(page, '$ 读取日志\n');
  page.say({ size: { cols: 120, rows: 40 } });
  await shows(page, '[120x40]');
  page.say('exit\n');
  expect(await page.closed).toBe(1000);
  expect(page.ends).toEqual(['exited']);
});

test('a terminal is recorded: what it shows, and encrypted what is typed; reading it is logged', async () => {
  const page = openPage(await newKey());
  await shows(page, '$ ');
  page.say('读取\n');
  await shows(page, '读取\n');
  page.say({ size: { cols: 100, rows: 30 } });
  await shows(page, '[100x30]');
  page.say({ close: true });
  await page.closed;
  const { id, ...recording } = await eventually(
    async () => (await root.data(listRecordings, { params: { id: linkId } })).items.at(-1)!,
    ({ endedAt }) => endedAt !== null,
  );
  expect(recording).toMatchObject({ userName: 'admin', cols: 80, rows: 24, end: 'closed' });
  const read = async (content: string) => {
    const response = await root.fetch(`/api/auth/sys/links/${linkId}/recordings/${id}/${content}`);
    const [head, ...events] = (await response.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(head).toMatchObject({ version: 2, width: 80, height: 24 });
    const times = events.map(([time]) => time);
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    return events.map(([, kind, text]) => `${kind}:${text}`).join('|');
  };
  expect(await read('output')).toBe('o:$ |o:读取\n|r:100x30|o:[100x30]');
  expect(await read('input')).toBe('i:读取\n');
  const sealed = { params: { id: linkId, recordingId: id } };
  expect(await root.data(checkRecording, sealed)).toEqual({ seal: 'unchanged' });
  const { rows } = await server.database.pool.query<{ text: string }>(
    `select p.input, (select string_agg(after::text, ' ' order by id) from action_logs) as text from link_recording_parts p
      where recording_id = $1 and input is not null`,
    [id],
  );
  expect(JSON.stringify(rows)).not.toContain('读取');
  expect(rows[0]?.text).toMatch(/"recording": "output".*"recording": "input"/);
});

test('a terminal that cannot be recorded ends', async () => {
  const page = openPage(await newKey());
  await shows(page, '$ ');
  await server.database.pool.query('alter table link_recording_parts rename to parts_elsewhere');
  try {
    page.say('unrecorded\n');
    expect(await page.closed).toBe(1000);
    expect(page.ends).toEqual(['lost']);
  } finally {
    await server.database.pool.query('alter table parts_elsewhere rename to link_recording_parts');
  }
});

test('a wrong password, and a terminal in a link of another user, are refused', async () => {
  const wrong = await entered({ password: seal(await publicKeyOf(server.database.db), 'wrong') });
  const { code } = await root.call(openTerminal, { params: { id: linkId }, body: wrong });
  expect(code).toBe(CODES.terminalSignIn.code);
  await server.database.pool.query('update roles set remote_access = 1');
  const staff = await server.as('vendorStaff');
  const others = await staff.call(openTerminal, { params: { id: linkId }, body: await entered() });
  expect(others.code).toBe(CODES.noPermission.code);
});

test('a WebSocket of another origin, of another session, or without the key is refused', async () => {
  const key = await newKey();
  const other = await openSession(server.database.db, server.world.users.root);
  expect(await openPage(key, 0, { origin: 'http://evil.example' }).closed).toBe(403);
  expect(await openPage(key, 0, { origin: 'null' }).closed).toBe(403);
  expect(await openPage(key, 0, { cookie: `${TOKEN_COOKIE}=${other.token}` }).closed).toBe(403);
  expect(await openPage(key, 0, { cookie: '' }).closed).toBe(403);
  expect(await openPage('guess').closed).toBe(404);
  expect(await openPage(`${key}/../..`).closed).toBe(404);
  await shows(openPage(key), '$ ');
});

test('a page that was interrupted continues without losing or repeating output', async () => {
  const key = await newKey();
  const first = openPage(key);
  await shows(first, '$ ');
  first.say('one\n');
  await shows(first, 'one\n');
  const seen = first.bytes();
  first.socket.terminate();
  await first.closed;
  const second = openPage(key, seen - 2);
  await shows(second, 'e\n');
  expect(second.text()).toBe('e\n');
  second.say('two\n');
  await shows(second, 'two\n');
  const third = openPage(key, seen + 4);
  expect(await second.closed).toBe(1000);
  third.say('three\n');
  await shows(third, 'three\n');
  expect(third.text()).toBe('three\n');
  expect(await openPage(key, 0).closed).toBe(1008);
  expect(await openPage(key, 99_999).closed).toBe(1008);
});

test('output waits for acknowledgements, and input does not; the device stops meanwhile', async () => {
  const page = openPage(await newKey());
  await shows(page, '$ ');
  page.say('flood\n');
  await eventually(page.bytes, (bytes) => bytes >= WINDOW, { what: 'a full window' });
  page.say({ size: { cols: 10, rows: 10 } });
  // Takes several round trips on the same tunnel.
  await shows(openPage(await newKey()), '$ ');
  const before = page.bytes();
  expect(before).toBe(WINDOW);
  expect(shell.flooded()).toBeLessThan(WINDOW);
  page.socket.on('message', () => page.say({ ack: page.bytes() }));
  page.say({ ack: before });
  await eventually(page.bytes, (bytes) => bytes >= FLOOD_BYTES + 2, { what: 'the whole output' });
  await shows(page, '[10x10]');
  page.say({ close: true });
  expect(await page.closed).toBe(1000);
});

test('a device that sends more than it may ends the terminal', async () => {
  const page = openPage(await newKey());
  await shows(page, '$ ');
  page.say('overrun\n');
  expect(await page.closed).toBe(1000);
  expect(page.ends).toEqual(['lost']);
  expect(page.bytes()).toBeLessThan(3 * WINDOW);
});

test('the echo of a key is one message', async () => {
  const page = openPage(await newKey());
  await shows(page, '$ ');
  const sizes: number[] = [];
  page.socket.on('message', (data: Buffer) => {
    sizes.push(data.length);
    page.say({ ack: page.bytes() });
  });
  for (const key of 'status') {
    page.say(key);
    await shows(page, key);
  }
  expect(sizes).toEqual([1, 1, 1, 1, 1, 1]);
});

test.each(['{}x', '{"ack":"a"}', '{"size":{"cols":0,"rows":1}}', '{"size":5}'])(
  'a page that sends %s is closed',
  async (text) => {
    const page = openPage(await newKey());
    await shows(page, '$ ');
    page.socket.send(text);
    expect(await page.closed).toBe(1008);
  },
);

test('terminals end when their user signs out, and with their link', async () => {
  const page = openPage(await newKey());
  await shows(page, '$ ');
  await root.data(accessEndpoints.logout, { body: {} });
  expect(await page.closed).toBe(1000);
  expect(page.ends).toEqual(['signedOut']);

  session = await openSession(server.database.db, server.world.users.root);
  root = client(server.url, session);
  const next = openPage(await newKey());
  await shows(next, '$ ');
  await root.data(destroyLink, { params: { id: linkId } });
  expect(await next.closed).toBe(1000);
  expect(next.ends).toEqual(['linkEnded']);
  const closed = await root.call(openTerminal, { params: { id: linkId }, body: await entered() });
  expect(closed.code).toBe(CODES.linkNotOpen.code);
});

test('the server stops while a terminal is open', async () => {
  const { id, sn } = server.world.devices.northQuay1;
  const body = { kind: 'ssh', reason: 'Test', port: shell.port } as const;
  const link = await root.data(requestLink, { params: { id }, body });
  const control = await eventually(
    () => pile.calls.find(({ payload }) => String(payload.data).includes(`${sn}.${link.id}`)),
    (call) => {
      const stop = pile.calls.at(-1);
      if (!call && stop?.payload.messageId === 'stopVpn') pile.answer(stop.id, { status: 'Accepted' });
      return call !== undefined;
    },
  );
  const again = openLink('ssh', JSON.parse(String(control!.payload.data)));
  await eventually(
    () => root.data(readLink, { params: { id: link.id } }),
    ({ state }) => state === 'open',
  );
  const { key } = await root.data(openTerminal, { params: { id: link.id }, body: await entered() });
  const page = openPage(key);
  await shows(page, '$ ');
  await server.restart();
  expect(await page.closed).toBe(1000);
  expect(page.ends).toEqual(['lost']);
  await again.stop();
});
