import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { access, findOrCreateSecret } from './access/index.ts';
import { alarms } from './alarms/index.ts';
import { applicationEvents, applications } from './applications/index.ts';
import type { Addresses } from './assembly/addresses.ts';
import { backup, support } from './assembly/care.ts';
import { carriedEvents } from './assembly/carried-events.ts';
import { certificates } from './assembly/certificates.ts';
import { firstData } from './assembly/demo-data.ts';
import { gatewayParts, mqtt, ocpp, ocppPort } from './assembly/devices/gateways.ts';
import { leftConnections, modelChanges, partitions, uplink } from './assembly/devices/uplink.ts';
import { dictionaries } from './assembly/dictionaries.ts';
import { ftp } from './assembly/ftp.ts';
import { http, httpPort, ocppPages, plainDevicePort } from './assembly/http.ts';
import { branding, busEnd, nodeEnd, objects, parameters, processParts, replica, requests } from './assembly/process.ts';
import { sharedFunctions } from './assembly/shared-functions.ts';
import { storageHealth, system } from './assembly/system.ts';
import { attachments } from './attachments/index.ts';
import { audit, errorLog } from './audit/index.ts';
import { documents } from './documents/index.ts';
import { files } from './files/index.ts';
import { fleet, regions } from './fleet/index.ts';
import { issues, timelines } from './issues/index.ts';
import { links, terminalPort } from './links/index.ts';
import { events, live } from './live/index.ts';
import { mails } from './mails/index.ts';
import { messages } from './messages/index.ts';
import { models } from './models/index.ts';
import { operations } from './operations/index.ts';
import type { Bus } from './platform/bus/bus.ts';
import { localBus } from './platform/bus/local-bus.ts';
import { natsBus } from './platform/bus/nats-bus.ts';
import { postgresBus } from './platform/bus/postgres-bus.ts';
import { type Clock, pause, systemClock } from './platform/clock.ts';
import { type Config, isShareable } from './platform/config/config.ts';
import type { Crash } from './platform/config/run-record.ts';
import type { DatabaseConnection } from './platform/database/connect.ts';
import { newestFact } from './platform/deletion/deletion.store.ts';
import { deletionGuard } from './platform/deletion/deletion.ts';
import { consoleFiles } from './platform/http/console/console-files.ts';
import { healthRoutes } from './platform/http/health.ts';
import { Problem } from './platform/http/problem.ts';
import type { Log } from './platform/log.ts';
import { jobLeases } from './platform/nodes/job-leases.ts';
import { joinNodes, type NodeOptions } from './platform/nodes/node.ts';
import { registerRoutes, startRooms } from './platform/room.ts';
import { openRooms, withNeeds } from './platform/rooms/assemble.ts';
import type { Certificate } from './platform/tls/certificate.ts';
import { JOB_WOKEN, jobRegister } from './platform/work/job-register.ts';
import { ROW_FINDERS, ROW_PLACES } from './row-finders.ts';
import { search } from './search/index.ts';
import { shares } from './shares/index.ts';
import { statistics } from './statistics/index.ts';
import { telemetry } from './telemetry/index.ts';
import { tokens } from './tokens/index.ts';
import { transfers } from './transfers/index.ts';

export interface Chargehand {
  app: FastifyInstance;
  /** the address of the console and the API, without a trailing slash */
  url: string;
  /** the address for a device on this machine */
  deviceUrl: string;
  /** the address for an MQTT device on this machine; null while no plain port of the embedded broker is open */
  mqttUrl: string | null;
  /** the password of the demo's storage units, created at each start */
  demoPassword: string;
  port: number;
  /** the administrator's password if this start generated it: shown once, not stored */
  firstPassword: string | null;
  /**
   * Reads the certificate files again and uses them for new connections.
   * @throws with a message if one of them cannot be used; the previous ones stay in use then
   */
  reloadCertificates(): Promise<void>;
  /** Adds crashes of earlier runs to the error log. */
  storeCrashes(crashes: readonly Crash[]): Promise<void>;
  /** Before `stop`: if other processes can take over, refuses new connections and lets devices move to them. */
  drain(): Promise<void>;
  /**
   * Ends connections with a reason, drains queues and answers the requests in progress; the caller closes the database.
   */
  stop(): Promise<void>;
}

export const VERSION: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version;

/**
 * The product, in the order in which it starts; it stops in the reverse order. Each is opened after those that provide
 * what it needs.
 */
const ROOMS = [
  nodeEnd,
  objects,
  busEnd,
  parameters,
  branding,
  replica,
  processParts,
  sharedFunctions,
  regions,
  events,
  requests,
  errorLog,
  partitions,
  statistics,
  uplink,
  leftConnections,
  access,
  firstData,
  files,
  audit,
  fleet,
  models,
  telemetry,
  alarms,
  operations,
  tokens,
  transfers,
  attachments,
  shares,
  documents,
  issues,
  timelines,
  messages,
  dictionaries,
  mails,
  search,
  links,

  applications,
  applicationEvents,
  ftp,
  gatewayParts,
  ocpp,
  plainDevicePort,
  http,
  ocppPort,
  terminalPort,
  httpPort,
  mqtt,
  modelChanges,
  storageHealth,
  support,
  backup,
  certificates,
  system,
  live,
  carriedEvents,
] as const;

export type RoomName = (typeof ROOMS)[number]['name'];

/** How long load balancers have to see that a process leaves, and the time over which its devices move. Milliseconds. */
const NOTICE_MS = 5_000;
const DRAIN_MS = 60_000;

/** What every process has: the HTTP server with sign-in, health and metrics. */
const BASIS: readonly RoomName[] = ['node', 'objects', 'branding', 'storage health', 'http port'];

/**
 * Assembles the product on a database and starts it: the only place that knows all modules and gateways.
 * @param only names of rooms; only these, what they need, and the HTTP server are started
 * @param nodeOptions the lease of this process
 */
export async function startChargehand(
  startConfig: Config,
  database: DatabaseConnection,
  log: Log,
  certificate: Certificate | null = null,
  plainClock: Clock = systemClock,
  only?: readonly RoomName[],
  nodeOptions: Pick<NodeOptions, 'folder' | 'session' | 'onLost' | 'renewMs' | 'needs' | 'isShareable'> = {},
): Promise<Chargehand> {
  const { db, pool } = database;
  const jobs = jobRegister();
  // Before anything is stored.
  const deletion = await deletionGuard({ db, log, newestFact: () => newestFact(db) });
  const node = await joinNodes({
    ...{ url: pool.directUrl, log, roles: [...startConfig.roles], version: VERSION },
    ...{ name: startConfig.nodeName, isShareable: isShareable(startConfig), ...nodeOptions },
    bus: startConfig.natsUrls === undefined ? 'postgres' : 'nats',
  });
  const onError = (error: unknown, subject: string) => log.error({ err: error, subject }, 'a bus listener failed');
  const { databaseUrl, natsUrls: urls } = startConfig;
  const url = databaseUrl && pool.directUrl;
  const { holds, alone, offsetMs } = node;
  const secret = (name: string, make = async () => randomBytes(32).toString('base64')) =>
    findOrCreateSecret(db, name, make);
  const busOptions = { log, onError, holds, alone, offsetMs };
  let bus: Bus;
  if (url === undefined) bus = localBus(onError);
  else if (urls === undefined) bus = await postgresBus({ url, ...busOptions });
  else bus = await natsBus({ urls, prefix: await secret('bus-prefix', newBusPrefix), ...busOptions });
  jobs.placement = {
    ...jobLeases({ node, pool, log, state: jobs.state }),
    passOn: (job) => bus.publish(JOB_WOKEN, { job }),
  };
  bus.subscribe(JOB_WOKEN, ({ job }) => jobs.wake(job));
  let leaving = false;
  const chosen = only ? withNeeds(ROOMS, [...BASIS, ...only]) : ROOMS;
  const { rooms, parts } = await openRooms(chosen as typeof ROOMS, {
    ...{ startConfig, database, db, pool, log, certificate, jobs, deletion, version: VERSION },
    clock: jobs.watch(deletion.watch(plainClock)),
    ...{ bus, node },
    rows: { finders: ROW_FINDERS, places: ROW_PLACES },
    secret,
  });
  const { app, config, addresses } = parts;
  await registerRoutes(app, rooms, config.roles);
  healthRoutes(app, {
    registry: parts.registry,
    problems: async () =>
      leaving ? [new Problem('processLeaves')] : await (parts.problems ?? parts.storageHealth.check)(),
    metricsToken: config.metricsToken,
    installation: () => (parts.systemProblems?.('en-US') ?? []).map(({ kind, severity }) => ({ kind, severity })),
    measures: rooms.flatMap(({ measures = [] }) => measures),
  });
  await parts.objects.routes(app);
  if (config.roles.has('gateway') && parts.ocpp) ocppPages(app, parts.ocpp);
  await consoleFiles(app, parts.branding.read);
  const stop = await startRooms(rooms, config.roles);
  node.onCutOff((isCutOff) => {
    if (isCutOff) parts.ocpp?.release();
    parts.mqtt?.share(!isCutOff);
  });
  node.describe(() => ({
    load: {
      ...{ connections: parts.ocpp?.connections ?? 0, streams: parts.live?.streams() ?? 0 },
      memoryBytes: process.memoryUsage.rss(),
      replica: parts.replica?.now() ?? null,
    },
    addresses: ownAddresses(addresses),
  }));
  return {
    app,
    url: addresses.own(),
    deviceUrl: addresses.ocpp(),
    mqttUrl: addresses.mqtt(),
    demoPassword: parts.demoPassword,
    port: addresses.port(),
    firstPassword: parts.access.firstPassword,
    reloadCertificates: parts.reloadCertificates,
    storeCrashes: parts.storeCrashes,
    async drain() {
      if (!node.hasPeer('gateway')) return;
      leaving = true;
      parts.ocpp?.leave();
      await pause(plainClock, NOTICE_MS);
      await parts.ocpp?.drain(DRAIN_MS);
    },
    stop,
  };
}

/** The beginning of the subjects of this installation, because others may use the same NATS servers. */
async function newBusPrefix(): Promise<string> {
  return `chargehand.${randomBytes(12).toString('hex')}`;
}

/** Where browsers, other processes and the devices of links reach this process. */
function ownAddresses(addresses: Addresses): string[] {
  const links = addresses.links();
  const host = links?.host.includes(':') ? `[${links.host}]` : links?.host;
  const ftp = addresses.ftp();
  return [
    addresses.own(),
    ...(links ? [`ssh://${host}:${links.port}`] : []),
    ...(ftp === null ? [] : [`ftp://${ftp}`]),
  ];
}
