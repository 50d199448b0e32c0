import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { databaseBefore } from '../../testing/database/before-migration.ts';
import type { TestDatabase } from '../../testing/database/database.ts';

const MIGRATION = '375_alarm_software.sql';

let database: TestDatabase;
let migrate: () => Promise<string[]>;
let place: { site: number; customer: number; model: number };
beforeAll(async () => {
  ({ database, migrate } = await databaseBefore(MIGRATION));
  const customer = await idOf(`insert into customers (code, name) values ('north', 'North') returning id`);
  const site = await idOf(`insert into sites (customer_id, code, name) values ($1, 'quay', 'Quay') returning id`, [
    customer,
  ]);
  const model = await idOf(`insert into device_models (name, type) values ('Pile', 1) returning id`);
  place = { site, customer, model };
});
afterAll(() => database.drop());

const query = async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows;
const idOf = async (text: string, values: unknown[] = []) => Number((await query(text, values))[0].id);

/** A device that runs `version` now. */
const device = (sn: string, version: string) =>
  idOf(
    `insert into devices (sn, name, site_id, customer_id, device_model_id, soft_version)
     values ($1, $1, $2, $3, $4, $5) returning id`,
    [sn, place.site, place.customer, place.model, version],
  );
/** An upgrade of a device from one version to another. */
async function upgrade(
  deviceId: number,
  [from, to]: [string | null, string],
  daysAgo: number,
  state: 'verified' | 'failed' = 'verified',
): Promise<void> {
  const command = await idOf(
    `insert into commands (kind, control_type, params, requested_by_name) values ('updateFirmware', 1, '{}', 'x') returning id`,
  );
  const execution = randomUUID();
  const ended = new Date(Date.now() - daysAgo * 86_400_000);
  await query(
    `insert into executions (id, command_id, device_id, state, result, deadline_at, ended_at)
     values ($1, $2, $3, 'ended', 2, $4, $4)`,
    [execution, command, deviceId, ended],
  );
  await query(
    `insert into transfers (execution_id, device_id, kind, transport, former_version, version, object_key, size, sha256,
                            state, reason, requested_by_name, deadline_at, ended_at)
     values ($1, $2, 'software', 'http', $3, $4, 'x', 1, 'x', $5, $6, 'x', $7, $7)`,
    [execution, deviceId, from, to, state, state === 'failed' ? 'rejected' : null, ended],
  );
}
/** Alarms that were raised some days ago and are over. */
async function raise(deviceId: number, ...days: number[]): Promise<void> {
  for (const ago of days) {
    const at = new Date(Date.now() - ago * 86_400_000);
    await query(
      `insert into alarms (device_id, connector, code, kind, level, raised_at, last_at, cleared_at)
       values ($1, 1, 'Fan', 'fault', 'MA', $2, $2, $2)`,
      [deviceId, at],
    );
  }
}
/** The software versions of the alarms of a device, the oldest alarm first. */
const versions = async (deviceId: number) =>
  (await query('select soft_version from alarms where device_id = $1 order by raised_at', [deviceId])).map(
    (row) => row.soft_version as string | null,
  );

test('alarms of earlier versions of the product get the software version that verified upgrades tell', async () => {
  const upgraded = await device('TWICE-1', '3.0');
  await upgrade(upgraded, ['1.0', '2.0'], 20);
  await upgrade(upgraded, ['2.0', '3.0'], 10);
  await upgrade(upgraded, ['3.0', '4.0'], 5, 'failed');
  await raise(upgraded, 100, 30, 15, 2);
  const unknown = await device('UNKNOWN-1', '2.0');
  await upgrade(unknown, [null, '2.0'], 10);
  await upgrade(unknown, [null, '2.1'], 4);
  await raise(unknown, 30, 7, 2);
  const never = await device('NEVER-1', '1.0');
  await raise(never, 30);

  expect(await migrate()).toContain(MIGRATION);

  // Alarms older than 90 days are in no statistics, and keep no version.
  expect(await versions(upgraded)).toEqual([null, '1.0', '2.0', '3.0']);
  expect(await versions(unknown)).toEqual([null, '2.0', '2.1']);
  expect(await versions(never)).toEqual([null]);

  // From now on, an alarm has the version that its device runs.
  await raise(never, 0);
  expect(await versions(never)).toEqual([null, '1.0']);
});
