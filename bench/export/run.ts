// An export of 100,000 devices as a spreadsheet: the growth of the server's memory during the export, and rows per
// second compared with a bare loop that writes the same cells with the same writer from memory. Prints both; the goal
// is a growth below 100 MB.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { get } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Cell, xlsxOf } from '../../apps/server/src/platform/xlsx/xlsx.ts';
import { DEVICES, fillFleet } from '../device-list/fleet-of-100000.ts';
import { startDatabase } from '../side-by-side.ts';

const LIMIT_MB = 100;
const RUNS = 3;
const BATCH = 1_000;
const SAMPLE_MS = 20;

const base = await startDatabase();
const target = join(base.folder, 'devices.xlsx');
const server = fork(join(import.meta.dirname, 'server.ts'), [base.url, base.folder], {
  execArgv: ['--expose-gc'],
  stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
});
try {
  const [{ url }] = (await once(server, 'message')) as [{ url: string }];
  const { root } = await fillFleet(base.database.pool);
  const cookie = await base.cookieOf(root);
  const path = `${url}/api/auth/sys/devices/export`;
  // The first export warms up the caches for the later ones.
  await exported(path, cookie);

  let growth = 0;
  const ours: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const rest = await rssOf(server, 'rest');
    const from = performance.now();
    const peak = await peakWhile(server, exported(path, cookie));
    ours.push(performance.now() - from);
    growth = Math.max(growth, peak - rest);
  }
  const bytes = (await readFile(target)).length;
  const bare: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const from = performance.now();
    await pipeline(xlsxOf(sheetInMemory()), createWriteStream(target));
    bare.push(performance.now() - from);
  }
  const perSecond = (times: number[]) => (DEVICES / Math.min(...times)) * 1_000;
  const number = (value: number) => Math.round(value).toLocaleString('en');
  const grown = growth / 1024 / 1024;
  console.log(`export of ${number(DEVICES)} devices, ${(bytes / 1024 / 1024).toFixed(1)} MB of .xlsx`);
  console.log(
    `  rows per second: product ${number(perSecond(ours))}, bare writer ${number(perSecond(bare))}, ratio ${(perSecond(ours) / perSecond(bare)).toFixed(2)}`,
  );
  const kept = grown < LIMIT_MB;
  console.log(
    `  peak memory grows by ${grown.toFixed(0)} MB, ${(grown / LIMIT_MB).toFixed(2)} times the limit of ${LIMIT_MB} MB: ${kept ? 'kept' : 'MISSED'}`,
  );
  if (!kept) process.exitCode = 1;
} finally {
  server.kill('SIGTERM');
  await once(server, 'exit');
  await rm(target, { force: true });
  await base.stop();
}

/** Downloads the file to disk. @throws when the server rejects the request */
async function exported(url: string, cookie: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    get(url, { headers: { cookie } }, (response) => {
      if (/json/.test(response.headers['content-type'] ?? '')) reject(new Error('the export was rejected'));
      else pipeline(response, createWriteStream(target)).then(resolve, reject);
    }).on('error', reject);
  });
}

async function rssOf(child: ChildProcess, wish: 'rest' | 'now'): Promise<number> {
  child.send(wish);
  const [{ rss }] = (await once(child, 'message')) as [{ rss: number }];
  return rss;
}

/** The peak memory of a process during a task. */
async function peakWhile(child: ChildProcess, work: Promise<void>): Promise<number> {
  let peak = 0;
  let running = true;
  const done = work.finally(() => {
    running = false;
  });
  while (running) {
    peak = Math.max(peak, await rssOf(child, 'now'));
    await new Promise((resolve) => setTimeout(resolve, SAMPLE_MS));
  }
  await done;
  return peak;
}

/** A sheet with the same number of rows and cells as the export, generated in memory. */
function sheetInMemory() {
  const columns = Array.from({ length: 12 }, (_, index) => ({ heading: `Column ${index}`, width: 20 }));
  async function* rows(): AsyncGenerator<Cell[][]> {
    for (let from = 0; from < DEVICES; from += BATCH) {
      yield Array.from({ length: BATCH }, (_, index) => {
        const n = from + index;
        const site = `站点 Site ${n % 1_000}`;
        const since = new Date(1_700_000_000_000 + n * 1_000);
        return [`CP${n}`, `${site} ${n}`, 'Idle', since, 0, null, site, 'Customer 7', 'Model 3', 'V2G', 'v1.3', since];
      });
    }
  }
  return { name: 'Devices', columns, rows: rows() };
}
