// An import of 100,000 tokens with all columns: the growth of the server's memory (goal: below 200 MB), the longest
// time for which its event loop was blocked (goal: below 50 ms), and the seconds. `--rows N` makes it smaller.
import { ENDPOINTS } from '@chargehand/contract';
import { client, openSession } from '../../apps/server/src/testing/client.ts';
import { sheetOf } from '../../apps/server/src/testing/files/xlsx.ts';
import { startProgram } from '../../apps/server/src/testing/program.ts';
import { seedWorld } from '../../apps/server/src/testing/world.ts';
import { startDatabase } from '../side-by-side.ts';

const at = process.argv.indexOf('--rows');
const ROWS = at < 0 ? 100_000 : Number(process.argv[at + 1]);
const LIMIT_MB = 200;
const STALL_MS = 50;
const { importTokens, listTokenImports } = ENDPOINTS;

const base = await startDatabase();
const { db } = base.database;
const world = await seedWorld(db);
const headings = ['Value', 'Type', 'Group', 'Holder', 'Note', 'Valid from', 'Valid until', 'Blocked', 'Sites'];
const rows = Array.from({ length: ROWS }, (_, n) => [
  ...[`04BENCH${n}`, 'ISO14443', `FLEET-${n % 50}`, `Holder number ${n}`, 'Delivered with the second batch'],
  // Every hundredth row is skipped.
  ...['2026-01-01', n % 100 === 0 ? 'soon' : '2030-12-31', n % 20 === 0 ? 'yes' : 'no', 'northQuay'],
]);
const content = (await sheetOf(headings, rows)).toString('base64');
const program = await startProgram(
  { PORT: '19792', HOST: '127.0.0.1', DATABASE_URL: base.url, CHARGEHAND_DATA: base.folder },
  { meter: true },
);
let missed = false;
try {
  const admin = client(program.url, await openSession(db, world.users.northAdmin));
  // The first import loads the code.
  const run = async (body: string) => {
    const { customers } = world;
    // Without the time limit of a test client.
    const answer = await admin.fetch(importTokens.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ customerId: customers.north, fileName: 'tokens.xlsx', content: body }),
    });
    if (!answer.ok) throw new Error(await answer.text());
    for (;;) {
      const [last] = (await admin.data(listTokenImports, { query: {} })).items;
      if (last && last.state !== 'running') return last;
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  };
  await run((await sheetOf(headings, rows.slice(0, 100))).toString('base64'));
  await program.stalls();
  const from = performance.now();
  let result: Awaited<ReturnType<typeof run>> | undefined;
  const { before, peak } = await program.memoryDuring(async () => {
    result = await run(content);
  });
  const { longest, p99 } = await program.stalls();
  const grown = (peak - before) / 1024 / 1024;
  const { state, added, changed, unchanged, skipped } = result!;
  console.log(`import of ${ROWS} rows in ${((performance.now() - from) / 1_000).toFixed(0)} s: ${state}`);
  console.log(`  added ${added}, changed ${changed}, unchanged ${unchanged}, skipped ${skipped}`);
  console.log(`  memory grows by ${grown.toFixed(0)} MB (goal: below ${LIMIT_MB})`);
  console.log(
    `  event loop blocked: longest ${longest.toFixed(1)} ms (goal: below ${STALL_MS}), p99 ${p99.toFixed(1)} ms`,
  );
  missed = grown >= LIMIT_MB || longest >= STALL_MS;
} finally {
  await program.stop();
  await base.stop();
}
process.exit(missed ? 1 : 0);
