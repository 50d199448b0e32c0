import { randomBytes } from 'node:crypto';
import { FIRST_USER } from '../access/index.ts';
import { type Chargehand, startChargehand, VERSION } from '../chargehand.ts';
import { demoFleet, startDemoFleet } from '../demo.ts';
import { stateOfDemoFleet } from '../demo-history/resume.ts';
import { settled, systemClock } from '../platform/clock.ts';
import type { Config } from '../platform/config/config.ts';
import { openDataFolder, openPartOfFolder } from '../platform/config/data-folder.ts';
import { recordRun } from '../platform/config/run-record.ts';
import { checkStart, noTlsWarning, openDoorsWarning } from '../platform/config/start-checks.ts';
import { connectDatabase, connectionLimitWarning, requireSupportedServer } from '../platform/database/connect.ts';
import { claimDatabase } from '../platform/database/connections/only-server.ts';
import { watchDatabase } from '../platform/database/connections/watch.ts';
import { startEmbeddedPostgres } from '../platform/database/embedded/embedded.ts';
import { migrate } from '../platform/database/migrate.ts';
import { naturalOrderWarning, refreshNaturalOrder } from '../platform/database/order/natural-order.ts';
import { createLog, type Log } from '../platform/log.ts';
import { collectAtStart } from '../platform/memory/garbage-collection.ts';
import { reportReady } from '../platform/process/service-manager.ts';
import { onStopRequest, type StopStep, takeBack } from '../platform/process/stop.ts';
import { certificateFor } from '../platform/tls/certificate.ts';
import { holdAfterRestore } from '../platform/work/outgoing-hold.ts';
import { watchStalls } from '../platform/work/stall-watch.ts';
import { childName, passDevicesOn, READY, receiveDevices } from './pass-devices.ts';

/** The maximum time (ms) that a stop request waits for the end of the start. */
const START_MS = 3_000;
const SEVERAL_NEED =
  'Several processes need S3_ENDPOINT, so that all of them have the same files, MQTT_SHARE_GROUP if they use MQTT_URL, and the same NATS_URL or none. Set them for all processes, or stop that one first.';

/** The life of the process: data folder, database, product, demo; then the same in reverse order. */
export async function startProcess(config: Config): Promise<void> {
  collectAtStart();
  const log = createLog(config.logLevel);
  const undo: StopStep[] = [];
  const started = Promise.withResolvers<void>();
  let chargehand: Chargehand | undefined;
  let exitCode = 0;
  let reload = async (): Promise<void> => undefined;
  const stop = async (reason: string) => {
    log.info({ reason }, 'stopping');
    // Without its lease a process can move nothing: its devices connect elsewhere when it ends.
    if (exitCode === 0) await chargehand?.drain();
    await takeBack(undo, log);
    log.info('stopped');
    process.exit(exitCode);
  };

  const child = childName();
  const isPart = child === 'api';
  // The launcher of two processes has the lock of the folder.
  const data = await (isPart ? openPartOfFolder(config.dataFolder, child) : openDataFolder(config.dataFolder));
  undo.push(() => data.close());
  await checkStart(config, data.path);
  for (const warning of [openDoorsWarning(config), noTlsWarning(config)]) if (warning !== null) log.warn(warning);
  const certificate = await certificateFor(config, data.path);
  if (certificate?.selfSigned)
    log.warn('serving with a self-signed certificate; set CHARGEHAND_TLS_CERT for a real one');
  let url = config.databaseUrl;
  let directUrl = config.databaseDirectUrl ?? url;
  if (url === undefined) {
    const embedded = await startEmbeddedPostgres({ folder: data.path, log });
    undo.push(() => embedded.stop());
    url = embedded.url;
    directUrl = url;
  }
  const session = `chargehand ${randomBytes(4).toString('hex')}`;
  const database = connectDatabase(url, { log, max: config.database.connections, applicationName: session, directUrl });
  undo.push(() => database.close());
  try {
    const run = await recordRun(data.own, { version: VERSION, log });
    undo.push(() => run.end());
    await requireSupportedServer(database.pool, { log, waitMs: config.database.waitSeconds * 1_000 });
    const limit = await connectionLimitWarning(database.pool, config.database.connections);
    if (limit !== null) log.warn(limit);
    const claim = await claimDatabase(directUrl ?? url, { log, shared: true, onLost: () => undefined });
    undo.push(() => claim.release());
    await migrateDirectly(directUrl ?? url, log);
    if (await holdAfterRestore(database.db, data.path)) {
      log.warn(
        'this installation was restored: mails, webhooks, push messages and commands wait until root releases them',
      );
    }
    const order = await naturalOrderWarning(database.pool);
    if (order !== null) log.warn(order);
    const rebuilt = await refreshNaturalOrder(database.pool);
    if (rebuilt > 0) log.info({ indexes: rebuilt }, 'indexes rebuilt: the database server sorts by a newer ICU');
    const watch = watchDatabase({ url, pool: database.pool, log });
    undo.push(() => watch.stop());
    // Before the server can be ready, because a caller that sees it ready may stop it immediately.
    onStopRequest(
      (reason) => void settled(started.promise, systemClock, START_MS).then(() => stop(reason)),
      () => reload().catch((error: Error) => log.error(`certificates not reloaded: ${error.message}`)),
    );
    const product = await startChargehand(config, database, log, certificate, systemClock, undefined, {
      ...{ folder: data.identity, session, needs: SEVERAL_NEED, ...(isPart && { isShareable: true }) },
      onLost(reason) {
        // The service manager starts it again.
        exitCode = 1;
        void stop(reason);
      },
    });
    chargehand = product;
    undo.push(() => product.stop());
    // From now on the connection of the lease has the lock.
    await claim.release();
    // The start itself needs longer turns.
    const endWatch = watchStalls(log);
    undo.push(async () => endWatch());
    if (run.crashes.length > 0) {
      log.warn(
        { lastSeenAt: run.crashes.at(-1)?.lastSeenAt },
        'the server had ended without stopping; see the error log',
      );
      await product.storeCrashes(run.crashes);
      await run.forgetCrashes();
    }
    reload = async () => {
      await product.reloadCertificates();
      log.info('certificates reloaded');
    };
    if (isPart) passDevicesOn(product.app);
    else if (child !== null) receiveDevices(product.app);
    if (config.demo && config.roles.has('gateway')) {
      if (config.ocppSecurityProfile > 0)
        log.warn('the demo fleet has no passwords, so this security profile refuses it');
      const { mqttUrl, demoPassword: password } = product;
      const storage = mqttUrl === null ? null : { url: mqttUrl, password };
      const { demoDevices: devices } = config;
      const resume = await stateOfDemoFleet(database.db, demoFleet(devices, { storage: storage !== null }));
      const demo = startDemoFleet({ url: product.deviceUrl, devices, storage, resume, log });
      undo.push(() => demo.stop());
    }
    // The port of the other process is the one that users and devices open.
    if (child !== 'gateway') welcome(product, log);
    void reportReady(log);
    if (child !== null) process.send?.(READY);
  } catch (error) {
    await takeBack(undo, log);
    throw error;
  }
  started.resolve();
}

/** Migrates beside a pooler in transaction mode, because of the lock. */
async function migrateDirectly(url: string, log: Log): Promise<void> {
  const { pool, close } = connectDatabase(url, { max: 1, applicationName: 'chargehand migration', log });
  try {
    await migrate(pool, { log });
  } finally {
    await close();
  }
}

/**
 * The first information for a user who ran `npm start`. The password is only written to a terminal, never to the JSON
 * log.
 */
function welcome(chargehand: Chargehand, log: Log): void {
  log.info({ url: chargehand.url, pid: process.pid }, 'ready');
  const lines = ['', `  Chargehand is ready at ${chargehand.url}`];
  if (chargehand.firstPassword !== null) {
    lines.push(`  Sign in as ${FIRST_USER} with the password ${chargehand.firstPassword}`);
    lines.push('  (shown only once)');
  }
  process.stdout.write(`${lines.join('\n')}\n\n`);
}
