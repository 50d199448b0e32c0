import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { localBus } from '../platform/bus/local-bus.ts';
import { createLog } from '../platform/log.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { seedWorld, type World } from '../testing/world.ts';
import { CHANGES_SUBJECT, changeFeed, type GatheredChanges, topicsOf } from './change-feed.ts';
import { eventLine, WAITING_LIMIT } from './event-connection.ts';
import { type Listener, streamHub } from './stream-hub.ts';

let database: TestDatabase;
let world: World;
beforeAll(async () => {
  database = await createTestDatabase();
  world = await seedWorld(database.db);
});
afterAll(() => database.drop());

const fail = (error: unknown) => {
  throw error;
};

function listening(scope: ReturnType<Listener['scope']>, ...deviceIds: number[]) {
  const heard: [number, string[]][] = [];
  const { promise: first, resolve } = Promise.withResolvers<void>();
  const listener: Listener = {
    scope: () => scope,
    devices: new Set(deviceIds),
    changed(changes) {
      for (const [id, bits] of changes) heard.push([id, topicsOf(bits)]);
      resolve();
    },
    resync: () => heard.push([0, ['resync']]),
  };
  return { listener, heard, first };
}

test('the fleet’s topics are told of every device, all topics of those that are watched', async () => {
  const bus = localBus(fail);
  const feed = changeFeed(bus);
  const hub = streamHub({ bus, db: database.db, log: createLog('silent') });
  const all = { customers: 'all', sites: 'all' } as const;
  const { northQuay1, northQuay2, northMill1 } = world.devices;
  const fleet = listening(all);
  const watching = listening(all, northQuay1.id);
  hub.add(fleet.listener);
  const several = listening(all, northQuay1.id, northMill1.id);
  hub.add(watching.listener);
  hub.add(several.listener);
  feed.changed(northQuay1.id, 'frames');
  feed.changed(northQuay1.id, 'state', 'readings');
  feed.changed(northQuay2.id, 'readings', 'frames', 'alarms');
  feed.changed(northMill1.id, 'readings');
  await Promise.all([fleet.first, watching.first, several.first]);
  expect(fleet.heard).toEqual([
    [northQuay1.id, ['state']],
    [northQuay2.id, ['alarms']],
  ]);
  expect(watching.heard).toEqual([
    [northQuay1.id, ['state', 'readings', 'frames']],
    [northQuay2.id, ['alarms']],
  ]);
  expect(several.heard).toEqual([
    [northQuay1.id, ['state', 'readings', 'frames']],
    [northQuay2.id, ['alarms']],
    [northMill1.id, ['readings']],
  ]);
  hub.stop();
  feed.stop();
});

test('a hundred thousand changes of a thousand devices become one message', async () => {
  const bus = localBus(fail);
  const feed = changeFeed(bus);
  const { promise, resolve } = Promise.withResolvers<unknown>();
  bus.subscribe(CHANGES_SUBJECT, resolve);
  for (let index = 0; index < 100_000; index += 1) feed.changed(1 + (index % 1_000), 'frames', 'readings');
  expect(((await promise) as GatheredChanges).changed).toHaveLength(1_000);
  feed.stop();
});

test('a line says again and again that it is there, until it ends', async () => {
  const http = createServer((_request, response) => {
    const line = eventLine(response, {}, () => ({}), 20);
    line.send('ready', {});
    response.on('close', () => line.end());
  });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const answer = await fetch(`http://127.0.0.1:${(http.address() as AddressInfo).port}`);
  let text = '';
  for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    if (text.split('event: alive').length > 3) break;
  }
  expect(text).toMatch(/^event: ready\ndata: \{\}\n\n(event: alive\ndata: \{\}\n\n){3}/);
  http.close();
});

test('a reader that takes nothing costs no more than a bounded memory, and is told to fetch again', async () => {
  const { promise: opened, resolve } = Promise.withResolvers<ServerResponse>();
  const http = createServer((_request, response) => resolve(response));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const request = get({ port: (http.address() as AddressInfo).port, host: '127.0.0.1' });
  const response = await opened;
  const line = eventLine(response, {}, (changes) => ({ ids: [...changes.keys()] }));
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  answer.pause();
  let id = 0;
  while (!response.writableNeedDrain) {
    line.changed(new Map(Array.from({ length: 50_000 }, () => [++id, 1])));
    await new Promise(setImmediate);
  }
  const queued = response.writableLength;
  for (let round = 0; round < 100; round += 1) {
    line.changed(new Map(Array.from({ length: WAITING_LIMIT }, () => [++id, 1])));
  }
  expect(response.writableLength).toBe(queued);
  let text = '';
  answer.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  answer.resume();
  await expect.poll(() => text, { timeout: 30_000 }).toMatch(/event: resync\ndata: \{\}\n\n$/);
  line.end();
  await once(answer, 'end');
  http.close();
});
