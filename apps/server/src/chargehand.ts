import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { Registry } from 'prom-client';
import { accessRoom, keptSecret } from './access/index.ts';
import { alarmsRoom } from './alarms/index.ts';
import { auditRoom } from './audit/index.ts';
import { DEMO_OCPP201_EVERY, DEMO_PREFIX, DEMO_STORAGE_PREFIX, demoStorageUnits } from './demo.ts';
import { deviceHost, openFtp } from './device-addresses.ts';
import { filesRoom } from './files/index.ts';
import { countConnectedDevices, ensureDemoFleet, ensureDemoStorage, fleetRoom, seedFleet } from './fleet/index.ts';
import { busDeviceLink } from './gateways/bus-device-link.ts';
import { openMqttPorts } from './gateways/mqtt/broker/open-ports.ts';
import { mqttGateway } from './gateways/mqtt/index.ts';
import type { SecurityProfile } from './gateways/ocpp/admission/admission.ts';
import { type OcppGateway, ocppGateway } from './gateways/ocpp/index.ts';
import { messageCatalog } from './gateways/ocpp/workbench.ts';
import { OCPP16 } from './gateways/ocpp16/index.ts';
import { OCPP21 } from './gateways/ocpp21/index.ts';
import { OCPP201 } from './gateways/ocpp201/index.ts';
import { announceRestart, ONLY_NODE, partitions, uplinkSink } from './ingest/index.ts';
import { liveRoom } from './live/index.ts';
import { countWaitingMails, mailsRoom } from './mails/index.ts';
import { ensureReadyMadeModels, modelsRoom } from './models/index.ts';
import { operationsRoom, storeAnswers, storeConfirmations, storeSigns } from './operations/index.ts';
import { localBus } from './platform/bus/local-bus.ts';
import { type Clock, systemClock } from './platform/clock.ts';
import type { Config } from './platform/config/config.ts';
import type { DatabaseConnection } from './platform/database/connect.ts';
import { listenTo } from './platform/database/listen.ts';
import type { FtpServer } from './platform/ftp/server.ts';
import { guessLimit } from './platform/guess-limit.ts';
import { consoleFiles } from './platform/http/console-files.ts';
import { healthRoutes } from './platform/http/health.ts';
import { listenOn } from './platform/http/listen.ts';
import { httpServer } from './platform/http/server.ts';
import type { Log } from './platform/log.ts';
import { mailer } from './platform/mail/mailer.ts';
import { openObjects } from './platform/objects/open-objects.ts';
import { signingAuthority } from './platform/signing/authority.ts';
import { storageHealth } from './platform/storage-health.ts';
import type { Certificate } from './platform/tls.ts';
import { DEVICE_CONNECTED } from './ports/devices/device-link.ts';
import { hashDevicePassword } from './ports/devices/device-password.ts';
import { statisticsRoom } from './statistics/index.ts';
import { telemetryRoom } from './telemetry/index.ts';
import { storeReports, transfersRoom } from './transfers/index.ts';

export interface Chargehand {
  app: FastifyInstance;
  /** where the console and the API are reached, without a final slash */
  url: string;
  /** where a device on this machine connects */
  deviceUrl: string;
  /** where one does that speaks MQTT; null while no plain port of the embedded broker is open */
  mqttUrl: string | null;
  /** what the storage units of the demo connect with: made at each start */
  demoPassword: string;
  port: number;
  /** the administrator's password when this start made it up: shown once, kept nowhere */
  firstPassword: string | null;
  /** Ends lines with a reason, drains queues, answers what is under way; the database is the caller's to close. */
  stop(): Promise<void>;
}

const VERSION: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;

/** The versions of OCPP that are spoken. */
const DIALECTS = [OCPP16, OCPP201, OCPP21];

/** Puts the product together on a database and starts it: the one place that knows all rooms and gateways. */
export async function startChargehand(
  config: Config,
  database: DatabaseConnection,
  log: Log,
  certificate: Certificate | null = null,
  clock: Clock = systemClock,
): Promise<Chargehand> {
  const { db } = database;
  const authority = await signingAuthority(config.ocppSigning);
  if (authority && config.ocppSecurityProfile === 0) {
    log.info('devices without a password get no certificates: they have not shown who they are');
  }
  const registry = new Registry();
  const bus = localBus((error, subject) => log.error({ err: error, subject }, 'a bus listener failed'));
  const link = busDeviceLink(bus);
  const live = liveRoom({ bus, db, log });
  const { events } = live;
  let listensAt = '';
  /** where devices fetch files and put them, as long as nothing else is set */
  let devicesFetchAt = '';
  let ftp: FtpServer | null = null;
  const mails = mailer({
    db,
    pool: database.pool,
    log,
    smtp: config.smtp,
    publicUrl: () => config.publicUrl ?? listensAt,
  });
  const access = await accessRoom({ database, bus, events, mailer: mails, config, clock, log, version: VERSION });
  const objectsKey = await keptSecret(db, 'objects-key', async () => randomBytes(32).toString('base64'));
  const objects = await openObjects(config, { key: Buffer.from(objectsKey, 'base64'), pool: database.pool, log });
  const files = filesRoom({ database, store: objects.store, clock, log });
  const { pictures } = files;
  const filesUrl = () => config.deviceFilesUrl ?? config.publicUrl ?? devicesFetchAt;
  const transfers = transfersRoom({
    db,
    store: objects.store,
    events,
    clock,
    log,
    logDays: config.deviceLogDays,
    addresses: {
      http: filesUrl,
      ftp: () => ftp && `${config.ftp?.address ?? new URL(filesUrl()).hostname}:${ftp.port()}`,
    },
  });
  const operations = operationsRoom({
    ...{ db, bus, link, events, transfers: transfers.desk, clock, log },
    messages: messageCatalog(DIALECTS),
  });
  const fleet = fleetRoom({
    ...{ db, link, events, clock, log, pictures, signOutDisabled: access.signOutDisabled },
    passwords: operations.passwords,
    consoleUrl: config.publicUrl ?? null,
    sealed: access.sealed,
    authority,
  });
  const sink = uplinkSink({
    pool: database.pool,
    log,
    events,
    metrics: registry,
    onAnswer: storeAnswers,
    onConfirmation: storeConfirmations,
    onSign: storeSigns,
    onReport: storeReports,
    onStored({ connected, answered }) {
      for (const deviceId of connected) bus.publish(DEVICE_CONNECTED, { deviceId });
      if (answered.length > 0) operations.onAnswersStored(answered);
    },
  });
  const statistics = statisticsRoom({ db, pool: database.pool, log, node: ONLY_NODE });
  const guesses = guessLimit();
  const gateway = ocppGateway({
    dialects: DIALECTS,
    sink,
    traffic: statistics.traffic,
    directory: fleet.directory,
    attempts: fleet.attempts,
    guesses,
    certificates: fleet.certificates,
    bus,
    log,
    metrics: registry,
    options: {
      securityProfile: config.ocppSecurityProfile as SecurityProfile,
      pingSeconds: config.pingSeconds,
      frameLimitBytes: config.frameLimitBytes,
      trustProxy: config.trustProxy,
    },
  });
  const mqtt =
    config.mqtt.embedded || config.mqtt.remote
      ? await mqttGateway(
          {
            ...{ sink, traffic: statistics.traffic, directory: fleet.directory, attempts: fleet.attempts, guesses },
            ...{ bus, log, metrics: registry },
          },
          config.mqtt,
        )
      : null;
  const alarms = alarmsRoom({ db, events, clock, log });
  const telemetry = telemetryRoom({ db, events, pool: database.pool, clock, log, readingDays: config.readingDays });
  const rooms = [
    files,
    auditRoom({ db }),
    fleet,
    modelsRoom({ db, pictures }),
    telemetry,
    alarms,
    operations,
    transfers,
    mailsRoom({ db, mailer: mails }),
    statistics,
  ];

  if (config.demo) {
    const demo = { devices: config.demoDevices, snPrefix: DEMO_PREFIX, ocpp201Every: DEMO_OCPP201_EVERY };
    await ensureDemoFleet(db, demo);
  }
  await seedFleet(db);
  await ensureReadyMadeModels(db);
  const demoPassword = randomBytes(24).toString('base64url');
  if (config.demo && config.mqtt.embedded) {
    const storage = { units: demoStorageUnits(config.demoDevices), snPrefix: DEMO_STORAGE_PREFIX };
    await ensureDemoStorage(db, { ...storage, passwordHash: hashDevicePassword(demoPassword) });
  }
  const storage = storageHealth({ database, dataFolder: config.dataFolder, log, metrics: registry });
  const app = await httpServer({
    log,
    guard: access.guard,
    trustProxy: config.trustProxy,
    version: VERSION,
    https: certificate,
    objectOrigins: objects.origins,
    storageProblems: () => storage.problems,
  });
  access.routes(app, pictures);
  for (const room of rooms) room.routes(app);
  live.routes(app, access.guard);
  healthRoutes(app, {
    registry,
    problems: () => storage.check(),
    metricsToken: config.metricsToken,
    measures: [
      {
        name: 'chargehand_connected_devices',
        help: 'Devices connected to any node.',
        read: () => countConnectedDevices(db),
      },
      {
        name: 'chargehand_waiting_mails',
        help: 'Outgoing mails that were not sent yet.',
        read: () => countWaitingMails(db),
      },
      {
        name: 'chargehand_reading_marks',
        help: 'Notes of readings that are not rolled up yet.',
        read: telemetry.marks,
      },
      { name: 'chargehand_live_streams', help: 'Live streams open on this node.', read: live.streams },
    ],
  });
  await objects.routes(app);
  ocppPages(app, gateway);
  await consoleFiles(app);
  await statistics.start();
  await announceRestart(database.pool);
  const days = await partitions({
    pool: database.pool,
    clock,
    log,
    protocolLogDays: config.protocolLogDays,
    readingDays: config.readingDays,
  });
  fleet.start();
  files.start();
  await operations.start();
  await transfers.start(operations.ask);
  await alarms.start();
  telemetry.start();
  gateway.attach(app.server);
  const plain = await plainDevicePort(config, certificate, gateway, app);
  ftp = await openFtp(config, { signIn: transfers.ftpSignIn, guesses, attempts: fleet.attempts, log });
  const place = { host: config.host, port: config.port, setting: 'PORT' } as const;
  await listenOn(place, () => app.listen({ port: config.port, host: config.host }));
  const { port } = app.server.address() as AddressInfo;
  const line = plain ? { scheme: 'ws', port: config.devicePort } : { scheme: certificate ? 'wss' : 'ws', port };

  const mqttPort = mqtt && config.mqtt.embedded ? await openMqttPorts(mqtt, { config, certificate, log }) : null;

  listensAt = `${certificate ? 'https' : 'http'}://${hostIn(config.host, 'localhost')}:${port}`;
  devicesFetchAt =
    plain && certificate?.selfSigned
      ? `http://${deviceHost(config.host)}:${config.devicePort}`
      : `${certificate ? 'https' : 'http'}://${deviceHost(config.host)}:${port}`;
  mails.start();
  // From here on nothing can keep the start from succeeding: what listens holds a connection until it is stopped.
  const modelNews = listenTo(database.pool, 'device_models', {
    log,
    onNews() {
      sink.modelsChanged();
      alarms.modelsChanged();
    },
  });

  return {
    app,
    url: listensAt,
    deviceUrl: `${line.scheme}://${hostIn(config.host, '127.0.0.1')}:${line.port}/ocpp`,
    mqttUrl: mqttPort === null ? null : `mqtt://${hostIn(config.host, '127.0.0.1')}:${mqttPort}`,
    demoPassword,
    port,
    firstPassword: access.firstPassword,
    async stop() {
      await live.stop();
      await storage.stop();
      await modelNews.stop();
      await Promise.all([gateway.stop(), mqtt?.stop()]);
      await app.close();
      plain?.close();
      await ftp?.stop();
      await mails.stop();
      await transfers.stop();
      await operations.stop();
      await alarms.stop();
      await telemetry.stop();
      await fleet.stop();
      await files.stop();
      await access.stop();
      await sink.stop();
      await statistics.stop();
      await days.stop();
      await bus.close();
      await objects.stop();
    },
  };
}

/** What answers a plain HTTP request where charge points connect: a proxy took out the headers that ask for a WebSocket. */
function ocppPages(app: FastifyInstance, gateway: OcppGateway): void {
  for (const url of ['/ocpp', '/ocpp/*']) {
    app.get(url, { schema: { hide: true } }, (request, reply) => {
      gateway.notUpgraded(request.raw);
      return reply
        .code(426)
        .headers({ upgrade: 'websocket', 'cache-control': 'no-store' })
        .type('text/plain; charset=utf-8')
        .send('Charge points connect here with a WebSocket; this request has no headers that ask for one.\n');
    });
  }
}

/** The host of a URL of this machine: an address that stands for all of them becomes `own`. */
function hostIn(host: string, own: string): string {
  if (host === '0.0.0.0' || host === '::') return own;
  return host.includes(':') ? `[${host}]` : host;
}

/** The port for devices that cannot do TLS, beside a server that speaks nothing else. */
async function plainDevicePort(
  config: Config,
  certificate: Certificate | null,
  gateway: OcppGateway,
  app: FastifyInstance,
): Promise<Server | null> {
  if (!certificate || config.devicePort === 0 || config.ocppSecurityProfile >= 2) return null;
  const server = createServer((request, response) => {
    if (/^\/(?:device-files|ocpp)\b/.test(request.url ?? '')) app.routing(request, response);
    else response.writeHead(404).end();
  });
  gateway.attach(server);
  const place = { host: config.host, port: config.devicePort, setting: 'CHARGEHAND_DEVICE_PORT' } as const;
  await listenOn(place, () => once(server.listen(config.devicePort, config.host), 'listening'));
  return server;
}
