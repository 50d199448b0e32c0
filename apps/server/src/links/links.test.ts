import {
  CODES,
  ENDPOINTS,
  type EventsMessage,
  fleetEndpoints,
  type LinkRow,
  linkEndpoints,
  type NewLink,
} from '@chargehand/contract';
import { EXECUTION_RESULTS, REMOTE_ACCESS } from '@chargehand/domain';
import ssh2 from 'ssh2';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { LinkParams } from '../ports/devices/links.ts';
import type { Client } from '../testing/client.ts';
import { openStream } from '../testing/event-stream.ts';
import { eventually } from '../testing/eventually.ts';
import { connectPile, type Pile } from '../testing/gateways/pile.ts';
import { echoService, type LinkDevice, openLink } from '../testing/links/link-device.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { soon } from '../testing/within.ts';

const { requestLink, readLink, readLinkOptions, listLinks, approveLink, restartLink, destroyLink, setLinkPolicy } =
  linkEndpoints;
const OPEN_POLICY = { secondPerson: false, hours: null, web: true };

let server: TestServer;
let root: Client;
let admin: Client;
let deviceId: number;
let sn: string;
let pile: Pile;
let calls = 0;
let echo: Awaited<ReturnType<typeof echoService>>;
const devices: LinkDevice[] = [];

beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  [root, admin, echo] = await Promise.all([server.as('root'), server.as('northAdmin'), echoService()]);
  ({ id: deviceId, sn } = server.world.devices.northQuay1);
});
beforeEach(async () => {
  await server.database.pool.query(`
    delete from links; delete from link_policies; delete from executions where state <> 'ended';
    update roles set remote_access = 1; update device_models set ssh_support = true, web_support = false;
    update devices set enabled = true`);
  pile = await connectPile(server, sn);
  calls = 0;
});
afterEach(async () => {
  for (const device of devices.splice(0)) await device.stop();
  await pile.cut();
  await eventually(
    () => server.database.pool.query('select from device_states where device_id = $1 and connected', [deviceId]),
    ({ rowCount }) => rowCount === 0,
    { what: 'the device to be offline' },
  );
});
afterAll(async () => {
  echo.close();
  await server.stop();
});

const request = (person: Client, more: Partial<NewLink> = {}): Promise<LinkRow> =>
  person.data(requestLink, {
    params: { id: deviceId },
    body: { kind: 'ssh', reason: 'Read the log', port: echo.port, ...more },
  });

const refusedRequest = async (person: Client, more: Partial<NewLink> = {}) => {
  const body = { kind: 'ssh', reason: 'Read the log', ...more } as const;
  return (await person.call(requestLink, { params: { id: deviceId }, body })).code;
};

/** The next control that the device gets. Before a start, the end of a link of the test before may arrive. */
async function nextControl(messageId: 'startVpn' | 'stopVpn'): Promise<{ id: string; params: LinkParams }> {
  for (;;) {
    calls += 1;
    const { id, action, payload } = await pile.call(calls);
    expect([action, payload.vendorId]).toEqual(['DataTransfer', 'Chargehand']);
    if (payload.messageId === 'stopVpn' && messageId === 'startVpn') {
      pile.answer(id, { status: 'Accepted' });
    } else {
      expect(payload.messageId).toBe(messageId);
      return { id, params: JSON.parse(String(payload.data)) };
    }
  }
}

/** Requests a link that the device accepts. */
async function accepted(person: Client, more: Partial<NewLink> = {}): Promise<LinkParams> {
  await request(person, more);
  const { id, params } = await nextControl('startVpn');
  pile.answer(id, { status: 'Accepted' });
  return params;
}

function run(params: LinkParams, changes: Partial<LinkParams> = {}): LinkDevice {
  const device = openLink('ssh', params, changes);
  devices.push(device);
  return device;
}

const sweepLinks = () => server.sweep('linkCheck', 'linkCleanup', 'commandSweep');
/** The link once it is in a state. */
const once = (linkId: number, state: LinkRow['state'], work: () => Promise<void> = async () => undefined) =>
  eventually(
    async () => {
      await work();
      return await root.data(readLink, { params: { id: linkId } });
    },
    (link) => link.state === state,
    { what: `link ${linkId} to be ${state}` },
  );

/** A link that is open. */
async function open(person: Client): Promise<{ params: LinkParams; device: LinkDevice }> {
  const params = await accepted(person);
  const device = run(params);
  await once(params.link, 'open');
  return { params, device };
}

test('a link opens with control 7, and ends with control 8', async () => {
  const { id, state, until, own } = await request(admin, { minutes: 30 });
  expect({ state, own }).toEqual({ state: 'requested', own: true });
  expect(Date.parse(until) - Date.now()).toBeGreaterThan(29 * 60_000);
  const control = await nextControl('startVpn');
  expect(control.params).toEqual({
    ...{ link: id, host: '127.0.0.1', port: expect.any(Number), hostKey: expect.stringMatching(/^ssh-ed25519 AAAA/) },
    hostKeys: ['ssh-ed25519', 'ecdsa-sha2-nistp256', 'ssh-rsa'].map((kind) => expect.stringMatching(`^${kind} AAAA`)),
    ...{ user: `${sn}.${id}`, ticket: expect.stringMatching(/^[\w-]{32}$/), endsAt: until },
    forwards: [{ listen: echo.port, to: `127.0.0.1:${echo.port}` }],
    ...{ seconds: expect.any(Number), authorizedKey: expect.stringMatching(/^ssh-ed25519 AAAA\S+$/) },
  });
  expect(Math.ceil((Date.parse(until) - Date.now()) / 1_000) - control.params.seconds).toBeLessThanOrEqual(0);
  pile.answer(control.id, { status: 'Accepted' });
  expect(await once(id, 'waiting', sweepLinks)).toMatchObject({ openedAt: null, address: null });
  const device = run(control.params);
  expect(await once(id, 'open')).toMatchObject({ address: '127.0.0.1', openedAt: expect.any(String) });

  const ended = await root.data(destroyLink, { params: { id } });
  expect(ended).toMatchObject({ state: 'ended', end: 'destroyed', endedBy: 'root_user', own: false });
  expect(Math.min(ended.bytesIn, ended.bytesOut)).toBeGreaterThan(100);
  await device.exited;
  const { params } = await nextControl('stopVpn');
  expect(params).toEqual({ link: id });
  expect(await root.data(destroyLink, { params: { id } })).toMatchObject({ endedBy: 'root_user' });
});

test('a link is announced to those who see its device', async () => {
  const stream = await openStream(admin, ENDPOINTS.stream.path);
  await stream.next();
  const { id } = await request(admin);
  // Events of earlier links may still arrive.
  const announced: number[] = [];
  while (!announced.includes(id)) {
    const { data } = await stream.next();
    announced.push(...((data as EventsMessage)['link.changed'] ?? []).map(([one]) => one));
  }
  await stream.close();
});

test('no ticket is stored: not with the command, the link or the protocol log', async () => {
  const { ticket, link } = await accepted(admin);
  await once(link, 'waiting', sweepLinks);
  const { rows } = await server.database.pool.query<{ text: string }>(`
    select string_agg(t.text, ' ') as text from (
      select c::text from commands c union all select e::text from executions e union all select l::text from links l
      union all select f::text from protocol_frames f union all select a::text from action_logs a) as t (text)`);
  expect(rows[0]?.text).toContain('startVpn');
  expect(rows[0]?.text).not.toContain(ticket);
});

test('a ticket opens a link once, for two minutes, and only its own', async () => {
  const params = await accepted(admin);
  await run(params, { ticket: 'wrong' }).exited;
  await run(params, { user: `${server.world.devices.northQuay2.sn}.${params.link}` }).exited;
  const device = run(params);
  await once(params.link, 'open');
  await run(params).exited;
  expect(await root.data(readLink, { params: { id: params.link } })).toMatchObject({ state: 'open' });
  await device.stop();
  expect(await once(params.link, 'ended')).toMatchObject({ end: 'closedByDevice' });
  await run(params).exited;
  const late = await accepted(admin);
  await server.database.pool.query('update links set ticket_until = now() where id = $1', [late.link]);
  await run(late).exited;
  expect(await once(late.link, 'ended', sweepLinks)).toMatchObject({ openedAt: null, end: 'connectFailed' });
});

test('a link that ends while its device signs in is closed', async () => {
  const { link, host, port, user: username, ticket: password } = await accepted(admin);
  const hostile = new ssh2.Client();
  hostile.on('error', () => undefined);
  hostile.connect({ host, port, username, password });
  await soon('the sign-in', new Promise<void>((resolve) => void hostile.on('ready', () => resolve())));
  const closed = soon('the end', new Promise<void>((resolve) => void hostile.on('close', () => resolve())));
  await server.database.pool.query(
    `update links set state = 'ended', end_reason = 'destroyed', ended_at = now() where id = $1`,
    [link],
  );
  hostile.forwardIn('localhost', echo.port, () => undefined);
  await closed;
});

describe('a link ends by itself', () => {
  const pool = () => server.database.pool;
  test.each<[string, LinkRow['end'], (linkId: number) => Promise<unknown>]>([
    ['when its time is over', 'expired', (id) => pool().query('update links set until = now() where id = $1', [id])],
    [
      'when its device is disabled',
      'deviceDisabled',
      () => root.data(fleetEndpoints.disableDevice, { params: { id: deviceId } }),
    ],
    [
      'when the role loses the access',
      'accessRevoked',
      () => pool().query('update roles set remote_access = $1', [REMOTE_ACCESS.webAdminOnly]),
    ],
    [
      'when the device moves out of the scope of its user',
      'accessRevoked',
      () =>
        pool().query('update devices set site_id = $1, customer_id = $2 where id = $3', [
          ...[server.world.sites.southPark, server.world.customers.south, deviceId],
        ]),
    ],
  ])('%s', async (_, end, happens) => {
    const { params, device } = await open(admin);
    await sweepLinks();
    expect(await root.data(readLink, { params: { id: params.link } })).toMatchObject({ state: 'open' });
    await happens(params.link);
    await sweepLinks();
    expect(await root.data(readLink, { params: { id: params.link } })).toMatchObject({ state: 'ended', end });
    await device.exited;
    await pool().query('update devices set site_id = $1, customer_id = $2 where id = $3', [
      ...[server.world.sites.northQuay, server.world.customers.north, deviceId],
    ]);
  });

  test('when the server restarts', async () => {
    const { params, device } = await open(admin);
    await server.restart();
    await device.exited;
    pile = await connectPile(server, sn);
    expect(await root.data(readLink, { params: { id: params.link } })).toMatchObject({ state: 'ended', end: 'lost' });
  });
});

describe('the error of control 7', () => {
  test.each<[string, object, LinkRow['end'], string | null]>([
    ['unknown vendor', { status: 'UnknownVendorId' }, 'notSupported', null],
    ['unknown message', { status: 'UnknownMessageId' }, 'notSupported', null],
    ['rejected with a status code', { status: 'Rejected', data: 'E42' }, 'vpnError', 'E42'],
    ['rejected', { status: 'Rejected' }, 'vpnError', 'rejected'],
  ])('%s', async (_, answer, end, endDetail) => {
    const { id } = await request(admin);
    pile.answer((await nextControl('startVpn')).id, answer);
    expect(await once(id, 'ended')).toMatchObject({ end, endDetail });
  });

  test('no response', async () => {
    const { id, executionId } = await request(admin);
    await nextControl('startVpn');
    await server.database.pool.query(`update executions set deadline_at = now() - interval '1 ms' where id = $1`, [
      executionId,
    ]);
    expect(await once(id, 'ended', sweepLinks)).toMatchObject({ end: 'executionTimeout' });
  });

  test('the device does not connect', async () => {
    const { link } = await accepted(admin);
    await once(link, 'waiting', sweepLinks);
    await server.database.pool.query('update links set ticket_until = now() where id = $1', [link]);
    await sweepLinks();
    expect(await root.data(readLink, { params: { id: link } })).toMatchObject({ state: 'ended', end: 'connectFailed' });
  });
});

test('requests that the rules forbid are refused, and the options say so before', async () => {
  const options = async () => {
    const { kinds } = await admin.data(readLinkOptions, { params: { id: deviceId } });
    return Object.fromEntries(kinds.map(({ kind, refusal }) => [kind, refusal?.code ?? null]));
  };
  expect(await options()).toEqual({ ssh: null, web: CODES.linkNotSupported.code, vpn: null });
  expect(await refusedRequest(admin, { kind: 'web' })).toBe(CODES.linkNotSupported.code);

  await server.database.pool.query('update device_models set web_support = true');
  await server.database.pool.query('update roles set remote_access = 3');
  const denied = CODES.noPermission.code;
  expect(await options()).toEqual({ ssh: denied, web: null, vpn: denied });
  expect(await refusedRequest(admin)).toBe(denied);
  expect(await refusedRequest(admin, { kind: 'vpn' })).toBe(denied);

  const policy = { ...OPEN_POLICY, web: false, hours: null };
  await root.data(setLinkPolicy, { params: { id: server.world.customers.north }, body: policy });
  expect(await refusedRequest(admin, { kind: 'web' })).toBe(CODES.linkPagesForbidden.code);
  expect(await refusedRequest(root, { issueId: 999_999 })).toBe(CODES.notFound.code);
  expect(await refusedRequest(root, { reason: ' ' })).toBe(CODES.fieldRequired.code);

  await pile.cut();
  await eventually(
    () => refusedRequest(root),
    (code) => code === CODES.deviceOffline.code,
  );
  await root.data(ENDPOINTS.disableDevice, { params: { id: deviceId } });
  expect(await refusedRequest(root)).toBe(CODES.deviceDisabled.code);
});

test('links outside the allowed hours of the customer are refused, and end with them', async () => {
  const clock = (minutes: number) => {
    const at = new Date(Date.now() + (8 * 60 + minutes) * 60_000);
    return at.toISOString().slice(11, 16);
  };
  const set = (hours: { from: string; until: string }) =>
    root.data(setLinkPolicy, { params: { id: server.world.customers.north }, body: { ...OPEN_POLICY, hours } });
  await set({ from: clock(60), until: clock(120) });
  expect(await refusedRequest(admin)).toBe(CODES.linkOutsideHours.code);
  await set({ from: clock(-60), until: clock(10) });
  const { until } = await request(admin, { minutes: 60 });
  expect(Date.parse(until) - Date.now()).toBeLessThanOrEqual(11 * 60_000);
});

test('a second person approves a link when the customer requires it', async () => {
  const policy = { ...OPEN_POLICY, secondPerson: true };
  await root.data(setLinkPolicy, { params: { id: server.world.customers.north }, body: policy });
  const { id, approval, executionId } = await request(admin);
  expect({ approval, executionId }).toEqual({ approval: { needed: true, by: null }, executionId: null });
  const approve = async (person: Client) => (await person.call(approveLink, { params: { id }, body: {} })).code;
  expect(await approve(admin)).toBe(CODES.linkApprovedBySelf.code);
  expect(pile.calls).toEqual([]);
  expect(await root.data(approveLink, { params: { id }, body: {} })).toMatchObject({
    ...{ state: 'requested', approval: { needed: true, by: 'root_user' }, executionId: expect.any(String) },
  });
  const { params } = await nextControl('startVpn');
  run(params);
  await once(id, 'open');
  expect(await approve(root)).toBe(CODES.linkNotWaiting.code);

  const late = await request(admin);
  await server.database.pool.query('update links set approval_until = now() where id = $1', [late.id]);
  await sweepLinks();
  expect(await root.data(readLink, { params: { id: late.id } })).toMatchObject({ state: 'ended', end: 'notApproved' });
});

test('a link that is destroyed before control 7 is sent is never sent', async () => {
  const policy = { ...OPEN_POLICY, secondPerson: true };
  await root.data(setLinkPolicy, { params: { id: server.world.customers.north }, body: policy });
  const { id } = await request(admin);
  await admin.data(destroyLink, { params: { id } });
  expect((await root.call(approveLink, { params: { id }, body: {} })).code).toBe(CODES.linkNotWaiting.code);
  expect(pile.calls).toEqual([]);
});

test('a restart outside the allowed hours leaves the open link as it is', async () => {
  const { params } = await open(admin);
  const hour = (away: number) => new Date(Date.now() + (8 + away) * 3_600_000).toISOString().slice(11, 16);
  const hours = { from: hour(1), until: hour(2) };
  await root.data(setLinkPolicy, { params: { id: server.world.customers.north }, body: { ...OPEN_POLICY, hours } });
  const refused = await root.call(restartLink, { body: { id: params.link } });
  expect(refused.code).toBe(CODES.linkOutsideHours.code);
  expect(await root.data(readLink, { params: { id: params.link } })).toMatchObject({ state: 'open', end: null });
  await root.data(setLinkPolicy, { params: { id: server.world.customers.north }, body: OPEN_POLICY });
});

test('control 7 succeeds when the device has connected', async () => {
  const { link } = await accepted(admin);
  const { executionId } = await root.data(readLink, { params: { id: link } });
  const execution = async () =>
    await root.data(ENDPOINTS.readExecution, { params: { id: deviceId, executionId: executionId! } });
  await eventually(execution, ({ state }) => state === 'accepted', { what: 'the response of the device' });
  expect((await execution()).outcome).toBe(EXECUTION_RESULTS.waiting);
  await admin.data(destroyLink, { params: { id: link } });
  expect(await execution()).toMatchObject({ outcome: EXECUTION_RESULTS.timeout, reason: 'notConfirmed' });
  pile.answer((await nextControl('stopVpn')).id, { status: 'Accepted' });
  const { params } = await open(admin);
  const opened = await root.data(readLink, { params: { id: params.link } });
  expect(
    await root.data(ENDPOINTS.readExecution, { params: { id: deviceId, executionId: opened.executionId! } }),
  ).toMatchObject({ outcome: EXECUTION_RESULTS.success, reason: 'linkOpened' });
});

test('a restart ends the link and requests the same again', async () => {
  const { params, device } = await open(admin);
  const again = await root.data(restartLink, { body: { id: params.link } });
  expect(again).toMatchObject({ kind: 'ssh', reason: 'Read the log', port: echo.port, own: true, state: 'requested' });
  await device.exited;
  // The device gets the controls of the new link only after it answered those of the old one.
  pile.answer((await nextControl('stopVpn')).id, { status: 'Accepted' });
  const next = await nextControl('startVpn');
  expect(next.params.link).toBe(again.id);
  pile.answer(next.id, { status: 'Accepted' });
  expect(await root.data(readLink, { params: { id: params.link } })).toMatchObject({ end: 'destroyed' });
});

test('active and past links are listed newest first, and past ones are removed after their days', async () => {
  const first = await accepted(admin);
  await admin.data(destroyLink, { params: { id: first.link } });
  pile.answer((await nextControl('stopVpn')).id, { status: 'Accepted' });
  const second = await accepted(admin);
  const ids = async (query: object) => (await admin.data(listLinks, { query })).items.map(({ id }) => id);
  expect(await ids({})).toEqual([second.link]);
  expect(await ids({ ended: true, deviceId })).toEqual([first.link]);
  expect(await ids({ deviceId: server.world.devices.northQuay2.id })).toEqual([]);
  expect(await ids({ before: second.link })).toEqual([]);
  const south = await server.as('southAdmin');
  expect((await south.data(listLinks, { query: {} })).items).toEqual([]);
  await server.database.pool.query(`update links set ended_at = now() - interval '91 days' where state = 'ended'`);
  await sweepLinks();
  expect(await ids({ ended: true })).toEqual([]);
});
