import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database/database.ts';
import { hold, killAt } from '../../../testing/faults/kill-at.ts';
import { receivedFrames } from '../../../testing/faults/stored-frames.ts';
import { seedWorld, type World } from '../../../testing/world.ts';

/** One full batch, and rows that wait for the next one. */
const FRAMES = 300;

let database: TestDatabase;
let world: World;
beforeAll(async () => {
  database = await createTestDatabase({ max: 4 });
  world = await seedWorld(database.db);
});
afterAll(() => database.drop());

/** A process that packs frames as the server does, without its pause before the first time. */
function startPacker(): { kill(): Promise<void>; ended: Promise<unknown> } {
  const path = (file: string) => JSON.stringify(new URL(file, import.meta.url).href);
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '--eval',
      `import { systemClock } from ${path('../../../platform/clock.ts')};
       import { connectDatabase } from ${path('../../../platform/database/connect.ts')};
       import { createLog } from ${path('../../../platform/log.ts')};
       import { framePacker } from ${path('./packer.ts')};
       const database = connectDatabase(process.env.DATABASE_URL, { max: 2 });
       const packer = framePacker({ db: database.db, clock: systemClock, log: createLog('warn') });
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

/** The message IDs of the stored frames, packed or not, in their order. */
async function stored(): Promise<(string | null)[]> {
  const frames = await receivedFrames(database.pool);
  return frames.map(({ messageId }) => messageId).sort((one, other) => Number(one) - Number(other));
}

async function packed(): Promise<number> {
  const { rows } = await database.pool.query<{ frames: number }>(
    'select coalesce(sum(frames), 0)::int as frames from frame_batches',
  );
  return rows[0]!.frames;
}

test('a kill between the rows and the batch loses no frame and stores none twice', async () => {
  const all = Array.from({ length: FRAMES }, (_, index) => String(index + 1));
  await database.pool.query(
    `insert into protocol_frames (device_id, at, type, action, message_id, body, bytes)
     select $1, now(), 2, 'Heartbeat', n::text, '[2,"' || n || '","Heartbeat",{}]', 25 from generate_series(1, $2::int) as n`,
    [world.devices.northQuay1.id, FRAMES],
  );

  // The rows are read, and the batch is not written yet.
  let release = await hold(database, 'lock table frame_batches in exclusive mode');
  await killAt(database, startPacker(), 'insert into frame_batches', release);
  expect([await packed(), await stored()]).toEqual([0, all]);

  // The batch is written, and the rows are not removed yet.
  release = await hold(database, 'lock table protocol_frames in share mode');
  await killAt(database, startPacker(), 'delete from protocol_frames', release);
  expect([await packed(), await stored()]).toEqual([0, all]);

  expect(await startPacker().ended).toEqual([0, null]);
  expect([await packed(), await stored()]).toEqual([256, all]);
}, 200_000);
