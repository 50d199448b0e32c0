import { CODES, ENDPOINTS, type EventsMessage, type EventTopic } from '@chargehand/contract';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../testing/client.ts';
import { openStream } from '../testing/event-stream.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

const { readBell, openBell, listOwnResults, acknowledgeAlarms } = ENDPOINTS;

let server: TestServer;
let north: Client;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  north = await server.as('northAdmin');
});
afterAll(() => server.stop());
afterEach(() => server.database.pool.query('truncate executions, commands, command_batches, bell_openings cascade'));

type Person = Parameters<TestServer['as']>[0];
type Device = keyof TestServer['world']['devices'];

/** A command of a user to a device that ended some minutes ago; with `transfer`, its transfer is in this state. */
async function command(
  who: Person,
  device: Device,
  options: { minutesAgo?: number; result?: number; transfer?: 'downloading' | 'failed'; waits?: boolean } = {},
): Promise<void> {
  const { minutesAgo = 0, result = 2, transfer, waits = false } = options;
  await server.database.pool.query(
    `with command as (
       insert into commands (kind, control_type, requested_by, requested_by_name) values ($1, 1, $2, 'x') returning id
     ), execution as (
       insert into executions (id, command_id, device_id, state, result, queued_at, deadline_at, ended_at)
       select gen_random_uuid(), id, $3, case when $4 then 'queued' else 'ended' end,
              case when $4 then 1 else $5::int end, now() - interval '1 h', now(),
              case when $4 then null else now() - make_interval(mins => $6) end
         from command returning id, device_id
     )
     insert into transfers (execution_id, device_id, kind, transport, log_type, state, reason, requested_by_name,
                            deadline_at, ended_at)
     select id, device_id, 'log', 'http', 'diagnostics', $7::text, case when $7 = 'failed' then 'refused' end, 'x', now(),
            case when $7 = 'failed' then now() end
       from execution where $7 is not null`,
    [
      transfer ? 'uploadLog' : 'softReset',
      server.world.users[who],
      server.world.devices[device].id,
      waits,
      result,
      minutesAgo,
      transfer ?? null,
    ],
  );
}

const resultsOf = async (client: Client) => (await client.data(readBell)).counts.results;

describe('the alarms that the bell counts', () => {
  test('are open, unacknowledged and in scope', async () => {
    const { devices } = server.world;
    await server.database.pool.query(
      `insert into alarms (device_id, connector, code, kind, level, raised_at, last_at, cleared_at)
       select id, 1, code, 'fault', 'CA', now(), now(), case when code = 'CLEARED' then now() end
         from unnest($1::int[]) id, unnest(array['OPEN', 'CLEARED']) code`,
      [[devices.northQuay1.id, devices.northMill1.id, devices.southPark1.id]],
    );
    const countOf = async (person: Person) => (await (await server.as(person)).data(readBell)).counts.alarms;
    expect(await Promise.all((['northAssigned', 'northAdmin', 'root'] as const).map(countOf))).toEqual([1, 2, 3]);
    const own = await north.data(ENDPOINTS.listAlarms, { query: { state: 'open' } });
    await north.data(acknowledgeAlarms, { body: { ids: own.items.map(({ id }) => id) } });
    expect(await Promise.all((['northAssigned', 'northAdmin', 'root'] as const).map(countOf))).toEqual([0, 0, 1]);
  });
});

describe('the results that the bell counts', () => {
  test('are of own commands that ended since the bell was opened', async () => {
    await command('northAdmin', 'northQuay1');
    await command('northAdmin', 'northQuay1', { waits: true });
    await command('southAdmin', 'southPark1');
    expect(await north.data(readBell)).toMatchObject({ counts: { results: 1 }, openedAt: null });
    const { openedAt } = await north.data(openBell, { body: {} });
    expect(await north.data(readBell)).toMatchObject({ counts: { results: 0 }, openedAt });
    await command('northAdmin', 'northQuay1', { minutesAgo: -1 });
    expect(await resultsOf(north)).toBe(1);
    expect(await resultsOf(await server.as('southAdmin'))).toBe(1);
  });

  test('are at most a week old, and counted up to 100', async () => {
    await command('northAdmin', 'northQuay1', { minutesAgo: 8 * 24 * 60 });
    expect(await resultsOf(north)).toBe(0);
    await Promise.all(Array.from({ length: 105 }, () => command('northAdmin', 'northQuay1')));
    expect(await resultsOf(north)).toBe(100);
  });

  test('of a transfer count when the transfer has ended, with its result', async () => {
    await command('northAdmin', 'northQuay1', { transfer: 'downloading' });
    expect(await resultsOf(north)).toBe(0);
    expect(await north.data(listOwnResults)).toEqual({ items: [] });
    await command('northAdmin', 'northQuay1', { transfer: 'failed' });
    expect(await resultsOf(north)).toBe(1);
    const { items } = await north.data(listOwnResults);
    expect(items).toMatchObject([{ kind: 'uploadLog', batch: null, device: { outcome: 3 } }]);
  });

  test('are not shown for a device that left the scope of the user', async () => {
    await command('northAssigned', 'southPark1');
    const assigned = await server.as('northAssigned');
    expect(await resultsOf(assigned)).toBe(0);
    expect(await assigned.data(listOwnResults)).toEqual({ items: [] });
  });
});

test('a batch is one result', async () => {
  const body = { kind: 'clearCache' as const, deviceIds: [server.world.devices.northQuay1.id] };
  const batch = await north.data(ENDPOINTS.createBatch, { body });
  await expect
    .poll(async () => (await north.data(ENDPOINTS.readBatch, { params: { id: batch.id } })).endedAt)
    .not.toBe(null);
  const { items } = await north.data(listOwnResults);
  expect(items).toMatchObject([{ kind: 'clearCache', device: null, batch: { id: batch.id, counts: { total: 1 } } }]);
  expect(await resultsOf(north)).toBe(1);
});

test('the newest ten results are listed, newest first', async () => {
  for (const minutesAgo of [12, 3, 1, 11, 2, 10, 9, 8, 7, 6, 5, 4]) {
    await command('northAdmin', 'northQuay1', { minutesAgo });
  }
  const { items } = await north.data(listOwnResults);
  const times = items.map(({ endedAt }) => endedAt);
  expect(times).toHaveLength(10);
  expect(times).toEqual(times.toSorted().reverse());
  expect(items[0]).toMatchObject({ siteName: 'Site northQuay', device: { name: expect.any(String), outcome: 2 } });
});

test('the stream carries the number of new results to every browser of the user, and that the bell was opened', async () => {
  const { id } = server.world.devices.northQuay1;
  const stream = await openStream(north, '/api/auth/sys/stream');
  const received = async (topic: EventTopic) => {
    for (;;) {
      const events = (await stream.next()).data as EventsMessage;
      if (events[topic]) return events[topic];
    }
  };
  await stream.next();
  // The device is offline, so the command ends immediately.
  await north.call(ENDPOINTS.sendCommand, { params: { id }, body: { kind: 'softReset' } });
  expect(await received('user.results')).toEqual([[0, 1]]);
  await north.data(openBell, { body: {} });
  expect(await received('user.bell')).toEqual([[server.world.users.northAdmin, null]]);
  await stream.close();
});

test('a user who may read neither is refused', async () => {
  expect((await (await server.as('northNoMenus')).call(readBell)).code).toBe(CODES.noPermission.code);
});
