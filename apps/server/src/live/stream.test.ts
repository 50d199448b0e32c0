import { CODES, ENDPOINTS, EVENT_TOPICS, EVENTS, type EventsMessage, type EventTopic } from '@chargehand/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../testing/client.ts';
import { type EventStream, openStream, type StreamEvent } from '../testing/event-stream.ts';
import { eventually } from '../testing/eventually.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { STREAMS_PER_SESSION } from './stream-sessions.ts';

const PATH = ENDPOINTS.stream.path;
/** The JSON of a device event with some topics. */
const deviceEvents = (id: number, ...topics: EventTopic[]) => ({
  event: 'events',
  data: Object.fromEntries(topics.map((topic) => [topic, [[id, null]]])),
});
/** The topics of a device that left a place: all that are sent to everyone who sees it. */
const ALL_OF_IT = EVENT_TOPICS.filter(
  (topic) => EVENTS[topic].audience === 'device' && !EVENTS[topic].watched && !EVENTS[topic].from,
);

/** The next event of devices or sessions, without its payload and without figures. */
async function nextOf(stream: EventStream): Promise<StreamEvent> {
  for (;;) {
    const { event, data } = await stream.next();
    if (event !== 'events') return { event, data };
    const topics = Object.entries(data as EventsMessage).filter(([topic]) => !EVENTS[topic as EventTopic].from);
    const bare = topics.map(([topic, events]) => [topic, events.map(([id]) => [id, null])]);
    if (bare.length > 0) return { event, data: Object.fromEntries(bare) };
  }
}

let server: TestServer;
let root: Client;
beforeAll(async () => {
  server = await startTestServer({}, { sweeps: true });
  root = await server.as('root');
});
afterAll(() => server.stop());

let touches = 0;
/** Changes a field of a device, as a user would, each time to a new value. */
async function touch(id: number): Promise<void> {
  touches += 1;
  await root.data(ENDPOINTS.updateDevice, { params: { id }, body: { maintenanceCycleDays: touches } });
}

test('a stream starts with the server time, and disables buffering in proxies', async () => {
  const stream = await openStream(root, PATH);
  expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(stream.response.headers.get('cache-control')).toBe('no-store');
  expect(stream.response.headers.get('x-accel-buffering')).toBe('no');
  expect(stream.response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(await nextOf(stream)).toEqual({
    event: 'ready',
    data: { at: expect.stringMatching(/^\d{4}-.*Z$/), complete: false },
  });
  await stream.close();
});

test('an event reaches the users in scope, and no other', async () => {
  const { northMill1, northQuay1 } = server.world.devices;
  const [admin, assigned, south] = await Promise.all(
    (['northAdmin', 'northAssigned', 'southAdmin'] as const).map(async (person) => {
      const stream = await openStream(await server.as(person), PATH);
      await nextOf(stream);
      return stream;
    }),
  );
  for (let round = 0; round < 5; round += 1) {
    await touch(northMill1.id);
    expect(await nextOf(admin!)).toEqual(deviceEvents(northMill1.id, 'device.details'));
  }
  await touch(northQuay1.id);
  // The first event for the assigned user is about their own site: no event of the other site was sent.
  expect(await nextOf(assigned!)).toMatchObject(deviceEvents(northQuay1.id, 'device.details'));
  await touch(server.world.devices.southPark1.id);
  expect(await nextOf(south!)).toMatchObject(deviceEvents(server.world.devices.southPark1.id, 'device.details'));
  await Promise.all([admin, assigned, south].map((stream) => stream!.close()));
});

test('a stream continues where its page was loaded, with what was published since and what is made from it', async () => {
  const { northQuay1, northMill1 } = server.world.devices;
  const admin = await server.as('northAdmin');
  const first = await openStream(admin, PATH);
  await first.next();
  const { livePosition } = await admin.data(ENDPOINTS.info, { body: {} });
  await touch(northQuay1.id);
  const counters = async (stream: EventStream) => {
    const carried: EventsMessage = {};
    while (!carried['fleet.counters']) Object.assign(carried, (await stream.next()).data);
    return carried;
  };
  await counters(first);
  const stream = await openStream(admin, `${PATH}?since=${livePosition}`);
  expect(await stream.next()).toMatchObject({ event: 'ready', data: { complete: true } });
  const missed = await counters(stream);
  expect(missed['device.details']).toEqual([[northQuay1.id, null]]);

  // The figures were the last part of what the touch has changed.
  await touch(northMill1.id);
  const next = await openStream(admin, `${PATH}?since=${stream.position()}`);
  expect(await next.next()).toMatchObject({ data: { complete: true } });
  expect(await nextOf(next)).toEqual(deviceEvents(northMill1.id, 'device.details'));
  await Promise.all([first, stream, next].map((one) => one.close()));
});

test('a stream cannot continue from an unknown position, nor after a change of rights', async () => {
  const admin = await server.as('northAdmin');
  const isComplete = async (since: string) => {
    const stream = await openStream(admin, `${PATH}?since=${encodeURIComponent(since)}`);
    const { data } = await stream.next();
    await stream.close();
    return (data as { complete: boolean }).complete;
  };
  const { livePosition } = await admin.data(ENDPOINTS.info, { body: {} });
  const [run, number] = livePosition.split('.');
  expect(await isComplete(livePosition)).toBe(true);
  for (const unknown of ['', 'x', `other.${number}`, `${run}.${Number(number) + 100}`, `${run}.`, `${run}.NaN`]) {
    expect(await isComplete(unknown), unknown).toBe(false);
  }
  const params = { id: server.world.users.northAssigned };
  const { customers, sites } = await root.data(ENDPOINTS.readAssignments, { params });
  const ids = (rows: readonly { id: number }[]) => rows.map(({ id }) => id);
  await root.data(ENDPOINTS.setAssignments, { params, body: { customerIds: ids(customers), siteIds: [] } });
  expect(await isComplete(livePosition)).toBe(false);
  await root.data(ENDPOINTS.setAssignments, { params, body: { customerIds: ids(customers), siteIds: ids(sites) } });
});

test('an event carries the status of the device, and the changes for this reader', async () => {
  const { northQuay1 } = server.world.devices;
  const admin = await server.as('northAdmin');
  const stream = await openStream(admin, `${PATH}?deviceId=${northQuay1.id}`);
  await stream.next();
  await root.data(ENDPOINTS.disableDevice, { params: { id: northQuay1.id }, body: {} });
  const carried: EventsMessage = {};
  while (!carried['device.runtime'] || !carried['fleet.counters'] || !carried['fleet.siteStates']) {
    Object.assign(carried, (await stream.next()).data);
  }
  expect(carried['device.state']).toEqual([[northQuay1.id, expect.objectContaining({ status: 'disabled' })]]);
  expect(carried['device.runtime']).toEqual([
    [northQuay1.id, await admin.data(ENDPOINTS.readRuntime, { params: { id: northQuay1.id } })],
  ]);
  expect(carried['fleet.counters']).toEqual([[0, await admin.data(ENDPOINTS.countDevices, { query: {} })]]);
  expect(carried['fleet.siteStates']).toEqual([[0, await admin.data(ENDPOINTS.readSiteStates, {})]]);
  await root.data(ENDPOINTS.enableDevice, { params: { id: northQuay1.id }, body: {} });
  await stream.close();
});

test('an event carries the open alarms of its device, and the newest executions of a watched one', async () => {
  const { northQuay1 } = server.world.devices;
  const params = { id: northQuay1.id };
  const admin = await server.as('northAdmin');
  const { rows } = await server.database.pool.query(
    `insert into alarms (device_id, connector, code, kind, level, raised_at, last_at)
     values ($1, 1, 'GroundFailure', 'fault', 'CA', now(), now()) returning id`,
    [northQuay1.id],
  );
  const stream = await openStream(admin, `${PATH}?deviceId=${northQuay1.id}`);
  await stream.next();
  await root.data(ENDPOINTS.acknowledgeAlarms, { body: { ids: [rows[0].id] } });
  await root.data(ENDPOINTS.sendCommand, { params, body: { kind: 'softReset', whenOffline: 'queue' } });
  const carried: EventsMessage = {};
  while (!carried['device.openAlarms'] || !carried['device.newestExecutions']) {
    Object.assign(carried, (await stream.next()).data);
  }
  const open = await admin.data(ENDPOINTS.listAlarms, { query: { deviceId: northQuay1.id, state: 'open' } });
  expect(open.items).toHaveLength(1);
  expect(carried['device.openAlarms']).toEqual([[northQuay1.id, open.items]]);
  const executions = await admin.data(ENDPOINTS.listExecutions, { params });
  expect(executions.items).toHaveLength(1);
  expect(carried['device.newestExecutions']).toEqual([[northQuay1.id, executions]]);

  // An alarm from a former site is not for everybody who sees the device now.
  await server.database.pool.query('update alarms set site_id = $2 where id = $1', [
    rows[0].id,
    server.world.sites.northMill,
  ]);
  await root.data(ENDPOINTS.commentAlarm, { params: { id: rows[0].id }, body: { comment: 'Seen' } });
  delete carried['device.openAlarms'];
  while (!carried['device.openAlarms']) Object.assign(carried, (await stream.next()).data);
  expect(carried['device.openAlarms']).toEqual([[northQuay1.id, null]]);
  await stream.close();
});

test('a role without a menu that shows devices receives no device events', async () => {
  const { northQuay1 } = server.world.devices;
  const nobody = await server.as('northNoMenus');
  const [silent, admin] = [
    await openStream(nobody, `${PATH}?deviceId=${northQuay1.id}`),
    await openStream(await server.as('northAdmin'), PATH),
  ];
  await Promise.all([silent.next(), admin.next()]);
  await touch(northQuay1.id);
  expect(await nextOf(admin)).toMatchObject({ data: { 'device.details': [[northQuay1.id, null]] } });
  // The first event is the end of their own session.
  await nobody.call(ENDPOINTS.logout, { body: {} });
  expect(await nextOf(silent)).toMatchObject({ event: 'session' });
  expect(await nextOf(admin)).toMatchObject({
    event: 'events',
    data: { 'customer.sessions': [[expect.any(Number), null]] },
  });
  await Promise.all([silent, admin].map((stream) => stream.close()));
});

test('a user who saw a device receives its removal, and one who never saw it does not', async () => {
  const { southPark1, northQuay1 } = server.world.devices;
  const [south, north] = await Promise.all(
    (['southAdmin', 'northAdmin'] as const).map(async (person) => {
      const stream = await openStream(await server.as(person), PATH);
      await nextOf(stream);
      return stream;
    }),
  );
  const { siteId, deviceModelId } = await root.data(ENDPOINTS.readDevice, { params: { id: southPark1.id } });
  const { id } = await root.data(ENDPOINTS.createDevice, {
    body: { sn: 'GONE000001', name: 'Soon gone', siteId, deviceModelId },
  });
  expect(await nextOf(south!)).toMatchObject(deviceEvents(id, 'device.details'));
  await root.data(ENDPOINTS.deleteDevice, { params: { id } });
  expect(await nextOf(south!)).toEqual(deviceEvents(id, ...ALL_OF_IT));
  // The first event of the other customer's user is about their own site.
  await touch(northQuay1.id);
  expect(await nextOf(north!)).toMatchObject(deviceEvents(northQuay1.id, 'device.details'));
  await Promise.all([south, north].map((stream) => stream!.close()));
});

test('a user who loses sight of a moved device receives a last event, and one who gains it receives it immediately', async () => {
  const { id } = server.world.devices.northQuay2;
  const [assigned, south] = await Promise.all(
    (['northAssigned', 'southAdmin'] as const).map(async (person) => {
      const stream = await openStream(await server.as(person), PATH);
      await nextOf(stream);
      return stream;
    }),
  );
  const move = (siteId: number) => root.data(ENDPOINTS.updateDevice, { params: { id }, body: { siteId } });
  await move(server.world.sites.southPark);
  const events = deviceEvents(id, ...ALL_OF_IT);
  expect(await nextOf(assigned!)).toEqual(events);
  expect(await nextOf(south!)).toEqual(events);
  await move(server.world.sites.northQuay);
  // Read to the end: events that are still being collected would go to the next listener.
  expect(await nextOf(assigned!)).toEqual(events);
  expect(await nextOf(south!)).toEqual(events);
  await Promise.all([assigned, south].map((stream) => stream!.close()));
});

test('a user whose scope changes receives events of the new scope immediately, and no more of the old one', async () => {
  const { users, sites, devices } = server.world;
  const params = { id: users.northAssigned };
  const assign = (...siteIds: number[]) =>
    root.data(ENDPOINTS.setAssignments, { params, body: { customerIds: [], siteIds } });
  const before = (await root.data(ENDPOINTS.readAssignments, { params })).sites.map(({ id }) => id);
  const stream = await openStream(await server.as('northAssigned'), PATH);
  await nextOf(stream);
  for (const [site, seen, hidden] of [
    [sites.northMill, devices.northMill1.id, devices.northQuay1.id],
    [sites.northQuay, devices.northQuay1.id, devices.northMill1.id],
  ] as const) {
    await assign(site);
    expect((await nextOf(stream)).event).toBe('resync');
    await touch(hidden);
    await touch(seen);
    expect(await nextOf(stream)).toMatchObject(deviceEvents(seen, 'device.details'));
  }
  await assign(...before);
  await stream.close();
});

test('a stream of one device out of scope gives the same answer as for an unknown device', async () => {
  const admin = await server.as('northAdmin');
  const ask = async (id: number) => (await admin.fetch(`${PATH}?deviceId=${id}`)).json();
  expect(await ask(server.world.devices.southPark1.id)).toEqual(await ask(2_000_000_000));
  expect(await ask(server.world.devices.southPark1.id)).toMatchObject({ code: CODES.notFound.code });
});

test('a stream requires a session', async () => {
  const response = await server.anonymous.fetch(PATH);
  expect(await response.json()).toMatchObject({ code: CODES.notSignedIn.code });
});

test('the end of the session is sent in the language of the reader, and ends the stream', async () => {
  const person = await server.as('northAdmin', 'zh-CN');
  const stream = await openStream(person, PATH);
  await nextOf(stream);
  await person.data(ENDPOINTS.logout, { body: {} });
  expect(await stream.rest()).toEqual([
    { event: 'session', data: { code: CODES.notSignedIn.code, message: CODES.notSignedIn.zh } },
  ]);
});

test('a session may have a limited number of streams; closing one frees its place', async () => {
  const person = await server.as('northAdmin');
  const streams = await Promise.all(Array.from({ length: STREAMS_PER_SESSION }, () => openStream(person, PATH)));
  const refused = await person.fetch(PATH);
  expect(refused.status).toBe(429);
  expect(await refused.json()).toMatchObject({ code: CODES.tooManyStreams.code });
  await streams[0]!.close();
  await expect
    .poll(async () => {
      const response = await person.fetch(PATH);
      await response.body?.cancel();
      return response.status;
    })
    .toBe(200);
  await Promise.all(streams.slice(1).map((stream) => stream.close()));
});

test('a reader who disconnects during admission holds no stream', async () => {
  const quiet = await startTestServer();
  const { pool } = quiet.database;
  const person = await quiet.as('vendorStaff');
  const { id } = quiet.world.devices.northQuay1;
  // Every request for the device waits for this transaction.
  const holding = await pool.connect();
  await holding.query('begin; lock table devices in access exclusive mode');
  const leaving = new AbortController();
  const answers = Array.from({ length: STREAMS_PER_SESSION }, () =>
    person.fetch(`${PATH}?deviceId=${id}`, { signal: leaving.signal }),
  );
  await eventually(
    () => pool.totalCount - pool.idleCount - 1 + pool.waitingCount,
    (working) => working >= STREAMS_PER_SESSION,
    { what: 'all requests to wait for the database' },
  );
  leaving.abort();
  for (const answer of answers) await expect(answer).rejects.toThrow();
  await holding.query('rollback');
  holding.release();
  const stream = await openStream(person, PATH);
  expect((await nextOf(stream)).event).toBe('ready');
  await stream.close();
  await quiet.stop();
});

test('stopping the server ends open streams immediately', async () => {
  const stream = await openStream(root, PATH);
  await nextOf(stream);
  await server.restart();
  await stream.rest();
  const again = await openStream(root, PATH);
  expect(await nextOf(again)).toMatchObject({ event: 'ready' });
  await again.close();
});
