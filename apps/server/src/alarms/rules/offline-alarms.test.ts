import { FLAP_WINDOW_MS, OFFLINE_GRACE_MS, RETURN_ROUNDS } from '@chargehand/domain';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { leftDevices, updateDeviceStatuses } from '../../fleet/index.ts';
import { systemClock } from '../../platform/clock.ts';
import { createLog } from '../../platform/log.ts';
import { manualClock } from '../../testing/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { connectRaw, eventually, startTestbed, type Testbed } from '../../testing/gateways/gateway-testbed.ts';
import { offlineAlarms } from './offline-alarms.ts';

let database: TestDatabase;
let bed: Testbed;
let device: number;
beforeEach(async () => {
  database = await createTestDatabase();
  bed = await startTestbed({}, { database });
  device = await bed.addDevice('LOST-1');
});
afterEach(async () => {
  await bed.stop();
  await database.drop();
});

const rows = async (text: string, values: unknown[] = [device]) => (await database.pool.query(text, values)).rows;
const waiting = async () =>
  (await rows('select offline_due_at - disconnected_at as wait from device_states where device_id = $1'))[0]?.wait;

/** Connects a device and closes its connection. Its status is stored later than the end of the connection. */
async function connectAndLose(): Promise<void> {
  const point = await connectRaw(`${bed.url}/LOST-1`);
  await point.call('Heartbeat', {});
  point.socket.close();
  await eventually(
    () =>
      rows(
        'select s.connected, d.status from device_states s join devices d on d.id = s.device_id where s.device_id = $1',
      ),
    ([state]) => state?.connected === false && state.status === 'offline',
  );
}

/** Runs one sweep after a given time without a connection. */
async function sweepAfter(ms: number): Promise<number[]> {
  await database.pool.query(
    `update device_states set offline_due_at = offline_due_at - make_interval(secs => $1),
       disconnected_at = disconnected_at - make_interval(secs => $1)`,
    [ms / 1_000],
  );
  const notified: number[] = [];
  const sweep = offlineAlarms({
    db: database.db,
    events: { publish: (_topic, { id }, ..._audience) => void notified.push(id) },
    clock: systemClock,
    log: createLog('silent'),
  });
  await sweep.start();
  await sweep.stop();
  return notified;
}

const alarms = () =>
  rows(
    `select a.code, a.kind, a.level, a.reopened, a.suppressed, a.cleared_at is null as open,
       a.raised_at = s.disconnected_at as "since the loss"
       from alarms a join device_states s using (device_id) where device_id = $1 order by id`,
  );
const offline = { code: 'Offline', kind: 'offline', level: 'MA', reopened: 0, suppressed: false };

test('a device that stays offline has an alarm after the grace period, and none when it is online again', async () => {
  await connectAndLose();
  expect(await sweepAfter(OFFLINE_GRACE_MS - 60_000)).toEqual([]);
  expect(await sweepAfter(60_000)).toEqual([device]);
  expect(await alarms()).toEqual([{ ...offline, open: true, 'since the loss': true }]);
  expect(await sweepAfter(OFFLINE_GRACE_MS)).toEqual([]);
  expect(await rows('select type from device_events where device_id = $1')).toEqual([{ type: 0 }]);

  const point = await connectRaw(`${bed.url}/LOST-1`);
  await point.call('Heartbeat', {});
  expect(await alarms()).toMatchObject([{ open: false }]);
  expect(await waiting()).toBeNull();
  // The device's own report does not affect connections.
  await point.call('StatusNotification', { connectorId: 0, status: 'Available', errorCode: 'NoError' });
  point.socket.close();
});

test('after a short reconnection it is the same alarm', async () => {
  await connectAndLose();
  await sweepAfter(OFFLINE_GRACE_MS);
  await connectAndLose();
  await database.pool.query(
    `update alarms set raised_at = raised_at - interval '1 hour', last_at = last_at - interval '1 hour'`,
  );
  expect(await waiting()).toMatchObject({ minutes: FLAP_WINDOW_MS / 60_000 });
  // Due immediately: the time since the alarm was cleared counts.
  await database.pool.query(`update device_states set offline_due_at = now() - interval '1 ms'`);
  await sweepAfter(0);
  expect(await alarms()).toMatchObject([{ reopened: 1, open: true }]);
});

test('a disabled device raises no alarm until it is enabled again', async () => {
  await connectAndLose();
  const enable = async (enabled: boolean) => {
    await database.pool.query('update devices set enabled = $2 where id = $1', [device, enabled]);
    await updateDeviceStatuses(database.pool, [device]);
  };
  await enable(false);
  await sweepAfter(OFFLINE_GRACE_MS);
  expect(await alarms()).toEqual([]);
  await enable(true);
  expect(await sweepAfter(OFFLINE_GRACE_MS)).toEqual([device]);
  expect(await alarms()).toMatchObject([{ open: true }]);
  await enable(false);
  // The server derives the status at the same time, and may be the one that ends the alarm.
  await expect.poll(alarms).toMatchObject([{ open: false }]);
});

test('a device in maintenance raises a suppressed alarm', async () => {
  await connectAndLose();
  await database.pool.query('update devices set maintenance = true where id = $1', [device]);
  await sweepAfter(OFFLINE_GRACE_MS);
  expect(await alarms()).toMatchObject([{ suppressed: true, open: true }]);
});

test('devices that a previous run left connected are included, and two nodes raise an alarm once', async () => {
  await database.pool.query(
    `with former as (
       insert into nodes (name, roles, version, shareable, session, ended_at, end_reason)
       values ('former', '{gateway}', '', true, '', now(), 'left') returning epoch)
     insert into device_states (device_id, connected, node, connected_at) select $1, true, epoch::text, now() from former`,
    [device],
  );
  const clock = manualClock();
  leftDevices({ pool: database.pool, events: { publish: () => undefined }, clock, log: createLog('silent') });
  for (let round = 0; round <= RETURN_ROUNDS; round += 1) await clock.sweep();
  await database.pool.query(`update device_states set offline_due_at = now() - interval '1 second'`);
  await Promise.all([sweepAfter(0), sweepAfter(0)]);
  expect(await alarms()).toMatchObject([{ open: true, reopened: 0 }]);
  expect(await rows('select repeats from alarms where device_id = $1')).toEqual([{ repeats: 0 }]);
});
