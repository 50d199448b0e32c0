import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type DeviceSummary,
  ENDPOINTS,
  EVENTS,
  type EventAudience,
  type EventDeclaration,
  STREAM_HEARTBEAT_MS,
} from '@chargehand/contract';
import type { Scope } from '@chargehand/domain';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { localBus } from '../platform/bus/local-bus.ts';
import { systemClock } from '../platform/clock.ts';
import type { Caller } from '../platform/http/caller.ts';
import { createLog } from '../platform/log.ts';
import { steppedClock } from '../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { seedWorld, type World } from '../testing/world.ts';
import { type EventConnection, eventConnection, WAITING_LIMIT } from './event-connection.ts';
import { type AudienceOnBus, type EventBatch, eventFeed } from './event-feed.ts';
import { eventHub, isAudience, mayReceive } from './event-hub.ts';
import type { Listener, ListenerEvents } from './listener.ts';

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

const holder = (scope: Scope, ...keys: string[]) =>
  ({ userId: 7, sessionId: 'mine', scope, root: false, keys: new Set(keys), levels: OVERSEES }) as unknown as Caller;
const OVERSEES = { attachment: { write: 2 } };
const ALL: Scope = { customers: 'all', sites: 'all' };

/** A listener that records its events as `topic id payload`. */
function listening(who: Caller | null, ...deviceIds: number[]) {
  const delivered: string[] = [];
  const { promise: first, resolve } = Promise.withResolvers<void>();
  const listener: Listener = {
    holder: () => who,
    devices: new Set(deviceIds),
    events(events) {
      for (const [topic, payloads] of events) for (const [id] of payloads) delivered.push(`${topic} ${id}`);
      resolve();
    },
    resync: () => delivered.push('resync'),
  };
  return { listener, delivered, first };
}

test('topics of a device reach everyone who sees it, watched topics only those who watch it', async () => {
  const bus = localBus(fail);
  const feed = eventFeed(bus, systemClock);
  const hub = eventHub({ bus, db: database.db, clock: systemClock, log: createLog('silent') });
  const reader = holder(ALL, 'auth_device_list');
  const { northQuay1, northQuay2, northMill1 } = world.devices;
  const fleet = listening(reader);
  const watching = listening(reader, northQuay1.id);
  const several = listening(reader, northQuay1.id, northMill1.id);
  const doubted = listening(null, northQuay1.id);
  const withoutMenus = listening(holder(ALL), northQuay1.id);
  for (const { listener } of [fleet, watching, several, doubted, withoutMenus]) hub.add(listener);
  feed.publish('device.frames', { id: northQuay1.id });
  feed.publish(['device.state', 'device.readings'], { id: northQuay1.id });
  feed.publish(['device.readings', 'device.frames', 'device.alarms'], { id: northQuay2.id });
  feed.publish('device.readings', { id: northMill1.id });
  await Promise.all([fleet.first, watching.first, several.first]);
  const all = [`device.state ${northQuay1.id}`, `device.alarms ${northQuay2.id}`];
  const quay = [`device.frames ${northQuay1.id}`, `device.readings ${northQuay1.id}`];
  expect(fleet.delivered.toSorted()).toEqual(all.toSorted());
  expect(watching.delivered.toSorted()).toEqual([...all, ...quay].toSorted());
  expect(several.delivered.toSorted()).toEqual([...all, ...quay, `device.readings ${northMill1.id}`].toSorted());
  expect([...doubted.delivered, ...withoutMenus.delivered]).toEqual([]);
  hub.stop();
  feed.stop();
});

test('who asks for the frames of all devices receives one event for those it may see', async () => {
  const bus = localBus(fail);
  const feed = eventFeed(bus, systemClock);
  const hub = eventHub({ bus, db: database.db, clock: systemClock, log: createLog('silent') });
  const { northQuay1, northQuay2, southPark1 } = world.devices;
  const south: Scope = { customers: [world.customers.south], sites: 'all' };
  const asking = (who: Caller, ...deviceIds: number[]) => {
    const one = listening(who, ...deviceIds);
    hub.add({ ...one.listener, gathered: ['fleet.frames'] });
    return one;
  };
  const log = asking(holder(ALL, 'auth_logs_protocol'));
  const both = asking(holder(ALL, 'auth_logs_protocol', 'auth_device_list'), northQuay2.id);
  const withoutMenu = asking(holder(ALL, 'auth_device_list'), northQuay1.id);
  const elsewhere = asking(holder(south, 'auth_logs_protocol'));
  feed.publish('device.frames', { id: northQuay1.id });
  feed.publish('device.frames', { id: northQuay2.id });
  await Promise.all([log.first, both.first, withoutMenu.first]);
  expect(log.delivered).toEqual(['fleet.frames 0']);
  expect(both.delivered.toSorted()).toEqual([`device.frames ${northQuay2.id}`, 'fleet.frames 0'].toSorted());
  expect(withoutMenu.delivered).toEqual([`device.frames ${northQuay1.id}`]);
  feed.publish('device.frames', { id: southPark1.id });
  await expect.poll(() => elsewhere.delivered).toEqual(['fleet.frames 0']);
  hub.stop();
  feed.stop();
});

test('an event carries the changes, read once for all; a topic made from others contains what each listener may see', async () => {
  const bus = localBus(fail);
  const feed = eventFeed(bus, systemClock);
  const hub = eventHub({ bus, db: database.db, clock: systemClock, log: createLog('silent') });
  const { northQuay1, northQuay2 } = world.devices;
  const reads: unknown[] = [];
  const summary = { status: 'idle' } as unknown as DeviceSummary;
  hub.carry(['device.state', 'device.alarms'], async (ids) => {
    reads.push([...ids]);
    return new Map([[northQuay1.id, summary]]);
  });
  hub.derive('fleet.alarms', async ({ userName }) => ({ total: userName }) as never);
  hub.derive('fleet.counters', () => Promise.reject(new Error('no figures')));
  const person = (userName: string, userId: number) =>
    ({ ...holder(ALL, 'auth_home', 'auth_device_list'), userName, userId }) as Caller;
  const [one, other] = [person('one', 1), person('other', 2)].map((who) => {
    const delivered: ListenerEvents[] = [];
    const { promise: complete, resolve } = Promise.withResolvers<void>();
    hub.add({
      ...{ holder: () => who, devices: new Set<number>(), resync: fail as never },
      events(events) {
        delivered.push(events);
        if (delivered.length === 2) resolve();
      },
    });
    return { delivered, complete };
  });
  feed.publish(['device.state', 'device.alarms'], { id: northQuay1.id });
  feed.publish('device.state', { id: northQuay2.id });
  await Promise.all([one!.complete, other!.complete]);
  expect(reads).toEqual([[northQuay1.id, northQuay2.id]]);
  for (const [{ delivered }, userName] of [
    [one!, 'one'],
    [other!, 'other'],
  ] as const) {
    expect(Object.fromEntries(delivered[0]!)).toEqual({
      'device.state': new Map([
        [northQuay1.id, summary],
        [northQuay2.id, null],
      ]),
      'device.alarms': new Map([[northQuay1.id, summary]]),
    });
    expect(Object.fromEntries(delivered[1]!)).toEqual({
      'fleet.alarms': new Map([[0, { total: userName }]]),
      'fleet.counters': new Map([[0, null]]),
    });
  }
  hub.stop();
  feed.stop();
});

test('figures are read once for all users with the same scope, and for no others', async () => {
  const bus = localBus(fail);
  const feed = eventFeed(bus, systemClock);
  const hub = eventHub({ bus, db: database.db, clock: systemClock, log: createLog('silent') });
  const reads: Scope[] = [];
  hub.deriveFigures('fleet.counters', async ({ scope }) => {
    reads.push(scope);
    return { total: scope.sites.length } as never;
  });
  const { north, south } = world.customers;
  const { northQuay } = world.sites;
  const users: [number, Scope][] = [
    [1, { customers: 'all', sites: 'all' }],
    [2, { customers: 'all', sites: 'all' }],
    [3, { customers: [north], sites: 'all' }],
    [4, { customers: [north], sites: [northQuay] }],
    [5, { customers: [north], sites: [northQuay] }],
    [6, { customers: [north, south], sites: 'all' }],
  ];
  const received = users.map(([userId, scope]) => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const who = { ...holder(scope, 'auth_device_list'), userId } as Caller;
    hub.add({
      ...{ holder: () => who, devices: new Set<number>(), resync: fail as never },
      events(events) {
        const counters = events.get('fleet.counters');
        if (counters) resolve(counters.get(0));
      },
    });
    return promise;
  });
  feed.publish('device.details', { id: world.devices.northQuay1.id });
  expect(await Promise.all(received)).toEqual([3, 3, 3, 1, 1, 3].map((total) => ({ total })));
  expect(reads).toEqual([users[0]![1], users[2]![1], users[3]![1], users[5]![1]]);
  hub.stop();
  feed.stop();
});

test.each<[string, Scope, EventAudience, AudienceOnBus, boolean]>([
  ['a site in scope', { customers: [1], sites: [3] }, 'place', { customerId: 1, siteId: 3 }, true],
  ['a site out of scope', { customers: [1], sites: [3] }, 'place', { customerId: 1, siteId: 4 }, false],
  ['any site of a customer in scope', { customers: [1], sites: 'all' }, 'place', { customerId: 1, siteId: 4 }, true],
  ['a whole customer in scope', { customers: [1], sites: 'all' }, 'place', { customerId: 1, siteId: null }, true],
  [
    'a whole customer with one site in scope',
    { customers: [1], sites: [3] },
    'place',
    { customerId: 1, siteId: null },
    false,
  ],
  ['a device with an unknown place', ALL, 'device', null, false],
  ['the user', { customers: [], sites: [] }, 'user', { userId: 7 }, true],
  ['another user', ALL, 'user', { userId: 8 }, false],
  ['the session', { customers: [], sites: [] }, 'session', { sessionId: 'mine' }, true],
  ['another session of the user', ALL, 'session', { sessionId: 'other' }, false],
  ['everyone', { customers: [], sites: [] }, 'everyone', null, true],
  ['the owner of a share', { customers: [], sites: [] }, 'share', { ownerId: 7, customerId: 1 }, true],
  ['a share in scope', { customers: [1], sites: 'all' }, 'share', { ownerId: 8, customerId: 1 }, true],
  ['a share for assigned sites', { customers: [1], sites: [3] }, 'share', { ownerId: 8, customerId: 1 }, false],
  ['a share out of scope', { customers: [1], sites: 'all' }, 'share', { ownerId: 8, customerId: 2 }, false],
  ['a share of the platform', ALL, 'share', { ownerId: 8, customerId: null }, true],
  [
    'a share of the platform for a customer',
    { customers: [1], sites: 'all' },
    'share',
    { ownerId: 8, customerId: null },
    false,
  ],
])('the audience %s', (_title, scope, audience, who, expected) => {
  expect(isAudience(holder(scope), { audience }, who)).toBe(expected);
});

test.each([
  [{ customerId: null, readLevel: 3, writeLevel: 3, enabled: true }, true],
  [{ customerId: 1, readLevel: 3, writeLevel: 3, enabled: true }, true],
  [{ customerId: 2, readLevel: 3, writeLevel: 3, enabled: true }, false],
  [{ customerId: 1, readLevel: 3, writeLevel: 3, enabled: false }, false],
  [{ customerId: 1, readLevel: 2, writeLevel: 2, enabled: true }, false],
] as const)('a change of the document %o is announced to a reader of level 3: %s', (document, expected) => {
  const reader = {
    ...holder({ customers: [1], sites: 'all' }),
    customerId: 1,
    levels: { wiki: { read: 3, write: 4 } },
  } as unknown as Caller;
  expect(isAudience(reader, { audience: 'document' }, { documents: [document] })).toBe(expected);
  expect(isAudience(reader, { audience: 'document' }, { documents: 'any' })).toBe(true);
});

test('topics whose readers are of the vendor are not for users of customers with the same permission', () => {
  const customer = holder(ALL, 'auth_logs_error');
  expect(mayReceive(customer, 'errors.changed')).toBe(false);
  expect(mayReceive({ ...customer, platformVendor: true }, 'errors.changed')).toBe(true);
  expect(mayReceive({ ...holder(ALL), platformVendor: true }, 'errors.changed')).toBe(false);
});

test('shares of others are only for those who oversee them', () => {
  const reader = { ...holder(ALL), levels: { attachment: { write: 3 } } } as unknown as Caller;
  expect(isAudience(reader, { audience: 'share' }, { ownerId: 8, customerId: 1 })).toBe(false);
  expect(isAudience(reader, { audience: 'share' }, { ownerId: 7, customerId: 1 })).toBe(true);
});

test('a hundred thousand events of a thousand devices become one message', async () => {
  const bus = localBus(fail);
  const feed = eventFeed(bus, systemClock);
  const { promise, resolve } = Promise.withResolvers<EventBatch>();
  bus.subscribe('events', ({ events }) => resolve(events));
  for (let index = 0; index < 100_000; index += 1) {
    feed.publish(['device.frames', 'device.readings'], { id: 1 + (index % 1_000) });
  }
  const batch = await promise;
  expect(batch['device.frames']).toHaveLength(1_000);
  expect(batch['device.readings']).toHaveLength(1_000);
  feed.stop();
});

test('every reader of a topic is an endpoint with keys', () => {
  for (const [topic, { readers = [] }] of Object.entries(EVENTS) as [string, EventDeclaration][]) {
    for (const name of readers) {
      const route = ENDPOINTS[name as keyof typeof ENDPOINTS]?.policy.route;
      expect(typeof route === 'object' && route.keys.length, `${topic}: ${name}`).toBeGreaterThan(0);
    }
  }
});

/** Events of one topic for many devices. */
const manyEvents = (ids: Iterable<number>): ListenerEvents =>
  new Map([['device.state', new Map([...ids].map((id) => [id, null]))]]);

test('a connection sends heartbeats until it ends', async () => {
  const clock = steppedClock();
  const { promise, resolve } = Promise.withResolvers<EventConnection>();
  const http = createServer((_request, response) => resolve(eventConnection(response, {}, clock)));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const answer = await fetch(`http://127.0.0.1:${(http.address() as AddressInfo).port}`);
  const connection = await promise;
  await clock.advance(2 * STREAM_HEARTBEAT_MS);
  await clock.advance(STREAM_HEARTBEAT_MS - 1);
  connection.end('end');
  const alive = 'event: alive\ndata: {}\n\n';
  expect(await answer.text()).toBe(`${alive}${alive}event: end\ndata: {}\n\n`);
  await clock.advance(STREAM_HEARTBEAT_MS);
  http.close();
});

test('a reader that does not read uses bounded memory, and fetches everything again', async () => {
  const { promise: opened, resolve } = Promise.withResolvers<ServerResponse>();
  const http = createServer((_request, response) => resolve(response));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const request = get({ port: (http.address() as AddressInfo).port, host: '127.0.0.1' });
  const response = await opened;
  const clock = steppedClock();
  const connection = eventConnection(response, {}, clock);
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  answer.pause();
  let id = 0;
  while (!response.writableNeedDrain) {
    connection.events(manyEvents(Array.from({ length: 50_000 }, () => ++id)));
    await new Promise(setImmediate);
  }
  const queued = response.writableLength;
  for (let round = 0; round < 100; round += 1) {
    connection.events(manyEvents(Array.from({ length: WAITING_LIMIT }, () => ++id)));
  }
  expect(response.writableLength).toBe(queued);
  // It is not disconnected before its timeout.
  await clock.advance(45_000);
  expect(response.destroyed).toBe(false);
  let text = '';
  answer.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  answer.resume();
  await expect.poll(() => text, { timeout: 30_000 }).toMatch(/event: resync\ndata: \{\}\n\n$/);
  connection.end();
  await once(answer, 'end');
  http.close();
});

test('a reader that does not read for 45 seconds is disconnected', async () => {
  const { promise: opened, resolve } = Promise.withResolvers<ServerResponse>();
  const http = createServer((_request, response) => resolve(response));
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const request = get({ port: (http.address() as AddressInfo).port, host: '127.0.0.1' });
  request.on('error', () => undefined);
  const response = await opened;
  const clock = steppedClock();
  const connection = eventConnection(response, {}, clock);
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  answer.on('error', () => undefined).pause();
  let id = 0;
  while (!response.writableNeedDrain) {
    connection.events(manyEvents(Array.from({ length: 50_000 }, () => ++id)));
    await new Promise(setImmediate);
  }
  await clock.advance(45_000 + STREAM_HEARTBEAT_MS);
  expect(response.destroyed).toBe(true);
  http.close();
});
