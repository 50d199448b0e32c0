import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Pool } from 'pg';
import { WebSocket } from 'ws';
import { deviceCertificates } from '../../fleet/device-care/certificates.service.ts';
import { findMissingReports } from '../../fleet/directory.store.ts';
import { deviceDirectory } from '../../fleet/directory.ts';
import type { SigningAuthority } from '../../fleet/index.ts';
import { type AttemptRecord, listAttempts } from '../../fleet/waiting-devices/connection-attempts.store.ts';
import { attemptRecorder } from '../../fleet/waiting-devices/connection-attempts.ts';
import { busDeviceLink } from '../../gateways/bus-device-link.ts';
import { type OcppGateway, type OcppOptions, ocppGateway } from '../../gateways/ocpp/index.ts';
import { OCPP16 } from '../../gateways/ocpp16/index.ts';
import { OCPP21 } from '../../gateways/ocpp21/index.ts';
import { OCPP201 } from '../../gateways/ocpp201/index.ts';
import { uplinkSink } from '../../ingest/index.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import { localBus } from '../../platform/bus/local-bus.ts';
import { type Clock, systemClock } from '../../platform/clock.ts';
import { type GuessLimit, guessLimit } from '../../platform/guess-limit.ts';
import { peersOf } from '../../platform/http/peers.ts';
import { createLog, type Log } from '../../platform/log.ts';
import type { ConnectionAttempts } from '../../ports/devices/connection-attempts.ts';
import type { DeviceDirectory, UnknownDevice } from '../../ports/devices/device-directory.ts';
import type { DeviceLink } from '../../ports/devices/device-link.ts';
import { hashDevicePassword } from '../../ports/devices/device-password.ts';
import type { TrafficMeter } from '../../ports/traffic.ts';
import type { ExecutionAnswer, ExecutionProgress, UplinkSink } from '../../ports/uplink.ts';
import { trafficMeter } from '../../statistics/index.ts';
import { createTestDatabase, type TestDatabase } from '../database/database.ts';
import { soon } from '../within.ts';

export { eventually } from '../eventually.ts';

/** A gateway with its ingest on a separate database, and access to its results. */
export interface Testbed {
  database: TestDatabase;
  pool: Pool;
  bus: Bus;
  /** the site of its devices */
  site: Awaited<ReturnType<typeof seedSite>>;
  gateway: OcppGateway;
  link: DeviceLink;
  /** `ws://…/ocpp` */
  url: string;
  server: Server;
  /** stored answers to executions, after their commit */
  answers: ExecutionAnswer[];
  /** reports of gateways about executions without an answer */
  progress: ExecutionProgress[];
  /** unregistered devices that tried to connect */
  unknown: UnknownDevice[];
  /** stores the counted traffic */
  flushTraffic(): Promise<void>;
  /** what another gateway needs to run with this one */
  parts: {
    sink: UplinkSink;
    traffic: TrafficMeter;
    directory: DeviceDirectory;
    attempts: ConnectionAttempts;
    guesses: GuessLimit;
    bus: Bus;
    clock: Clock;
    log: Log;
  };
  /** the counted connection attempts, the latest first */
  attempts(): Promise<AttemptRecord[]>;
  addDevice(sn: string, more?: { password?: string; tolerant?: boolean; enabled?: boolean }): Promise<number>;
  stop(): Promise<void>;
}

/**
 * Starts a testbed. With `beside` it is a second node of the same installation, on the bus and database of the first.
 */
export async function startTestbed(
  options: Partial<OcppOptions> = {},
  parts: {
    database?: TestDatabase;
    sinkPool?: Pool;
    server?: Server;
    beside?: Testbed;
    /** signs the certificates that devices request */
    authority?: SigningAuthority;
    /** the clock of its gateways; by default the system's */
    clock?: Clock;
    /** the operator's proxies */
    proxies?: readonly string[];
    /** runs between the gateway's look-up of a device and its next step */
    afterFind?: (sn: string) => Promise<void>;
  } = {},
): Promise<Testbed> {
  const { beside, clock = systemClock } = parts;
  const database = beside?.database ?? parts.database ?? (await createTestDatabase());
  const { pool } = database;
  const log = createLog(process.env.CHARGEHAND_TEST_LOG === '1' ? 'warn' : 'silent');
  const bus =
    beside?.bus ??
    localBus((error) => {
      throw error;
    });
  const answers: ExecutionAnswer[] = [];
  const progress: ExecutionProgress[] = [];
  const uncommitted = new Map<string, ExecutionAnswer>();
  const unknown: UnknownDevice[] = [];
  const sink = uplinkSink({
    pool: parts.sinkPool ?? pool,
    clock: systemClock,
    log,
    events: { publish: () => undefined },
    async onAnswer(_query, more) {
      for (const one of more) uncommitted.set(one.executionId, one);
    },
    async onProgress(_query, more) {
      progress.push(...more);
    },
    onStored({ answered }) {
      for (const { executionId } of answered) {
        const answer = uncommitted.get(executionId);
        if (answer && !answers.includes(answer)) answers.push(answer);
      }
    },
    ...(beside ? { node: { key: 'second' } } : {}),
  });
  const traffic = trafficMeter({ pool, log });
  const attempts = attemptRecorder(database.db, log);
  const guesses = guessLimit();
  const directory = directoryOf(database, unknown, parts.afterFind);
  const common = { sink, traffic, directory, attempts, guesses, bus, clock, log };
  const { authority } = parts;
  const gateway = ocppGateway({
    ...common,
    certificates: authority
      ? deviceCertificates({ db: database.db, events: { publish: () => undefined }, authority })
      : null,
    dialects: [OCPP16, OCPP201, OCPP21],
    peers: peersOf({ proxies: parts.proxies ?? [] }),
    // Raw points do not answer automatically, so only tests about these requests enable them.
    options: { securityProfile: 0, pingSeconds: 30, frameLimitBytes: 262_144, requestAfterSeconds: null, ...options },
  });
  const server = parts.server ?? createServer();
  gateway.attach(server);
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const site = beside?.site ?? (await seedSite(pool));
  return {
    database,
    pool,
    bus,
    site,
    gateway,
    link: busDeviceLink(bus),
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/ocpp`,
    server,
    answers,
    progress,
    unknown,
    flushTraffic: traffic.flush,
    parts: common,
    attempts: async () => (await listAttempts(database.db, undefined, true, { limit: 100, offset: 0 })).items,
    async addDevice(sn, { password, tolerant = false, enabled = true } = {}) {
      const { rows } = await pool.query<{ id: number }>(
        `insert into devices (sn, name, site_id, customer_id, device_model_id, enabled, gateway_password_hash)
         values ($1, $1, $2, $3, $4, $5, $6) returning id`,
        [
          sn,
          site.siteId,
          site.customerId,
          tolerant ? site.tolerantModelId : site.modelId,
          enabled,
          password === undefined ? null : hashDevicePassword(password),
        ],
      );
      return rows[0]!.id;
    },
    async stop() {
      await gateway.stop();
      await sink.stop();
      await traffic.stop();
      await attempts.stop();
      // When the gateway failed to close a connection, its own test fails; here nothing waits for it.
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      if (beside) return;
      await bus.close();
      if (!parts.database) await database.drop();
    },
  };
}

/** A raw charge point: sends texts and collects the received ones. */
export interface RawPoint {
  socket: WebSocket;
  /** the next message of the server, parsed */
  next(): Promise<unknown[]>;
  send(frame: unknown): void;
  /** sends a CALL and waits for the next frame that is not a CALL of the server */
  call(action: string, payload: unknown, id?: string): Promise<unknown[]>;
  closed: Promise<{ code: number; reason: string }>;
}

let ids = 0;

export async function connectRaw(
  url: string,
  options: {
    protocols?: string[];
    password?: string;
    sn?: string;
    headers?: Record<string, string>;
    /** offers to compress the connection */
    compress?: boolean;
    /** receives trigger requests; otherwise the point answers that it does not support them */
    hearsTriggers?: boolean;
    /** false: it answers no WebSocket pings */
    answersPings?: boolean;
  } = {},
): Promise<RawPoint> {
  const sn = options.sn ?? decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '');
  const headers = { ...options.headers };
  if (options.password !== undefined) {
    headers.authorization = `Basic ${Buffer.from(`${sn}:${options.password}`).toString('base64')}`;
  }
  const perMessageDeflate = options.compress ?? false;
  const socket = new WebSocket(url, options.protocols ?? [OCPP16.subprotocol], {
    headers,
    perMessageDeflate,
    autoPong: options.answersPings ?? true,
  });
  const messages: unknown[][] = [];
  const waiting: ((message: unknown[]) => void)[] = [];
  socket.on('message', (data) => {
    const message = JSON.parse(String(data)) as unknown[];
    if (message[2] === 'TriggerMessage' && !options.hearsTriggers) {
      socket.send(JSON.stringify([3, message[1], { status: 'NotImplemented' }]));
      return;
    }
    const taker = waiting.shift();
    if (taker) taker(message);
    else messages.push(message);
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: String(reason) }));
  });
  await new Promise<void>((resolve, reject) => {
    socket.on('open', resolve);
    socket.on('error', reject);
    socket.on('unexpected-response', (_request, response) => {
      reject(new Error(`HTTP ${response.statusCode}`));
      socket.terminate();
    });
  });
  const next = () => {
    const message = messages.shift();
    if (message) return Promise.resolve(message);
    const coming = new Promise<unknown[]>((resolve) => waiting.push(resolve));
    return soon(`the next message for ${sn}`, coming);
  };
  const send = (frame: unknown) => socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
  return {
    socket,
    get closed() {
      return soon(`the connection of ${sn} to end`, closed);
    },
    next,
    send,
    async call(action, payload, id = `m${++ids}`) {
      send([2, id, action, payload]);
      const requests: unknown[][] = [];
      let message = await next();
      // Requests of the server meanwhile are kept for `next`.
      for (; message[0] === 2; message = await next()) requests.push(message);
      messages.unshift(...requests);
      return message;
    },
  };
}

function directoryOf(
  { db }: TestDatabase,
  unknown: UnknownDevice[],
  afterFind?: (sn: string) => Promise<void>,
): DeviceDirectory {
  const known = deviceDirectory(db);
  return {
    async find(sn) {
      const found = await known.find(sn);
      await afterFind?.(sn);
      return found;
    },
    usedNewPassword: async () => undefined,
    missingReports: (deviceIds) => findMissingReports(db, deviceIds),
    async reportUnknown(device) {
      unknown.push(device);
    },
  };
}

async function seedSite(pool: Pool) {
  const id = async (text: string, values: unknown[] = []) =>
    (await pool.query<{ id: number }>(text, values)).rows[0]!.id;
  const customerId = await id(`insert into customers (code, name) values ('c', 'Customer') returning id`);
  const siteId = await id(`insert into sites (customer_id, code, name) values ($1, 's', 'Site') returning id`, [
    customerId,
  ]);
  const model = `insert into device_models (name, type, tolerant) values ($1, 1, $2) returning id`;
  return {
    customerId,
    siteId,
    modelId: await id(model, ['Strict pile', false]),
    tolerantModelId: await id(model, ['Tolerant pile', true]),
  };
}
