import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locale } from '@chargehand/contract';
import { inject } from 'vitest';
import { type Chargehand, type RoomName, startChargehand } from '../chargehand.ts';
import { systemClock } from '../platform/clock.ts';
import type { Config } from '../platform/config/config.ts';
import { createLog } from '../platform/log.ts';
import type { Certificate } from '../platform/tls/certificate.ts';
import { type Client, client, openSession } from './client.ts';
import { type ManualClock, manualClock } from './clock.ts';
import { testConfig } from './config.ts';
import { createTestDatabase, type TestDatabase } from './database/database.ts';
import { type Person, seedExtraData, type World } from './world.ts';

/** The whole product on a separate database with test data. */
export interface TestServer extends Omit<Chargehand, 'stop'> {
  database: TestDatabase;
  /** the folder of its files */
  dataFolder: string;
  world: World;
  /** A signed-in user of the test data, with a new session for each call. */
  as(person: Person, locale?: Locale): Promise<Client>;
  anonymous: Client;
  /**
   * Runs the repeated work of the server once, or only the given jobs; nothing else does, unless it was started with
   * `sweeps`.
   */
  sweep: ManualClock['sweep'];
  /** Runs the work that is due within `ms` milliseconds now. */
  elapse(ms: number): void;
  /** Starts another process of the product on the same database, for a server that was started with `several`. */
  startBeside(settings?: Partial<Config>): Promise<Chargehand & { sweep: ManualClock['sweep']; lost: Promise<string> }>;
  /** Stops and starts it on the same database and port, as an operator would. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Short, so that processes find each other at once. Milliseconds. */
const RENEW_MS = 200;

/**
 * Starts the product for a test. `settings` change the default configuration; `extraData` adds more test data. Repeated
 * work waits for `sweep()`; with `sweeps` it runs on time. `only` names the rooms to start, with those that they need; without it
 * all start. With `several`, it expects other processes on its database.
 */
export async function startTestServer(
  settings: Partial<Config> = {},
  {
    extraData = false,
    sweeps = false,
    certificate = null,
    clock = manualClock(),
    only,
    several = false,
  }: {
    extraData?: boolean;
    sweeps?: boolean;
    certificate?: Certificate | null;
    clock?: ManualClock;
    only?: readonly RoomName[];
    several?: boolean;
  } = {},
): Promise<TestServer> {
  const { template, world: seeded } = inject('seededWorld');
  const database = await createTestDatabase({ max: 8, template });
  const world = structuredClone(seeded);
  if (extraData) world.extra = await seedExtraData(database.db, world);
  const dataFolder = await mkdtemp(join(tmpdir(), 'chargehand-objects-'));
  const config = testConfig(dataFolder, { ...settings, ...(several ? { databaseUrl: database.url } : {}) });
  const beside: Chargehand[] = [];
  const start = (settings: Partial<Config>, ownClock = clock, onLost?: (reason: string) => void) =>
    startChargehand(
      { ...config, ...settings },
      { ...database, close: async () => undefined },
      createLog(config.logLevel),
      certificate,
      sweeps ? systemClock : ownClock,
      only,
      { ...(several && { renewMs: RENEW_MS }), ...(onLost && { onLost }) },
    );
  let running = await start({});
  const app = () => running.app;
  return {
    get app() {
      return running.app;
    },
    url: running.url,
    deviceUrl: running.deviceUrl,
    get mqttUrl() {
      return running.mqttUrl;
    },
    demoPassword: running.demoPassword,
    port: running.port,
    firstPassword: running.firstPassword,
    reloadCertificates: () => running.reloadCertificates(),
    drain: () => running.drain(),
    storeCrashes: (crashes) => running.storeCrashes(crashes),
    database,
    dataFolder,
    world,
    anonymous: client(running.url, null, 'en-US', app),
    async as(person, locale = 'en-US') {
      return client(running.url, await openSession(database.db, world.users[person]), locale, app);
    },
    sweep: clock.sweep,
    elapse: clock.elapse,
    async startBeside(settings = {}) {
      const { promise: lost, resolve } = Promise.withResolvers<string>();
      const ownClock = manualClock();
      const product = await start({ port: 0, ...settings }, ownClock, resolve);
      beside.push(product);
      return { ...product, sweep: ownClock.sweep, lost };
    },
    async restart() {
      const { port } = running;
      await running.stop();
      running = await start({ port });
    },
    async stop() {
      for (const product of beside) await product.stop();
      await running.stop();
      await database.drop();
      // An aborted upload may still be removing its own file.
      await rm(dataFolder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}
