import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectDatabase } from '../../apps/server/src/platform/database/connect.ts';
import { startEmbeddedPostgres } from '../../apps/server/src/platform/database/embedded/embedded.ts';
import { migrate } from '../../apps/server/src/platform/database/migrate.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';

export interface Bench {
  /** Starts a server of this folder in a separate process; with '' as database, without one. */
  start(file: string, database?: 'floor' | 'product' | ''): Promise<BenchServer>;
  /** the URLs of the databases */
  urls: { floor: string; product: string };
  /** Queries the product's database. */
  query<Row extends object>(text: string): Promise<{ rows: Row[] }>;
  /** CPU seconds used by the database. */
  databaseCpu(): number;
  /** Bytes of WAL that the database has written. */
  walBytes(): Promise<number>;
  stop(): Promise<void>;
}

export interface BenchServer {
  url: string;
  pid: number;
  /** Runs a garbage collection, so that memory can be compared. */
  collect(): Promise<void>;
  stop(): Promise<void>;
}

/** A durable PostgreSQL with one database for the floor and one for the product, the latter with `devices` devices. */
export async function startBench(devices: number): Promise<Bench> {
  const folder = await mkdtemp(join(tmpdir(), 'chargehand-bench-'));
  const postgres = await startEmbeddedPostgres({ folder, log: createLog('warn') });
  const urls = { floor: databaseUrl(postgres.url, 'floor'), product: databaseUrl(postgres.url, 'product'), '': '' };
  await onDatabase(postgres.url, async (query) => {
    await query('create database floor');
    await query('create database product');
  });
  const { pool, close } = connectDatabase(urls.product, { max: 1, statementTimeout: 0 });
  await migrate(pool);
  await pool.query(FLEET, [devices]);
  await close();
  async function query<Row extends object>(text: string): Promise<{ rows: Row[] }> {
    const database = connectDatabase(urls.product, { max: 1, statementTimeout: 0 });
    const { rows } = await database.pool.query<Row>(text);
    await database.close();
    return { rows };
  }
  return {
    async start(file, database = file.startsWith('floor') ? 'floor' : 'product') {
      const child = fork(join(import.meta.dirname, file), {
        env: { ...process.env, DATABASE_URL: urls[database] },
        execArgv: ['--expose-gc', ...profiling(file)],
      });
      const died = once(child, 'exit').then(() => Promise.reject(new Error(`${file} ended before it was ready`)));
      const [{ port }] = (await Promise.race([once(child, 'message'), died])) as [{ port: number }];
      // From here on the caller handles the exit; the rejection is no longer needed.
      died.catch(() => undefined);
      return {
        url: `ws://127.0.0.1:${port}/ocpp`,
        pid: child.pid ?? 0,
        collect: () => collect(child),
        stop: () => end(child),
      };
    },
    urls,
    query,
    async walBytes() {
      const { rows } = await query<{ bytes: number }>(`select pg_current_wal_insert_lsn() - '0/0' as bytes`);
      return Number(rows[0]?.bytes);
    },
    databaseCpu: () => cpuSeconds(postgres.pid() ?? 0),
    async stop() {
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

const FLEET = `with c as (insert into customers (code, name) values ('bench', 'Bench') returning id),
  s as (insert into sites (customer_id, code, name) select id, 'bench', 'Bench' from c returning id, customer_id),
  m as (insert into device_models (name, type) values ('Bench', 1) returning id),
  d as (insert into devices (sn, name, site_id, customer_id, device_model_id)
    select 'BENCH-' || lpad(n::text, 6, '0'), 'Bench ' || n, s.id, s.customer_id, m.id from s, m, generate_series(1, $1) n returning id)
  insert into device_states (device_id) select id from d`;

function databaseUrl(url: string, name: string): string {
  const own = new URL(url);
  own.pathname = `/${name}`;
  return own.href;
}

async function onDatabase(url: string, work: (query: (text: string) => Promise<unknown>) => Promise<void>) {
  const { pool, close } = connectDatabase(url, { max: 1 });
  await work((text) => pool.query(text));
  await close();
}

/** With the environment variable `BENCH_PROFILE`, the CPU profile of the product is written to that folder. */
function profiling(file: string): string[] {
  const folder = process.env.BENCH_PROFILE;
  return folder && file.startsWith('product') ? ['--cpu-prof', `--cpu-prof-dir=${folder}`] : [];
}

async function collect(child: ChildProcess): Promise<void> {
  const done = once(child, 'message');
  child.send('collect');
  await done;
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill(process.env.BENCH_PROFILE ? 'SIGINT' : 'SIGKILL');
  await ended;
}

/** Resident memory of a process in bytes. */
export function residentBytes(pid: number): number {
  const line = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(line?.[1] ?? Number.NaN) * 1_024;
}

/** CPU seconds used by a process and its children, including ended ones (Linux counts in hundredths). */
export function cpuSeconds(pid: number): number {
  let ticks = 0;
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const fields = statOf(entry);
    if (!fields) continue;
    if (Number(entry) === pid) ticks += fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    else if (Number(fields[1]) === pid) ticks += Number(fields[11]) + Number(fields[12]);
  }
  return ticks / 100;
}

/** The fields of a process starting with its state, or null when it has ended. */
function statOf(pid: string): string[] | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    // It ended after the folder was read. Ended processes are counted with their parent.
    return null;
  }
}
