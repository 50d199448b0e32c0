import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { type DatabaseWay, openDatabaseWay } from '../testing/faults/database-way.ts';
import { freePort } from '../testing/free-port.ts';
import { type Program, startProgram } from '../testing/program.ts';

/** Below the ports from which clients get theirs. */
const PORT = String(await freePort());

let database: TestDatabase;
let way: DatabaseWay;
let folder: string;
let silent: Server;
let silentPort: number;
const sockets = new Set<Socket>();

/** The response of an MQTT 5 broker that accepts a connection. */
const CONNACK = Buffer.from('2003000000', 'hex');

/** Services that cannot be reached at `silent` accept connections and never respond, as frozen machines do. */
beforeEach(async () => {
  database = await createTestDatabase();
  way = await openDatabaseWay(database.url);
  folder = await mkdtemp(join(tmpdir(), 'chargehand-stop-'));
  silent = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  }).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  silentPort = (silent.address() as AddressInfo).port;
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  silent.close();
  way.thaw();
  await way.close();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const start = (settings: Record<string, string> = {}): Promise<Program> =>
  startProgram({
    PORT,
    HOST: '127.0.0.1',
    CHARGEHAND_DATA: folder,
    DATABASE_URL: way.url,
    CHARGEHAND_MQTT: '0',
    ...settings,
  });

test.each<[string, () => Record<string, string>]>([
  ['an MQTT broker that refuses connections', () => ({ MQTT_URL: 'mqtt://127.0.0.1:9' })],
  [
    'an S3 service that does not respond',
    () => ({
      S3_ENDPOINT: `http://127.0.0.1:${silentPort}`,
      S3_ACCESS_KEY_ID: 'operator',
      S3_SECRET_ACCESS_KEY: 'a-secret-of-16-characters',
    }),
  ],
])('SIGTERM ends the process beside %s', async (_service, settings) => {
  const program = await start(settings());
  await program.stop();
  expect(program.exitCode()).toBe(0);
});

test('SIGTERM ends the process beside an MQTT broker that stops responding once it is connected', async () => {
  const connected = new Promise<void>((resolve) => {
    silent.on('connection', (socket) =>
      socket.once('data', () => {
        socket.write(CONNACK);
        resolve();
      }),
    );
  });
  const program = await start({ MQTT_URL: `mqtt://127.0.0.1:${silentPort}`, CHARGEHAND_LOG: 'info' });
  await connected;
  await expect.poll(program.output).toContain('connected to the MQTT broker');
  await program.stop();
  expect(program.exitCode()).toBe(0);
});

test('SIGTERM ends the process while a mail server does not respond to a mail', async () => {
  const program = await start({ SMTP_URL: `smtp://127.0.0.1:${silentPort}`, MAIL_FROM: 'no-reply@example.org' });
  const connected = once(silent, 'connection');
  await database.pool.query(
    `insert into outgoing_mails (receiver, locale, subject, body_text, body_html)
     values ('reader@example.org', 'en-US', 'A test', 'Text', '<p>Text</p>')`,
  );
  await database.pool.query(`notify outgoing_mails`);
  await connected;
  await program.stop();
  expect(program.exitCode()).toBe(0);
});

test.each<[string, () => Promise<void> | void]>([
  ['refuses connections', () => way.close()],
  ['does not respond', () => way.freeze()],
])('SIGTERM ends the process while the database %s', async (_state, breakDatabase) => {
  const program = await start();
  await breakDatabase();
  await program.stop();
  expect(program.exitCode()).toBe(0);
});
