import { linkEndpoints } from '@chargehand/contract';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { eventually } from '../../testing/eventually.ts';
import { FLOOD_BYTES } from '../../testing/links/device-shell.ts';
import { type LinkDevice, openLink } from '../../testing/links/link-device.ts';
import { openTerminals } from '../../testing/links/open-terminals.ts';
import { type SlowWay, slowWay } from '../../testing/links/slow-way.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { openLinks } from '../index.ts';

const { requestLink, readLink } = linkEndpoints;
/** The gateway asks every 15 seconds whether the device is there, and gives up after a minute without an answer. */
const STILL_OPEN_MS = 59_000;
const LOST_MS = 61_000;

let server: TestServer;
let stage: Awaited<ReturnType<typeof openTerminals>>;
let page: Awaited<ReturnType<(typeof stage)['open']>>;
let way: SlowWay;
const devices: LinkDevice[] = [];

beforeAll(async () => {
  // The questions to the device.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  server = await startTestServer({ captcha: false });
  stage = await openTerminals(server, async ({ port }) => {
    way = await slowWay(port, 0);
    return { port: way.port };
  });
});
beforeEach(async () => {
  page = await stage.open();
  page.socket.on('message', () => page.say({ ack: page.bytes() }));
  await shows('$ ');
});
afterEach(async () => {
  page.say({ close: true });
  await page.closed;
  for (const device of devices.splice(0)) await device.stop();
});
afterAll(async () => {
  way.close();
  await stage.stop();
  await server.stop();
  vi.useRealTimers();
});

const shows = (text: string) =>
  eventually(page.text, (shown) => shown.endsWith(text), { what: `the terminal to show ${text}` });

/** The time passes. The other link of the device works meanwhile. */
async function elapse(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 10_000) {
    vi.advanceTimersByTime(Math.min(left, 10_000));
    page.say(`${left} left\n`);
    await shows(`${left} left\n`);
  }
}

const link = (id: number) => stage.host.data(readLink, { params: { id } });
const ended = (id: number) =>
  eventually(
    () => link(id),
    ({ state }) => state === 'ended',
    { what: `the end of link ${id}` },
  );

/** Another open link of the same device. Its connection is checked every second. */
async function anotherLink(client: 'ssh' | 'dbclient', port?: number): Promise<{ id: number; device: LinkDevice }> {
  const known = stage.pile.calls.length;
  const body = { kind: 'ssh', reason: 'Test' } as const;
  const { id } = await stage.host.data(requestLink, { params: { id: server.world.devices.northQuay1.id }, body });
  for (let number = known + 1; ; number += 1) {
    const control = await stage.pile.call(number);
    stage.pile.answer(control.id, { status: 'Accepted' });
    const params = JSON.parse(String(control.payload.data));
    if (params.link !== id || !params.ticket) continue;
    const device = openLink(client, params, port === undefined ? {} : { port }, null, 1);
    devices.push(device);
    await eventually(
      () => link(id),
      ({ state }) => state === 'open',
      { what: `link ${id} to open` },
    );
    return { id, device };
  }
}

async function countOpen(): Promise<number | undefined> {
  return (await openLinks.get()).values[0]?.value;
}

test('a terminal continues after an interruption of less than a minute, and no byte is lost', async () => {
  page.say('flood\n');
  await eventually(page.bytes, (bytes) => bytes > 100_000, { what: 'the first output' });
  way.freeze();
  page.say('typed meanwhile\n');
  vi.advanceTimersByTime(STILL_OPEN_MS);
  expect(await link(stage.linkId)).toMatchObject({ state: 'open' });
  way.thaw();
  await shows('typed meanwhile\n');
  expect(page.text()).toBe(`$ ${'y'.repeat(FLOOD_BYTES)}typed meanwhile\n`);
  expect(await link(stage.linkId)).toMatchObject({ state: 'open' });
});

test.each(['ssh', 'dbclient'] as const)(
  'a link of %s is lost after a minute without an answer, and the device leaves',
  async (client) => {
    const own = await slowWay(way.target, 0);
    const { id, device } = await anotherLink(client, own.port);
    const before = await countOpen();
    own.freeze();
    // Its client has given up, but the server does not know it.
    expect(await device.exited).toBeGreaterThan(0);
    await elapse(STILL_OPEN_MS);
    expect(await link(id)).toMatchObject({ state: 'open' });
    await elapse(LOST_MS - STILL_OPEN_MS);
    expect(await ended(id)).toMatchObject({ end: 'lost', endedBy: null });
    expect(await countOpen()).toBe(before! - 1);
    own.close();
  },
);

test('when the router of the device has forgotten its connection, the device leaves, and the link is lost', async () => {
  const own = await slowWay(way.target, 0);
  const { id, device } = await anotherLink('ssh', own.port);
  own.rebind();
  expect(await device.exited).toBeGreaterThan(0);
  expect(await link(id)).toMatchObject({ state: 'open' });
  await elapse(LOST_MS);
  expect(await ended(id)).toMatchObject({ end: 'lost' });
  own.close();
});

test.each(['ssh', 'dbclient'] as const)(
  'when %s is killed, its link ends, and others of its device stay',
  async (client) => {
    const { id, device } = await anotherLink(client);
    const before = await countOpen();
    device.killClient();
    expect(await ended(id)).toMatchObject({ end: 'closedByDevice', endedBy: null });
    await device.exited;
    expect(await countOpen()).toBe(before! - 1);
    page.say('still here\n');
    await shows('still here\n');
  },
);
