import { randomUUID } from 'node:crypto';
import { afterClear, afterMaintenance, afterReport, alarmsOf, type Episode, FLAP_WINDOW_MS } from '@chargehand/domain';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { updateDeviceStatuses } from '../../fleet/index.ts';
import { storeBatch } from '../../ingest/index.ts';
import type { UplinkEvent } from '../../ports/uplink.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { startTestbed, type Testbed } from '../../testing/gateways/gateway-testbed.ts';
import { startNode, submission } from '../../testing/gateways/ingest-node.ts';

let database: TestDatabase;
let bed: Testbed;
beforeAll(async () => {
  database = await createTestDatabase();
  bed = await startTestbed({}, { database });
});
afterAll(async () => {
  await bed.stop();
  await database.drop();
});

const EPOCH = Date.UTC(2026, 0, 1);
let devices = 0;

const reportOf = (connector: number, at: number, status: string, errorCode: string): UplinkEvent => ({
  kind: 'connectorStatus',
  connector,
  at: new Date(EPOCH + at),
  status,
  errorCode,
  vendorErrorCode: null,
  info: null,
});

const alarmEvent = (connector: number, at: number, code: string, active: boolean): UplinkEvent => ({
  kind: 'alarm',
  connector,
  at: new Date(EPOCH + at),
  code,
  alarmKind: 'fault',
  level: 'CA',
  info: null,
  active,
});

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('report' as const),
      connector: fc.integer({ min: 0, max: 1 }),
      ahead: fc.integer({ min: -FLAP_WINDOW_MS, max: 2 * FLAP_WINDOW_MS }),
      status: fc.constantFrom('Available', 'Faulted', 'Charging', 'Unavailable'),
      errorCode: fc.constantFrom('NoError', 'NoError', 'GroundFailure', 'WeakSignal'),
      sentTwice: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('alarm' as const),
      connector: fc.integer({ min: 0, max: 1 }),
      ahead: fc.integer({ min: -FLAP_WINDOW_MS, max: 2 * FLAP_WINDOW_MS }),
      code: fc.constantFrom('GroundFailure', 'CellImbalance'),
      active: fc.boolean(),
      sentTwice: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('restart' as const) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('maintenance' as const), on: fc.boolean() }) },
);

test.each([
  ['at the end of the flap window is reopened', 0, [{ cleared: false, reopened: 1 }]],
  [
    'a millisecond later is a new one',
    1,
    [
      { cleared: true, reopened: 0 },
      { cleared: false, reopened: 0 },
    ],
  ],
])('an alarm that returns %s', async (_, after, expected) => {
  const node = startNode(database);
  const report = (deviceId: number, at: number, errorCode: string) =>
    storeBatch(node, randomUUID(), [submission(deviceId, [reportOf(1, at, 'Available', errorCode)])]);
  for (const code of ['GroundFailure', 'WeakSignal']) {
    const deviceId = await bed.addDevice(`FLAP-${code}-${after}`);
    await database.pool.query('insert into device_states (device_id) values ($1)', [deviceId]);
    await report(deviceId, 0, code);
    await report(deviceId, 60_000, 'NoError');
    await report(deviceId, 60_000 + FLAP_WINDOW_MS + after, code);
    const { rows } = await database.pool.query(
      'select cleared_at is not null as cleared, reopened from alarms where device_id = $1 order by id',
      [deviceId],
    );
    expect(rows).toEqual(expected);
  }
});

test('for reports in any order, repeated, and with restarts in between, the alarms follow the rule', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const deviceId = await bed.addDevice(`EPISODE-${devices++}`);
      await database.pool.query('insert into device_states (device_id) values ($1)', [deviceId]);
      let node = startNode(database);
      let now = 0;
      let suppressed = false;
      const rule = new Map<string, Episode[]>();
      for (const one of steps) {
        if (one.type === 'restart') node = startNode(database);
        else if (one.type === 'maintenance') {
          if (one.on === suppressed) continue;
          suppressed = one.on;
          await database.pool.query('update devices set maintenance = $2 where id = $1', [deviceId, one.on]);
          await updateDeviceStatuses(database.pool, [deviceId]);
          if (!one.on)
            for (const [key, episodes] of rule)
              rule.set(key, [...episodes.slice(0, -1), afterMaintenance(episodes.at(-1)!)]);
        } else {
          now = Math.max(0, now + one.ahead);
          const batchId = randomUUID();
          const events = [
            one.type === 'report'
              ? reportOf(one.connector, now, one.status, one.errorCode)
              : alarmEvent(one.connector, now, one.code, one.active),
          ];
          await storeBatch(node, batchId, [submission(deviceId, events)]);
          if (one.sentTwice) await storeBatch(node, batchId, [submission(deviceId, events)]);
          const source = one.type === 'report' ? 'status' : 'device';
          const codes = one.type === 'report' ? alarmsOf(one).map(({ code }) => code) : one.active ? [one.code] : [];
          const named = codes.map((code) => `${one.connector} ${code}`);
          for (const [key, episodes] of rule) {
            const meant =
              one.type === 'report' ? key.startsWith(`${one.connector} `) : key === `${one.connector} ${one.code}`;
            if (!meant || named.includes(key)) continue;
            rule.set(key, [...episodes.slice(0, -1), afterClear(episodes.at(-1)!, now, source)]);
          }
          for (const key of named) {
            const before = rule.get(key) ?? [];
            const { episode, begun } = afterReport(before.at(-1) ?? null, { at: now, suppressed, source });
            rule.set(key, begun ? [...before, episode] : [...before.slice(0, -1), episode]);
          }
        }
        const { rows } = await database.pool.query(
          `select connector || ' ' || code as key, raised_at, last_at, cleared_at, repeats, reopened, suppressed, source
             from alarms where device_id = $1 order by id`,
          [deviceId],
        );
        const stored = new Map<string, Episode[]>();
        for (const { key, raised_at, last_at, cleared_at, repeats, reopened, suppressed: quiet, source } of rows) {
          const episode: Episode = {
            raisedAt: raised_at.getTime() - EPOCH,
            lastAt: last_at.getTime() - EPOCH,
            clearedAt: cleared_at === null ? null : cleared_at.getTime() - EPOCH,
            repeats,
            reopened,
            suppressed: quiet,
            acknowledged: false,
            source,
          };
          stored.set(key, [...(stored.get(key) ?? []), episode]);
        }
        expect(Object.fromEntries(stored)).toEqual(Object.fromEntries(rule));
        const open = await database.pool.query(
          `select connector || ' ' || code as key, source from device_events where device_id = $1 and ended_at is null`,
          [deviceId],
        );
        const goingOn = [...rule].map(([key, all]) => ({ key, last: all.at(-1)! }));
        expect(open.rows.map(({ key, source }) => `${key} ${source}`).sort()).toEqual(
          goingOn
            .filter(({ last }) => last.clearedAt === null)
            .map(({ key, last }) => `${key} ${last.source}`)
            .sort(),
        );
      }
    }),
    { numRuns: 40 },
  );
}, 240_000);

test('when two nodes raise and clear the same alarm at once, at most one row is active', async () => {
  const deviceId = await bed.addDevice('RACE');
  await database.pool.query('insert into device_states (device_id) values ($1)', [deviceId]);
  const nodes = [startNode(database), startNode(database), startNode(database)];
  for (let round = 0; round < 10; round += 1) {
    const results = await Promise.allSettled(
      nodes.flatMap((node, number) =>
        ['Faulted', 'Available', 'Faulted'].map((status, place) =>
          storeBatch(node, randomUUID(), [
            submission(deviceId, [reportOf(1, round * 1_000 + number * 10 + place, status, 'NoError')]),
          ]),
        ),
      ),
    );
    expect(results.filter(({ status }) => status === 'rejected')).toEqual([]);
    const { rows } = await database.pool.query(
      `select count(*)::int as all, (count(*) filter (where cleared_at is null))::int as open from alarms where device_id = $1`,
      [deviceId],
    );
    // Within the flap window all of it is one alarm.
    expect(rows[0].all).toBe(1);
    expect(rows[0].open).toBeLessThanOrEqual(1);
  }
});

test("the model's setting for a code decides the level of its alarms", async () => {
  const deviceId = await bed.addDevice('GRADED');
  await database.pool.query('insert into device_states (device_id) values ($1)', [deviceId]);
  await database.pool.query(
    `insert into alarm_codes (device_model_id, code, name_en, name_zh, kind, level) values ($1, 'WeakSignal', 'a', 'b', 'fault', 'CA')`,
    [bed.site.modelId],
  );
  await storeBatch(startNode(database), randomUUID(), [
    submission(deviceId, [reportOf(0, 0, 'Available', 'WeakSignal'), reportOf(0, 5, 'Available', 'WeakSignal')]),
  ]);
  const { rows } = await database.pool.query(
    `select a.kind, a.level, a.repeats, e.type from alarms a join device_events e using (device_id) where device_id = $1`,
    [deviceId],
  );
  expect(rows).toEqual([{ kind: 'fault', level: 'CA', repeats: 1, type: 2 }]);
});

test('a status report clears alarms of status reports, and the device clears its own alarms, each by code', async () => {
  const deviceId = await bed.addDevice('SOURCES');
  await database.pool.query('insert into device_states (device_id) values ($1)', [deviceId]);
  await database.pool.query(
    `insert into alarm_codes (device_model_id, code, name_en, name_zh, level) values ($1, 'CellImbalance', 'a', 'b', 'OA')`,
    [bed.site.modelId],
  );
  const node = startNode(database);
  const store = (...events: UplinkEvent[]) => storeBatch(node, randomUUID(), [submission(deviceId, events)]);
  const open = async () =>
    (
      await database.pool.query(
        `select a.code || ' ' || a.level || ' ' || a.source || ' ' || e.type as it
           from alarms a join device_events e using (device_id, connector, code)
          where a.device_id = $1 and a.cleared_at is null and e.ended_at is null order by a.code`,
        [deviceId],
      )
    ).rows.map(({ it }) => it);
  await store(
    reportOf(1, 0, 'Faulted', 'GroundFailure'),
    alarmEvent(1, 5, 'CellImbalance', true),
    alarmEvent(1, 6, 'Smoke', true),
  );
  // The model's setting for a code also applies to alarms that devices raise themselves.
  expect(await open()).toEqual(['CellImbalance OA device 1', 'GroundFailure CA status 2', 'Smoke CA device 2']);
  await store(reportOf(1, 10, 'Available', 'NoError'));
  expect(await open()).toEqual(['CellImbalance OA device 1', 'Smoke CA device 2']);
  await store(alarmEvent(1, 15, 'Smoke', false), alarmEvent(0, 15, 'CellImbalance', false));
  expect(await open()).toEqual(['CellImbalance OA device 1']);
});
