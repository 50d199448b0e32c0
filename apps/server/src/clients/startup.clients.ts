import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { hashDevicePassword } from '../ports/devices/device-password.ts';
import { createTestDatabase } from '../testing/database/database.ts';
import { mosquitto } from '../testing/gateways/mosquitto.ts';
import { startProgram } from '../testing/program.ts';
import { seedWorld } from '../testing/world.ts';

/** Below the range of ephemeral ports, so that no client socket takes it. */
const PORT = '19741';
const SN = 'UNIT-1';
const PASSWORD = 'a-gateway-password';

test('while Mosquitto uses the port, the start ends with one message, and it works once the port is free', async () => {
  const database = await createTestDatabase();
  onTestFinished(database.drop);
  const folder = await mkdtemp(join(tmpdir(), 'chargehand-startup-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const other = await mosquitto({});
  onTestFinished(other.remove);
  await other.start();
  const start = (url: string) =>
    startProgram({
      ...{ PORT, HOST: '127.0.0.1', CHARGEHAND_DATA: folder, DATABASE_URL: url },
      CHARGEHAND_MQTT_PORT: String(other.port),
    });

  // Without an external database it would start an embedded one: nothing is created before the ports are checked.
  const refusal = (await start('').catch(String)) as string;
  expect(refusal.split('\n').slice(1).join('\n').trim()).toMatch(new RegExp(`^Port ${other.port} is in use[^\n]*$`));
  expect((await readdir(folder)).filter((name) => name.startsWith('postgres'))).toEqual([]);

  await other.stop();
  const world = await seedWorld(database.db);
  await database.pool.query(
    `insert into devices (sn, name, site_id, customer_id, device_model_id, gateway_password_hash)
     values ($1, $1, $2, $3, $4, $5)`,
    [SN, world.sites.northQuay, world.customers.north, world.model, hashDevicePassword(PASSWORD)],
  );
  const program = await start(database.url);
  onTestFinished(program.stop);
  await promisify(execFile)('mosquitto_pub', [
    ...['-h', '127.0.0.1', '-p', String(other.port), '-V', '311', '-u', SN, '-P', PASSWORD, '-q', '1'],
    ...['-t', `chargehand/${SN}/telemetry`, '-m', '{"values":{"Power":7}}'],
  ]);
  const { rows } = await database.pool.query('select from latest_readings');
  expect(rows).toHaveLength(1);
});
