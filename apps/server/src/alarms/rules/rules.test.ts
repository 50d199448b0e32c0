import { randomUUID } from 'node:crypto';
import {
  afterValue,
  afterWait,
  LATE_VALUE_MS,
  type RuleState,
  type RuleTerms,
  type RuleValue,
  timeOfValue,
} from '@chargehand/domain';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { storeBatch } from '../../ingest/index.ts';
import type { UplinkEvent } from '../../ports/uplink.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { startTestbed, type Testbed } from '../../testing/gateways/gateway-testbed.ts';
import { startNode, submission } from '../../testing/gateways/ingest-node.ts';
import { followRules, sweepRules } from './sweep-rules.ts';

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
const at = (ms: number) => new Date(EPOCH + ms);
let devices = 0;

const rule = (
  code: string,
  more: Partial<RuleTerms & { key: string; enabled: boolean; connector: number | null }>,
) => ({
  ...{ code, removed: false, enabled: true, name: { en: `Rule ${code}`, zh: `规则 ${code}` }, kind: 'alarm' },
  ...{ level: 'MA', connector: null, key: 'Temperature', itemName: { en: 'Temperature', zh: '温度' }, unit: 'Celsius' },
  ...{ condition: 'above', low: null, high: null, values: [], hysteresis: 0, durationSeconds: 0 },
  ...more,
});

/** A model that is described by rules only. */
async function modelWith(...rules: ReturnType<typeof rule>[]): Promise<number> {
  const { rows } = await database.pool.query(`insert into device_models (name, type) values ($1, 1) returning id`, [
    `Ruled ${randomUUID()}`,
  ]);
  await describe(rows[0].id, ...rules);
  return rows[0].id;
}

async function describe(modelId: number, ...rules: ReturnType<typeof rule>[]): Promise<void> {
  await database.pool.query(
    `with next as (update device_models set version = version + 1 where id = $1 returning version)
     insert into device_model_versions (device_model_id, version, changed_by, description)
     select $1, version, 'test', $2::jsonb from next`,
    [modelId, JSON.stringify({ configs: [], parameters: [], controls: [], rules })],
  );
}

async function deviceOf(modelId: number): Promise<number> {
  const deviceId = await bed.addDevice(`RULED-${devices++}`);
  await database.pool.query('update devices set device_model_id = $2 where id = $1', [deviceId, modelId]);
  await database.pool.query('insert into device_states (device_id) values ($1)', [deviceId]);
  return deviceId;
}

const reading = (value: number, when: number, more: { connector?: number; received?: number } = {}): UplinkEvent => ({
  kind: 'reading',
  connector: more.connector ?? 1,
  at: at(when),
  receivedAt: at(more.received ?? when),
  transactionId: null,
  values: [{ key: 'Temperature', unit: 'Celsius', counter: false, value }],
});
const opened = (when: number): UplinkEvent => ({
  kind: 'connected',
  connectionId: randomUUID(),
  at: at(when),
  protocol: 'ocpp1.6',
  remoteAddress: '127.0.0.1',
});

type Node = ReturnType<typeof startNode>;
const store = (node: Node, deviceId: number, ...events: UplinkEvent[]) =>
  storeBatch(node, randomUUID(), [submission(deviceId, events)]);

/** In one transaction, as the alarms module does it. */
async function inOne<T>(work: (client: Parameters<typeof sweepRules>[0]) => Promise<T>): Promise<T> {
  const client = await database.pool.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}
const sweep = (when: number) => inOne((client) => sweepRules(client, at(when), 500));
const follow = (when: number) => inOne((client) => followRules(client, at(when), 500));

async function alarmsOf(deviceId: number) {
  const { rows } = await database.pool.query(
    `select connector, code, level, info, suppressed, rule ->> 'value' as value,
            extract(epoch from raised_at)::float8 * 1000 - $2::float8 as raised,
            extract(epoch from cleared_at)::float8 * 1000 - $2::float8 as cleared
       from alarms where device_id = $1 and source = 'rule' order by id`,
    [deviceId, EPOCH],
  );
  return rows;
}
const openOf = async (deviceId: number) =>
  (await alarmsOf(deviceId))
    .filter(({ cleared }) => cleared === null)
    .map(({ connector, code }) => `${connector} ${code}`);

const RULES = [
  rule('HOT', { high: 60, hysteresis: 5 }),
  rule('WARM', { high: 40, durationSeconds: 60 }),
  rule('ODD', { condition: 'outside', low: 10, high: 50, hysteresis: 2, durationSeconds: 5 }),
  rule('MOVED', { condition: 'changed', durationSeconds: 20, connector: 1 }),
  rule('OFF', { enabled: false, high: 0 }),
];
const IN_FORCE = RULES.filter(({ enabled }) => enabled);

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      type: fc.constant('value' as const),
      connector: fc.integer({ min: 0, max: 1 }),
      ahead: fc.integer({ min: -LATE_VALUE_MS - 60_000, max: 90_000 }),
      value: fc.constantFrom(5, 11, 30, 45, 49, 57, 61, 70),
      sentTwice: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('wait' as const), for: fc.integer({ min: 0, max: 90_000 }) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('restart' as const) }) },
);

test('for values in any order, repeated, and with restarts in between, the alarms follow the rule', async () => {
  const modelId = await modelWith(...RULES);
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
      const deviceId = await deviceOf(modelId);
      let node = startNode(database);
      let now = LATE_VALUE_MS;
      const known = new Map<string, RuleState>();
      for (const one of steps) {
        if (one.type === 'restart') node = startNode(database);
        else if (one.type === 'wait') {
          now += one.for;
          await sweep(now);
          for (const { code, ...terms } of IN_FORCE) {
            for (const place of [`0 ${code}`, `1 ${code}`]) {
              const state = known.get(place);
              if (state) known.set(place, afterWait(terms as RuleTerms, state, now).state);
            }
          }
        } else {
          const when = now + one.ahead;
          now = Math.max(now, when);
          // A late value would change the newest value after a restart, which the rule does not cover.
          const measured = timeOfValue(when, now, 0);
          if (measured === null) continue;
          const batch = randomUUID();
          const events = [reading(one.value, when, { connector: one.connector, received: now })];
          await storeBatch(node, batch, [submission(deviceId, events)]);
          if (one.sentTwice) await storeBatch(node, batch, [submission(deviceId, events)]);
          for (const { code, connector, ...terms } of IN_FORCE) {
            if (connector !== null && connector !== one.connector) continue;
            const place = `${one.connector} ${code}`;
            const sample = { at: measured, value: one.value as RuleValue };
            known.set(place, afterValue(terms as RuleTerms, known.get(place) ?? null, sample).state);
          }
        }
        const going = [...known].filter(([, { raised }]) => raised).map(([place]) => place);
        expect((await openOf(deviceId)).sort()).toEqual(going.sort());
      }
    }),
    { numRuns: 25 },
  );
}, 240_000);

test('an alarm contains the rule and the value that raised it, and its event has its name', async () => {
  const deviceId = await deviceOf(await modelWith(rule('HOT', { high: 60 })));
  await store(startNode(database), deviceId, reading(61.5, 0), reading(70, 5));
  expect(await alarmsOf(deviceId)).toMatchObject([
    { connector: 1, code: 'HOT', level: 'MA', info: 'Temperature 61.5 Celsius', value: '61.5', raised: 0 },
  ]);
  const { rows } = await database.pool.query(
    `select type, source, rule_name -> 'zh' as name from device_events where device_id = $1`,
    [deviceId],
  );
  expect(rows).toEqual([{ type: 2, source: 'rule', name: '规则 HOT' }]);
});

test('a rule on a quantity uses the worst of its phases, and clears when the last of them is normal', async () => {
  const deviceId = await deviceOf(await modelWith(rule('VOLT', { key: 'Voltage', high: 250, hysteresis: 5 })));
  const phases = (when: number, ...volts: number[]): UplinkEvent => ({
    ...{ kind: 'reading', connector: 1, at: at(when), receivedAt: at(when), transactionId: null },
    values: volts.map((value, n) => ({ key: `Voltage.L${n + 1}`, unit: 'V', counter: false, value })),
  });
  await store(startNode(database), deviceId, phases(0, 230, 231, 229));
  expect(await openOf(deviceId)).toEqual([]);
  await store(startNode(database), deviceId, phases(1_000, 230, 255, 229));
  expect(await alarmsOf(deviceId)).toMatchObject([{ connector: 1, code: 'VOLT', value: '255', raised: 1_000 }]);
  await store(startNode(database), deviceId, phases(2_000, 251, 230, 229));
  await store(startNode(database), deviceId, phases(3_000, 246, 230, 229));
  expect(await openOf(deviceId)).toHaveLength(1);
  await store(startNode(database), deviceId, phases(4_000, 244, 230, 229));
  expect(await alarmsOf(deviceId)).toMatchObject([{ raised: 1_000, cleared: 4_000 }]);
});

test('a duration continues over a restart, and counts from the time of the value', async () => {
  const deviceId = await deviceOf(await modelWith(rule('WARM', { high: 40, durationSeconds: 60 })));
  await store(startNode(database), deviceId, reading(41, 0));
  await sweep(59_000);
  expect(await openOf(deviceId)).toEqual([]);
  await store(startNode(database), deviceId, reading(42, 59_500));
  await sweep(61_000);
  expect(await alarmsOf(deviceId)).toMatchObject([{ raised: 60_000, cleared: null, value: '41' }]);
  await store(startNode(database), deviceId, reading(40, 70_000));
  expect(await alarmsOf(deviceId)).toMatchObject([{ raised: 60_000, cleared: 70_000 }]);
});

test('a value that arrives two days late raises nothing; a clock that is an hour behind is corrected', async () => {
  const modelId = await modelWith(rule('HOT', { high: 60 }));
  const late = await deviceOf(modelId);
  const day = 86_400_000;
  await store(
    startNode(database),
    late,
    reading(70, 0, { received: 2 * day }),
    reading(30, 1_000, { received: 2 * day }),
  );
  expect(await alarmsOf(late)).toEqual([]);
  const behind = await deviceOf(modelId);
  const hour = 3_600_000;
  await store(startNode(database), behind, { kind: 'clock', skewMs: -hour }, reading(70, 0, { received: hour }));
  expect(await alarmsOf(behind)).toMatchObject([{ raised: hour }]);
});

test('texts are compared with values, and alarms during maintenance are suppressed', async () => {
  const modelId = await modelWith(rule('MODE', { key: 'Mode', condition: 'isNot', values: ['Auto', 'Eco'] }));
  const deviceId = await deviceOf(modelId);
  await database.pool.query('update devices set maintenance = true where id = $1', [deviceId]);
  const node = startNode(database);
  const mode = (value: string): UplinkEvent => ({
    ...{ kind: 'texts', connector: 0, at: new Date(), receivedAt: new Date(), values: [{ key: 'Mode', value }] },
  });
  await store(node, deviceId, mode('Eco'));
  expect(await alarmsOf(deviceId)).toEqual([]);
  await store(node, deviceId, mode('Manual'));
  expect(await alarmsOf(deviceId)).toMatchObject([{ code: 'MODE', value: 'Manual', suppressed: true, cleared: null }]);
  await store(node, deviceId, mode('Auto'));
  expect(await openOf(deviceId)).toEqual([]);
});

test('a missing value is an alarm while the connection is open, and the next value clears it', async () => {
  const deviceId = await deviceOf(await modelWith(rule('SILENT', { condition: 'missing', durationSeconds: 60 })));
  const node = startNode(database);
  await store(node, deviceId, opened(0));
  await store(node, deviceId, reading(20, 30_000));
  await sweep(61_000);
  expect(await alarmsOf(deviceId)).toEqual([]);
  await sweep(91_000);
  expect(await alarmsOf(deviceId)).toMatchObject([{ connector: 0, code: 'SILENT', raised: 90_000, value: null }]);
  await store(node, deviceId, reading(21, 95_000));
  await sweep(102_000);
  expect(await alarmsOf(deviceId)).toMatchObject([{ raised: 90_000, cleared: 95_000 }]);
  await database.pool.query('update device_states set connected = false where device_id = $1', [deviceId]);
  await sweep(500_000);
  expect(await openOf(deviceId)).toEqual([]);
  await store(node, deviceId, opened(600_000));
  await sweep(659_000);
  expect(await openOf(deviceId)).toEqual([]);
  await sweep(661_000);
  expect(await openOf(deviceId)).toEqual(['0 SILENT']);
});

test('a rule that is changed, disabled or deleted clears its alarms; a device that changes its model gets the new rules', async () => {
  const modelId = await modelWith(rule('HOT', { high: 60 }), rule('WARM', { high: 40, durationSeconds: 60 }));
  const deviceId = await deviceOf(modelId);
  const node = startNode(database);
  await store(node, deviceId, reading(70, 0));
  expect(await openOf(deviceId)).toEqual(['1 HOT']);
  await describe(modelId, rule('HOT', { high: 60 }));
  node.rules.forgetAll();
  await follow(1_000);
  await sweep(61_000);
  expect(await openOf(deviceId)).toEqual(['1 HOT']);
  await describe(modelId, rule('HOT', { high: 65 }));
  node.rules.forgetAll();
  await follow(62_000);
  expect(await openOf(deviceId)).toEqual([]);
  await store(node, deviceId, reading(71, 63_000));
  expect(await openOf(deviceId)).toEqual(['1 HOT']);
  await describe(modelId, rule('HOT', { high: 65, enabled: false }));
  node.rules.forgetAll();
  await follow(64_000);
  expect(await openOf(deviceId)).toEqual([]);

  const other = await modelWith(rule('COLD', { condition: 'below', high: null, low: 75 }));
  await database.pool.query('update devices set device_model_id = $2 where id = $1', [deviceId, other]);
  node.rules.forgetAll();
  await store(node, deviceId, reading(70, 65_000));
  await follow(66_000);
  expect(await openOf(deviceId)).toEqual(['1 COLD']);
});
