import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import fastify from 'fastify';
import { SMALL_MEMORY } from '../../../../../scripts/build/server-bundle.mjs';
import { connectDatabase, type DatabaseConnection } from '../../platform/database/connect.ts';
import { migrate } from '../../platform/database/migrate.ts';
import { embeddedObjects } from '../../platform/objects/embedded/embedded.ts';
import {
  environment,
  pgbouncerService,
  postgresService,
  type Service,
  service,
  tools,
} from '../deployment/services.ts';
import { type DatabaseWay, openDatabaseWay } from '../faults/database-way.ts';
import { type Program, startProgram } from '../program.ts';

/** The processes of a cluster, with their roles and ports, as in deploy/haproxy/haproxy.cfg. */
export const PROCESSES = {
  'api-1': { roles: 'api', port: 8081 },
  'api-2': { roles: 'api', port: 8082 },
  'gateway-1': { roles: 'gateway', port: 8091 },
  'gateway-2': { roles: 'gateway', port: 8092 },
  'links-1': { roles: 'links', port: 8101 },
  'links-2': { roles: 'links', port: 8102 },
  'jobs-1': { roles: 'jobs', port: 8111 },
  'jobs-2': { roles: 'jobs', port: 8112 },
} as const;
export type ProcessName = keyof typeof PROCESSES;

/** The process whose network to PostgreSQL tests can cut. */
export const CUT_OFF: ProcessName = 'gateway-2';

const PROXY_PORT = 8080;
const CONNECTIONS = 4_000;
const SSH_PORTS: Partial<Record<ProcessName, number>> = { 'links-1': 2231, 'links-2': 2232 };
const S3_KEY = { accessKeyId: 'operator', secretAccessKey: 'a-secret-of-the-operator' };
const SHIPPED = join(import.meta.dirname, '../../../../../deploy/haproxy/haproxy.cfg');

export interface Cluster {
  /** of HAProxy: the console, the API and devices */
  url: string;
  deviceUrl: string;
  database: DatabaseConnection & { url: string };
  services: { postgres: Service; haproxy: Service; mosquitto: Service; nats: Service | null };
  programs: Map<ProcessName, Program>;
  start(name: ProcessName): Promise<Program>;
  /** the network between `CUT_OFF` and PostgreSQL, and NATS */
  way: DatabaseWay;
  natsWay: DatabaseWay | null;
  stop(): Promise<void>;
}

/**
 * Starts PostgreSQL, Mosquitto, HAProxy, an S3 store, NATS if wanted, and two processes of each role on this machine.
 * @param options portOffset: added to all ports; prepare: runs on the migrated database before the processes start
 */
export async function startCluster(options: {
  folder: string;
  nats?: boolean;
  /** the processes use PgBouncer in transaction mode */
  pooler?: boolean;
  portOffset?: number;
  settings?: Record<string, string>;
  names?: readonly ProcessName[];
  /** how far the clocks of processes are ahead (ms) */
  clocks?: Partial<Record<ProcessName, number>>;
  /** false: the processes run the sources */
  built?: boolean;
  prepare?(database: DatabaseConnection): Promise<void>;
}): Promise<Cluster> {
  const { folder, portOffset = 0, names = Object.keys(PROCESSES) as ProcessName[] } = options;
  const at = (port: number) => port + portOffset;
  const stops: (() => Promise<void>)[] = [];
  const run = async <S extends Service>(one: S): Promise<S> => {
    await one.start();
    stops.push(one.stop);
    return one;
  };
  await mkdir(folder, { recursive: true });
  await chmod(folder, 0o755);
  const postgres = await run(await postgresService(folder));
  const database = connectDatabase(postgres.url, { max: 4 });
  stops.push(database.close);
  await migrate(database.pool);
  await options.prepare?.(database);
  const pooler = options.pooler ? await run(await pgbouncerService(folder, postgres, 'transaction')) : null;
  const way = await openDatabaseWay(postgres.url);
  stops.push(way.close);
  const store = await objectStore(folder, database);
  stops.push(store.stop);
  const mosquitto = await run(broker(folder, at(18_83)));
  const nats = options.nats ? await run(natsServer(at(42_22))) : null;
  const natsUrl = `nats://127.0.0.1:${at(42_22)}`;
  const natsWay = nats ? await openDatabaseWay(natsUrl) : null;
  if (natsWay) stops.push(natsWay.close);
  const haproxy = await run(await balancer(folder, at));

  const programs = new Map<ProcessName, Program>();
  const start = async (name: ProcessName): Promise<Program> => {
    const { roles, port } = PROCESSES[name];
    const direct = name === CUT_OFF ? way.url : postgres.url;
    const program = await startProgram(
      {
        ...{ PORT: String(at(port)), HOST: '127.0.0.1', DATABASE_URL: pooler?.url ?? direct },
        ...{ DATABASE_DIRECT_URL: direct, CHARGEHAND_NODE: name },
        ...{ CHARGEHAND_ROLES: roles, CHARGEHAND_DATA: join(folder, name), CHARGEHAND_DATABASE_CONNECTIONS: '8' },
        ...{ CHARGEHAND_PUBLIC_URL: `http://127.0.0.1:${at(PROXY_PORT)}` },
        ...{ CHARGEHAND_TRUSTED_PROXIES: '127.0.0.1', CHARGEHAND_CAPTCHA: 'off', CHARGEHAND_PROBE: 'off' },
        ...{ S3_ENDPOINT: store.endpoint, S3_ACCESS_KEY_ID: S3_KEY.accessKeyId },
        ...{ S3_SECRET_ACCESS_KEY: S3_KEY.secretAccessKey, MQTT_URL: `mqtt://127.0.0.1:${at(18_83)}` },
        ...{ MQTT_SHARE_GROUP: 'chargehand', CHARGEHAND_LINKS_PORT: String(SSH_PORTS[name] ?? 0) },
        ...(options.clocks?.[name] ? { NODE_OPTIONS: clockAhead(options.clocks[name]) } : {}),
        ...(natsWay ? { NATS_URL: name === CUT_OFF ? natsWay.url : natsUrl } : {}),
        ...options.settings,
      },
      { built: options.built ?? true },
    );
    programs.set(name, program);
    return program;
  };
  const stop = async () => {
    const running = [...programs.values()].filter((program) => program.exitCode() === null);
    await Promise.all(running.map((program) => program.kill().catch(() => undefined)));
    for (const one of stops.reverse()) await one();
  };
  try {
    // The first one creates the secrets of the installation.
    const [first, ...others] = names;
    if (first) await start(first);
    for (const name of others) await start(name);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    ...{ url: `http://127.0.0.1:${at(PROXY_PORT)}`, deviceUrl: `ws://127.0.0.1:${at(PROXY_PORT)}/ocpp` },
    ...{ database: { ...database, url: postgres.url }, services: { postgres, haproxy, mosquitto, nats } },
    ...{ programs, start, way, natsWay, stop },
  };
}

/** The option of Node that sets the clock of a process ahead (ms). Monotonic times stay. */
function clockAhead(ms: number): string {
  const text = `const Real = Date;
    globalThis.Date = class Date extends Real {
      constructor(...values) { if (values.length > 0) super(...values); else super(Real.now() + ${ms}); }
      static now() { return Real.now() + ${ms}; }
    };`;
  return `${SMALL_MEMORY.NODE_OPTIONS} --import=data:text/javascript,${encodeURIComponent(text)}`;
}

/** HAProxy with deploy/haproxy/haproxy.cfg as it is: only the ports and the number of connections differ. */
async function balancer(folder: string, at: (port: number) => number): Promise<Service> {
  const settings = join(folder, 'haproxy.cfg');
  const text = await readFile(SHIPPED, 'utf8');
  const moved = text.replaceAll(/127\.0\.0\.1:(\d{4})/g, (_, port: string) => `127.0.0.1:${at(Number(port))}`);
  // Each connection takes two file descriptors, of which an account often has few.
  await writeFile(settings, moved.replace(/maxconn \d+/, `maxconn ${CONNECTIONS}`));
  const program = tools().haproxy ?? 'haproxy';
  const ready = async () => isOpen(at(PROXY_PORT));
  return service(() => spawn(program, ['-db', '-f', settings], { env: environment() }), ready, 'SIGTERM');
}

function broker(folder: string, port: number): Service {
  const settings = join(folder, 'mosquitto.conf');
  const lines = [`listener ${port} 127.0.0.1`, 'allow_anonymous true', 'log_type error', 'log_type warning'];
  const user = process.getuid?.() === 0 ? ['user root'] : [];
  return service(
    () => {
      const child = spawn('sh', [
        '-c',
        `printf '%s\\n' "$@" > ${settings}; exec mosquitto -c ${settings}`,
        'sh',
        ...lines,
        ...user,
      ]);
      return child;
    },
    () => isOpen(port),
    'SIGTERM',
  );
}

function natsServer(port: number): Service {
  const program = tools().nats ?? 'nats-server';
  return service(
    () => spawn(program, ['-a', '127.0.0.1', '-p', String(port)]),
    () => isOpen(port),
    'SIGTERM',
  );
}

/** An S3 store for all processes: the embedded one, served by this process with its index in the same database. */
async function objectStore(
  folder: string,
  { db }: DatabaseConnection,
): Promise<{ endpoint: string; stop(): Promise<void> }> {
  const buckets = { main: 'chargehand', firmware: 'chargehand-firmware' };
  const store = await embeddedObjects({
    ...{ dataFolder: join(folder, 'store'), buckets, region: 'oss-cn-hongkong', key: randomBytes(32) },
    ...{ operator: S3_KEY, db, log: null },
  });
  const app = fastify({ forceCloseConnections: true });
  await store.routes(app);
  const endpoint = await app.listen({ port: 0, host: '127.0.0.1' });
  return { endpoint, stop: () => app.close() };
}

function isOpen(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect(port, '127.0.0.1', () => resolve(true));
  socket.once('error', () => resolve(false));
  return promise.finally(() => socket.destroy());
}
