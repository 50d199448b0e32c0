import { existsSync } from 'node:fs';
import { open, statfs } from 'node:fs/promises';
import { arch, cpus, freemem, release, totalmem } from 'node:os';
import { join } from 'node:path';
import { maskText } from '@chargehand/domain';
import type pg from 'pg';
import { SECRET_SETTINGS, SETTINGS } from '../platform/config/settings.ts';
import { type ZipPart, zipStream } from '../platform/zip/zip-stream.ts';

/** What a support bundle is made from. A part whose source fails contains the reason. */
export interface BundleSources {
  /** of the product */
  version: string;
  environment: Readonly<Record<string, string | undefined>>;
  dataFolder: string;
  /** null if the database cannot be reached */
  pool: Pick<pg.Pool, 'query'> | null;
  now: Date;
  /** only the running server knows these */
  running?: { metrics(): Promise<string>; problems(): Promise<unknown>; log(): readonly string[] };
}

/** The end of the log of the embedded database that a bundle contains. Bytes. */
const LOG_BYTES = 500_000;
/** Shorter values are words that occur anywhere. */
const SHORTEST_SECRET = 8;
const ERRORS = 300;

const README = `Support bundle of Chargehand

about.json     versions, machine, time
settings.json  settings; secret values are left out
tables.json    estimated rows and sizes of the tables
backups.json   the last backups
errors.json    groups of the error log
health.json    problems, free space
metrics.txt    metrics of the server, if it was running
log.jsonl      its last warnings and errors
postgres.log   the end of the log of the embedded database

Passwords, keys, tokens, queries of URLs and names in mail addresses are replaced by ***. The bundle contains no readings,
frames, documents or pictures.
`;

/** A ZIP archive for the support, without secrets. */
export async function* supportBundle(sources: BundleSources): AsyncGenerator<Buffer> {
  const secrets = await secretsOf(sources);
  const parts: [string, () => Promise<string>][] = [
    ['README.txt', async () => README],
    ['about.json', () => json(about(sources))],
    ['settings.json', () => json(settingsOf(sources.environment))],
    ['health.json', () => json(health(sources))],
    ['tables.json', () => json(rowsOf(sources, TABLES))],
    ['backups.json', () => json(rowsOf(sources, BACKUPS))],
    ['errors.json', () => json(rowsOf(sources, ERROR_GROUPS))],
    ['metrics.txt', async () => (await sources.running?.metrics()) ?? 'The server was not asked.\n'],
    ['log.jsonl', async () => sources.running?.log().join('\n') ?? ''],
    ['postgres.log', () => databaseLog(sources.dataFolder)],
  ];
  async function* written(): AsyncGenerator<ZipPart> {
    for (const [path, read] of parts) {
      const content = await read().catch((error: Error) => `This part could not be read: ${error.message}\n`);
      yield { path, content: [withoutSecrets(content, secrets)] };
    }
  }
  yield* zipStream(written());
}

const TABLES = `
  select c.relname as name, c.reltuples::bigint as rows, pg_total_relation_size(c.oid) as bytes
    from pg_class c where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace order by 3 desc`;
const BACKUPS = 'select * from backups order by ended_at desc limit 30';
const ERROR_GROUPS = `select * from error_groups order by last_at desc limit ${ERRORS}`;

/** Texts are masked before they are quoted, because quotes and escapes would hide what is secret. */
async function json(value: Promise<unknown> | unknown): Promise<string> {
  const masked = (_: string, part: unknown) => (typeof part === 'string' ? maskText(part) : part);
  return `${JSON.stringify(await value, masked, 2)}\n`;
}

async function rowsOf({ pool }: BundleSources, query: string): Promise<unknown> {
  return pool ? (await pool.query(query)).rows : 'The database cannot be reached.';
}

async function about(sources: BundleSources): Promise<unknown> {
  const { version, now } = sources;
  const database = await rowsOf(
    sources,
    `select version() as postgres, now() as time, pg_database_size(current_database()) as bytes,
            (select max(name) from migrations) as schema`,
  ).catch((error: Error) => error.message);
  const machine = { platform: process.platform, arch: arch(), release: release(), cpus: cpus().length };
  const memory = { total: totalmem(), free: freemem(), process: process.memoryUsage().rss };
  return { createdAt: now, version, node: process.versions.node, machine, memory, database };
}

/** The settings that are set, without secret values. */
function settingsOf(environment: BundleSources['environment']): Record<string, string> {
  const found: Record<string, string> = {};
  for (const name of Object.keys(SETTINGS)) {
    const value = environment[name]?.trim();
    if (value) found[name] = SECRET_SETTINGS.has(name) ? '***' : maskText(value);
  }
  return found;
}

async function health({ dataFolder, running }: BundleSources): Promise<unknown> {
  const { bavail, blocks, bsize } = await statfs(dataFolder);
  const problems = (await running?.problems()) ?? 'The server was not asked.';
  return { problems, dataFolder: { freeBytes: bavail * bsize, totalBytes: blocks * bsize } };
}

/** The lines of the log of the embedded database that contain no values of rows. */
async function databaseLog(dataFolder: string): Promise<string> {
  const path = join(dataFolder, 'postgres.log');
  if (!existsSync(path)) return 'There is no embedded database.\n';
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const start = Math.max(0, size - LOG_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(LOG_BYTES), 0, LOG_BYTES, start);
    return buffer
      .toString('utf8', 0, bytesRead)
      .split('\n')
      .filter((line) => /\b(LOG|WARNING|ERROR|FATAL|PANIC): {2}/.test(line))
      .map((line) =>
        maskText(line).replaceAll(/"[^"]*"/g, (quoted) => (/^"[a-z0-9_]+"$/.test(quoted) ? quoted : '"***"')),
      )
      .join('\n');
  } finally {
    await file.close();
  }
}

/** Secrets whose values are known, which must be nowhere, whatever a text looks like. */
async function secretsOf({ environment, pool, dataFolder }: BundleSources): Promise<string[]> {
  const secrets = new Set<string>();
  for (const name of SECRET_SETTINGS) {
    const value = environment[name]?.trim() ?? '';
    secrets.add(value);
    if (URL.canParse(value))
      for (const part of [new URL(value).password]) secrets.add(part).add(decodeURIComponent(part));
  }
  const password = await open(join(dataFolder, 'postgres.password'), 'r').catch(() => null);
  secrets.add((await password?.readFile('utf8'))?.trim() ?? '');
  await password?.close();
  const stored = await pool?.query<{ value: string }>('select value from server_secrets').catch(() => null);
  for (const { value } of stored?.rows ?? []) secrets.add(value);
  return [...secrets].filter((secret) => secret.length >= SHORTEST_SECRET);
}

function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((masked, secret) => masked.replaceAll(secret, '***'), text);
}
