import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { eventually } from '../eventually.ts';
import { freePort } from './free-port.ts';

/** Paths of the programs, from scripts/debian.mjs. */
interface Tools {
  nginx: string;
  streamModule: string;
  pgbouncer: string;
  /** the folder of the programs of PostgreSQL */
  postgres: string;
  /** folders of libraries */
  libraries: string;
  /** only for `npm run test:cluster` and `npm run cluster` */
  haproxy?: string;
  nats?: string;
}

/** A program from Debian. */
export interface Service {
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Ends it as kill -9 does. */
  kill(): Promise<void>;
  signal(name: NodeJS.Signals): void;
  /** what it wrote to its output */
  log(): string;
}

const SHIPPED = join(import.meta.dirname, '../../../../../deploy/nginx');
/** PostgreSQL and PgBouncer refuse to run as root. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

export function tools(): Tools {
  const { DEPLOYMENT_TOOLS } = process.env;
  if (!DEPLOYMENT_TOOLS) throw new Error('Run these tests with npm run test:deploy or npm run test:cluster.');
  return JSON.parse(DEPLOYMENT_TOOLS) as Tools;
}

export const environment = () => ({ ...process.env, LD_LIBRARY_PATH: tools().libraries });

/** A folder for all services of a test. */
export async function serviceFolder(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'chargehand-deployment-'));
  await chmod(path, 0o755);
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

/** A folder that the account of PostgreSQL and PgBouncer can write to. */
async function ownFolder(parent: string, name: string): Promise<string> {
  const path = join(parent, name);
  await mkdir(path, { mode: 0o700 });
  if (NOBODY.uid !== undefined) await chown(path, NOBODY.uid, NOBODY.gid);
  return path;
}

/** A PostgreSQL from Debian packages, with one database and account. */
export async function postgresService(parent: string): Promise<Service & { url: string; port: number }> {
  const folder = await ownFolder(parent, 'postgres');
  const port = await freePort();
  const options = { ...NOBODY, env: environment(), cwd: '/' };
  const data = join(folder, 'data');
  const initdb = ['-D', data, '-U', 'chargehand', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  const { status, stderr } = spawnSync(join(tools().postgres, 'initdb'), initdb, { ...options, encoding: 'utf8' });
  if (status !== 0) throw new Error(`initdb failed: ${stderr}`);
  const url = `postgres://chargehand@127.0.0.1:${port}/postgres`;
  const args = ['-D', data, '-k', folder, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', 'fsync=off'];
  const run = () => spawn(join(tools().postgres, 'postgres'), args, options);
  return { ...service(run, () => answers(url), 'SIGINT'), url, port };
}

/** A streaming replica of that PostgreSQL, made with pg_basebackup. */
export async function replicaService(parent: string, primary: { port: number }): Promise<Service & { url: string }> {
  const folder = await ownFolder(parent, 'replica');
  const port = await freePort();
  const options = { ...NOBODY, env: environment(), cwd: '/' };
  const data = join(folder, 'data');
  const copy = ['-D', data, '-R', '-h', '127.0.0.1', '-p', String(primary.port), '-U', 'chargehand', '--no-sync'];
  const program = join(tools().postgres, 'pg_basebackup');
  const { status, stderr } = spawnSync(program, [...copy, '-c', 'fast'], { ...options, encoding: 'utf8' });
  if (status !== 0) throw new Error(`pg_basebackup failed: ${stderr}`);
  const url = `postgres://chargehand@127.0.0.1:${port}/postgres`;
  const args = ['-D', data, '-k', folder, '-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', 'fsync=off'];
  const run = () => spawn(join(tools().postgres, 'postgres'), args, options);
  return { ...service(run, () => answers(url), 'SIGINT'), url };
}

/** A PgBouncer from Debian packages in front of that PostgreSQL. */
export async function pgbouncerService(
  parent: string,
  to: { port: number },
  mode: 'session' | 'transaction',
): Promise<Service & { url: string }> {
  const folder = await ownFolder(parent, `pgbouncer-${mode}`);
  const port = await freePort();
  const users = join(folder, 'users.txt');
  await writeFile(users, '"chargehand" ""\n');
  const settings = join(folder, 'pgbouncer.ini');
  const lines = [
    ...['[databases]', `* = host=127.0.0.1 port=${to.port}`, '[pgbouncer]', `listen_port = ${port}`],
    ...['listen_addr = 127.0.0.1', 'unix_socket_dir =', 'auth_type = trust', `auth_file = ${users}`],
    ...[`pool_mode = ${mode}`, 'default_pool_size = 25'],
  ];
  await writeFile(settings, `${lines.join('\n')}\n`);
  const url = `postgres://chargehand@127.0.0.1:${port}/postgres`;
  const run = () => spawn(tools().pgbouncer, [settings], { ...NOBODY, env: environment(), cwd: '/' });
  return { ...service(run, () => answers(url), 'SIGTERM'), url };
}

/**
 * An nginx from Debian packages with the files of `deploy/nginx` as they are: only the ports, which tests cannot choose
 * freely, are replaced.
 */
export async function nginxService(
  parent: string,
  parts: { certificate: { cert: string; key: string }; product: number; mqtt: number; links: number },
): Promise<Service & { https: number; http: number; mqtts: number; links: number }> {
  const [https, http, mqtts, links] = [await freePort(), await freePort(), await freePort(), await freePort()];
  const folder = join(parent, 'nginx');
  await mkdir(join(folder, 'chargehand'), { recursive: true });
  await mkdir(join(folder, 'conf.d'));
  await writeFile(join(folder, 'chargehand/fullchain.pem'), parts.certificate.cert);
  await writeFile(join(folder, 'chargehand/privkey.pem'), parts.certificate.key);
  for (const name of ['chargehand-proxy.conf', 'chargehand-stream.conf'])
    await copyFile(join(SHIPPED, name), join(folder, name));
  await copyWith(join(SHIPPED, 'chargehand.conf'), join(folder, 'conf.d/chargehand.conf'), [
    ['listen 443 ssl', `listen 127.0.0.1:${https} ssl`],
    ['listen 80;', `listen 127.0.0.1:${http};`],
    ['server 127.0.0.1:8080;', `server 127.0.0.1:${parts.product};`],
  ]);
  await copyWith(join(SHIPPED, 'chargehand-mqtt.conf'), join(folder, 'chargehand-mqtt.conf'), [
    ['listen 8883 ssl', `listen 127.0.0.1:${mqtts} ssl`],
    ['proxy_pass 127.0.0.1:1883;', `proxy_pass 127.0.0.1:${parts.mqtt};`],
  ]);
  await copyWith(join(SHIPPED, 'chargehand-links.conf'), join(folder, 'chargehand-links.conf'), [
    ['listen 2222;', `listen 127.0.0.1:${links};`],
    ['proxy_pass 127.0.0.1:2223;', `proxy_pass 127.0.0.1:${parts.links};`],
  ]);
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `  ${name}_temp_path ${folder}/${name};`,
  );
  const main = [
    ...[`load_module ${tools().streamModule};`, 'daemon off;', `pid ${folder}/nginx.pid;`, 'error_log stderr warn;'],
    ...(NOBODY.uid === undefined ? [] : ['user root;']),
    ...['events {}', 'http {', ...temporary, '  access_log off;', '  include conf.d/*.conf;', '}'],
    'include chargehand-stream.conf;',
  ];
  await writeFile(join(folder, 'nginx.conf'), `${main.join('\n')}\n`);
  const run = () => spawn(tools().nginx, ['-p', folder, '-c', 'nginx.conf'], { env: environment() });
  const isReady = async () => (await fetch(`http://127.0.0.1:${http}/`, { redirect: 'manual' })).status === 301;
  return { ...service(run, isReady, 'SIGQUIT'), https, http, mqtts, links };
}

async function copyWith(from: string, to: string, replacements: [string, string][]): Promise<void> {
  let text = await readFile(from, 'utf8');
  for (const [old, replacement] of replacements) {
    if (!text.includes(old)) throw new Error(`${from} has no "${old}"`);
    text = text.replaceAll(old, replacement);
  }
  await writeFile(to, text);
}

/** A program that runs until it is stopped. */
export function service(run: () => ChildProcess, isReady: () => Promise<boolean>, signal: NodeJS.Signals): Service {
  let running: ChildProcess | null = null;
  let log = '';
  const end = async (name: NodeJS.Signals) => {
    if (!running || running.exitCode !== null) return;
    const ended = once(running, 'exit');
    running.kill(name);
    await ended;
    running = null;
  };
  return {
    async start() {
      const child = run();
      running = child;
      for (const stream of [child.stdout, child.stderr]) {
        stream?.setEncoding('utf8').on('data', (text: string) => {
          log += text;
        });
      }
      const ready = async () => {
        if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended:\n${log}`);
        return isReady().catch(() => false);
      };
      await eventually(ready, (value) => value, { what: `${child.spawnfile} to be ready` });
    },
    stop: () => end(signal),
    kill: () => end('SIGKILL'),
    signal: (name) => void running?.kill(name),
    log: () => log,
  };
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } finally {
    await client.end().catch(() => undefined);
  }
}
