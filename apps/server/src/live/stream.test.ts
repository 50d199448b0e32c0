import { CODES, ENDPOINTS } from '@chargehand/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../testing/client.ts';
import { openStream } from '../testing/event-stream.ts';
import { median } from '../testing/median.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { STREAMS_PER_SESSION } from './stream-sessions.ts';

const PATH = ENDPOINTS.stream.path;

let server: TestServer;
let root: Client;
beforeAll(async () => {
  server = await startTestServer();
  root = await server.as('root');
});
afterAll(() => server.stop());

/** Makes something of a device change, as a person would. */
async function touch(id: number): Promise<void> {
  await root.data(ENDPOINTS.updateDevice, { params: { id }, body: { maintenanceCycleDays: 1 + (Date.now() % 3_000) } });
}

test('a stream begins with the server’s time, and proxies are told to let it through', async () => {
  const stream = await openStream(root, PATH);
  expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(stream.response.headers.get('cache-control')).toBe('no-store');
  expect(stream.response.headers.get('x-accel-buffering')).toBe('no');
  expect(stream.response.headers.get('x-content-type-options')).toBe('nosniff');
  expect(await stream.next()).toEqual({ event: 'ready', data: { at: expect.stringMatching(/^\d{4}-.*Z$/) } });
  await stream.close();
});

test('a change is told within a second to those in scope, and to nobody else', async () => {
  const { northMill1, northQuay1 } = server.world.devices;
  const [admin, assigned, south] = await Promise.all(
    (['northAdmin', 'northAssigned', 'southAdmin'] as const).map(async (person) => {
      const stream = await openStream(await server.as(person), PATH);
      await stream.next();
      return stream;
    }),
  );
  const took: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const from = Date.now();
    await touch(northMill1.id);
    expect(await admin!.next()).toEqual({
      event: 'change',
      data: { changes: [{ deviceId: northMill1.id, topics: ['details'] }] },
    });
    took.push(Date.now() - from);
  }
  expect(median(took)).toBeLessThan(1_000);
  await touch(northQuay1.id);
  // The first thing the assigned user hears is the quay: the mill was never told.
  expect(await assigned!.next()).toMatchObject({ data: { changes: [{ deviceId: northQuay1.id }] } });
  await touch(server.world.devices.southPark1.id);
  expect(await south!.next()).toMatchObject({ data: { changes: [{ deviceId: server.world.devices.southPark1.id }] } });
  await Promise.all([admin, assigned, south].map((stream) => stream!.close()));
});

test('who loses sight of a moved device hears of it once more, and who gains it hears of it at once', async () => {
  const { id } = server.world.devices.northQuay2;
  const [assigned, south] = await Promise.all(
    (['northAssigned', 'southAdmin'] as const).map(async (person) => {
      const stream = await openStream(await server.as(person), PATH);
      await stream.next();
      return stream;
    }),
  );
  await touch(id);
  await assigned!.next();
  const move = (siteId: number) => root.data(ENDPOINTS.updateDevice, { params: { id }, body: { siteId } });
  await move(server.world.sites.southPark);
  const told = { event: 'change', data: { changes: [{ deviceId: id, topics: ['details'] }] } };
  expect(await assigned!.next()).toEqual(told);
  expect(await south!.next()).toEqual(told);
  await move(server.world.sites.northQuay);
  await Promise.all([assigned, south].map((stream) => stream!.close()));
});

test('a stream of one device out of scope is as unknown as one of none', async () => {
  const admin = await server.as('northAdmin');
  const ask = async (id: number) => (await admin.fetch(`${PATH}?deviceId=${id}`)).json();
  expect(await ask(server.world.devices.southPark1.id)).toEqual(await ask(2_000_000_000));
  expect(await ask(server.world.devices.southPark1.id)).toMatchObject({ code: CODES.notFound.code });
});

test('nobody listens without a session', async () => {
  const response = await server.anonymous.fetch(PATH);
  expect(await response.json()).toMatchObject({ code: CODES.notSignedIn.code });
});

test('the end of the session is told in the language of the reader, and ends the stream', async () => {
  const person = await server.as('northAdmin', 'zh-CN');
  const stream = await openStream(person, PATH);
  await stream.next();
  await person.data(ENDPOINTS.logout, { body: {} });
  expect(await stream.rest()).toEqual([
    { event: 'session', data: { code: CODES.notSignedIn.code, message: CODES.notSignedIn.zh } },
  ]);
});

test('a session holds so many streams and no more; one that closes makes room', async () => {
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

test('a reader who leaves while being let in holds no stream', async () => {
  const person = await server.as('vendorStaff');
  const { id } = server.world.devices.northQuay1;
  for (let round = 0; round < 3 * STREAMS_PER_SESSION; round += 1) {
    const leaving = new AbortController();
    const answer = person.fetch(`${PATH}?deviceId=${id}`, { signal: leaving.signal });
    await new Promise((resolve) => setTimeout(resolve, round % 6));
    leaving.abort();
    await expect(answer.then((response) => response.text())).rejects.toThrow();
  }
  const stream = await openStream(person, PATH);
  expect((await stream.next()).event).toBe('ready');
  await stream.close();
});

test('stopping the server ends open streams at once', async () => {
  const stream = await openStream(root, PATH);
  await stream.next();
  await server.restart();
  await stream.rest();
  const again = await openStream(root, PATH);
  expect(await again.next()).toMatchObject({ event: 'ready' });
  await again.close();
});
