import { expect, vi } from 'vitest';
import type { Client } from '../client.ts';
import type { TestDatabase } from '../database/database.ts';
import { startOperator } from './operator.ts';
import { seeded } from './random.ts';
import { connectUnit, endWaiting, expectCommandsOnce, storedReadings, talkMqtt } from './talk.ts';

/** Storage units at a broker, a user who sends them commands, and a broker that restarts. */
interface Scene {
  database: TestDatabase;
  mqttUrl: string;
  /** ids and SNs of the units, with a common prefix of the SNs */
  prefix: string;
  sns: readonly string[];
  devices: number[];
  person: Client;
  /** Ends the broker and starts it again. The units handle the interruption. */
  restart(): Promise<void>;
  times: number;
}

/**
 * The units send messages while the broker restarts repeatedly. No acknowledged message is lost or stored twice, every
 * unit's fault is one alarm, and no command is executed twice.
 */
export async function surviveRestarts(scene: Scene): Promise<void> {
  const { database, mqttUrl, prefix, sns, devices, person, restart, times } = scene;
  const requested = new Map<string, number>();
  const units = await Promise.all(sns.map((sn) => connectUnit(mqttUrl, sn, requested)));
  const talks = units.map(talkMqtt);
  const operator = startOperator(person, devices, seeded(11), 3);
  const goOn = async () => {
    const before = talks.map((one) => one.acknowledged.length);
    const commands = requested.size;
    await vi.waitFor(
      () => {
        expect(talks.every((one, n) => one.acknowledged.length > before[n]! + 5)).toBe(true);
        expect(requested.size).toBeGreaterThan(commands + 3);
      },
      { timeout: 60_000 },
    );
  };
  await goOn();
  for (let time = 0; time < times; time += 1) {
    await restart();
    await goOn();
  }
  await operator.stop();
  await endWaiting(database.pool);
  for (const one of talks) one.stop();
  await Promise.all(talks.map((one) => one.done));
  for (const { client } of units) await client.endAsync();

  const acknowledged = talks.flatMap((one) => one.acknowledged);
  // Messages that an external broker has acknowledged are still in transit to the server.
  const kept = await vi.waitFor(
    async () => {
      const all = await storedReadings(database.pool, prefix);
      expect(acknowledged.filter((id) => !all.has(id))).toEqual([]);
      return all;
    },
    { timeout: 30_000 },
  );
  expect([...kept].filter(([, count]) => count !== 1)).toEqual([]);
  const { rows } = await database.pool.query(
    `select device_id, count(*)::int as n from alarms where cleared_at is null and code = 'E7' group by 1 order by 1`,
  );
  expect(rows).toEqual(devices.toSorted((one, other) => one - other).map((device_id) => ({ device_id, n: 1 })));
  expect(operator.promised.length).toBeGreaterThan(10);
  await expectCommandsOnce(database.pool, operator.promised, requested);
}
