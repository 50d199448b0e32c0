import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { unpackReadings } from '../../ports/readings/packed-readings.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database/database.ts';
import { hold, killAt } from '../../testing/faults/kill-at.ts';

/** Readings of one hour, some hours ago. */
const READINGS = 300;
const DEVICE = 7;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase({ max: 4 });
});
afterAll(() => database.drop());

/** A process that packs readings as the server does, without its pause before the first time. */
function startPacker(): { kill(): Promise<void>; ended: Promise<unknown> } {
  const path = (file: string) => JSON.stringify(new URL(file, import.meta.url).href);
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { systemClock } from ${path('../../platform/clock.ts')};
       import { connectDatabase } from ${path('../../platform/database/connect.ts')};
       import { createLog } from ${path('../../platform/log.ts')};
       import { readingPacker } from ${path('./packer.ts')};
       const database = connectDatabase(process.env.DATABASE_URL, { max: 2 });
       const packer = readingPacker({ db: database.db, clock: systemClock, log: createLog('warn') });
       await packer.start();
       await packer.stop();
       await database.close();`,
    ],
    { env: { ...process.env, DATABASE_URL: database.url }, stdio: ['ignore', 'inherit', 'inherit'] },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  return {
    ended,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** The values of the stored readings, and how many of them are packed. */
async function stored(): Promise<{ packed: number; values: number[] }> {
  const { rows } = await database.pool.query<{ value: number }>('select analog[1] as value from readings');
  const { rows: batches } = await database.pool.query<{ data: Buffer }>('select data from reading_batches');
  const packed = (await Promise.all(batches.map(({ data }) => unpackReadings(data)))).flat();
  const values = [...rows.map(({ value }) => value), ...packed.map(({ analog }) => analog[0]!)];
  return { packed: packed.length, values: values.sort((one, other) => one - other) };
}

test('a kill between the rows and the batch loses no reading and stores none twice', async () => {
  const all = Array.from({ length: READINGS }, (_, index) => index + 1);
  await database.pool.query(
    `insert into readings (device_id, connector, at, received_at, layout_id, analog, counters)
     select $1, 1, t, t, 1, array[n]::real[], '{}'
       from generate_series(1, $2::int) n, lateral (select date_trunc('hour', now()) - interval '5 hours' + n * interval '10 seconds' as t) at`,
    [DEVICE, READINGS],
  );

  // The rows are removed, and the batch is not written yet.
  let release = await hold(database, 'lock table reading_batches in exclusive mode');
  await killAt(database, startPacker(), 'reading_batches', release);
  expect(await stored()).toEqual({ packed: 0, values: all });

  // Nothing is removed yet.
  release = await hold(database, 'lock table readings in share mode');
  await killAt(database, startPacker(), 'delete from readings', release);
  expect(await stored()).toEqual({ packed: 0, values: all });

  expect(await startPacker().ended).toEqual([0, null]);
  expect(await stored()).toEqual({ packed: READINGS, values: all });
}, 200_000);
