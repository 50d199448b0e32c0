import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { secretBox } from '../../platform/secret-box.ts';
import { eventually } from '../../testing/eventually.ts';
import { newLink } from '../../testing/links/link-cases.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { castOf, startRecorder } from './recorder.ts';
import { listRecordings } from './recordings.store.ts';

const box = secretBox(Buffer.alloc(32, 1).toString('base64'));
let server: TestServer;
let linkId: number;

beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  linkId = await newLink({ db: server.database.db, world: server.world }, 'northQuay');
});
afterAll(() => server.stop());

const start = (fullOutputBytes?: number) =>
  startRecorder(
    { db: server.database.db, clock: systemClock, box },
    { linkId, userName: 'admin', cols: 80, rows: 24 },
    (error) => {
      throw error;
    },
    fullOutputBytes,
  );

/** The events of the latest recording without their times. */
async function stored(): Promise<[kind: string, text: string][]> {
  const recording = (await listRecordings(server.database.db, linkId)).at(-1)!;
  let file = '';
  for await (const part of castOf({ db: server.database.db, box }, recording, 'output')) file += part;
  const [, ...lines] = file.trim().split('\n');
  return lines.map((line) => JSON.parse(line).slice(1));
}

test('output beyond the limit is recorded in a compact form: its end, and how much was left out', async () => {
  const recorder = await start(100);
  recorder.output(Buffer.alloc(100, 'a'));
  recorder.output(Buffer.alloc(3_000, 'b'));
  recorder.output(Buffer.alloc(10_000, 'c'));
  recorder.output(Buffer.from('last'));
  await recorder.end('exited');
  expect(await stored()).toEqual([
    ['o', 'a'.repeat(100)],
    ['m', 'left out: 8908'],
    ['o', `${'c'.repeat(4_092)}last`],
  ]);
});

test('a recording that never ended, as after kill -9, can be read up to the last second', async () => {
  const recorder = await start();
  recorder.output(Buffer.from('before'));
  const events = await eventually(stored, ({ length }) => length > 0);
  expect(events).toEqual([['o', 'before']]);
  const recording = (await listRecordings(server.database.db, linkId)).at(-1);
  expect(recording).toMatchObject({ endedAt: null, end: null });
  await recorder.end('closed');
});
