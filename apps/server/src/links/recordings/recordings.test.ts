import { randomBytes } from 'node:crypto';
import { CODES, linkEndpoints } from '@chargehand/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { secretBox } from '../../platform/secret-box.ts';
import { newIssue } from '../../testing/cases/issues/issues.ts';
import type { Client } from '../../testing/client.ts';
import { type SteppedClock, steppedClock } from '../../testing/clock.ts';
import { newLink } from '../../testing/links/link-cases.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { writeActivity } from '../activity/activity.store.ts';
import { castOf, isUnchanged, type Recorder, startRecorder } from '../terminal/recorder.ts';
import { findRecording } from '../terminal/recordings.store.ts';
import { deletePastContents } from './past.store.ts';
import { sealer as sealerOf } from './seal.ts';

const key = randomBytes(32).toString('base64');
const box = secretBox(key);
const sealer = sealerOf(key);

let server: TestServer;
let root: Client;
let linkId: number;
let clock: SteppedClock;
const failures: Error[] = [];

beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  root = await server.as('root');
});
beforeEach(async () => {
  failures.length = 0;
  clock = steppedClock();
  linkId = await newLink({ db: server.database.db, world: server.world }, 'northQuay');
});
afterAll(() => server.stop());

const query = (text: string, values: unknown[] = []) => server.database.pool.query(text, values);

async function record(fullBytes?: number): Promise<{ recorder: Recorder; id: number }> {
  const of = { linkId, userName: 'admin', cols: 80, rows: 24 };
  const parts = { db: server.database.db, clock, box, sealer, ...(fullBytes === undefined ? {} : { fullBytes }) };
  const recorder = await startRecorder(parts, of, (error) => failures.push(error));
  const { rows } = await query('select id from link_recordings where link_id = $1', [linkId]);
  return { recorder, id: rows[0].id };
}

const found = async (id: number) => (await findRecording(server.database.db, linkId, id))!;
const unchanged = async (id: number) => isUnchanged({ db: server.database.db, sealer }, linkId, await found(id));

async function eventsOf(id: number): Promise<string[]> {
  let text = '';
  for await (const lines of castOf({ db: server.database.db, box }, await found(id), 'output')) text += lines;
  const [, ...lines] = text.trim().split('\n');
  return lines.map((line) => JSON.parse(line)).map(([, kind, data]) => `${kind}:${data}`);
}

test('a recording that has not ended is complete up to the last second, and sealed', async () => {
  const { recorder, id } = await record();
  recorder.output(Buffer.from('one'));
  await clock.advance(1_000);
  recorder.output(Buffer.from('two'));
  // The second is not over: the server is killed here.
  await expect.poll(() => eventsOf(id)).toEqual(['o:one']);
  expect(await unchanged(id)).toBe(true);
  await recorder.end('closed');
  expect(await eventsOf(id)).toEqual(['o:one', 'o:two']);
  expect(await unchanged(id)).toBe(true);
  expect(failures).toEqual([]);
});

test.each([
  ['changed output', `update link_recording_parts set output = '\\x00' where recording_id = $1 and number = 1`],
  ['changed input', `update link_recording_parts set input = null where recording_id = $1 and number = 2`],
  ['a removed part', `delete from link_recording_parts where recording_id = $1 and number = 2`],
  [
    'a removed part, with its count',
    `with removed as (delete from link_recording_parts where recording_id = $1 and number = 2)
      update link_recordings set parts = 1 where id = $1`,
  ],
  [
    'an added part',
    `insert into link_recording_parts select recording_id, 3, output from link_recording_parts
      where recording_id = $1 and number = 1`,
  ],
  ['another user', `update link_recordings set user_name = 'other' where id = $1`],
  ['another end', `update link_recordings set end_reason = 'exited' where id = $1`],
  ['a removed end', `update link_recordings set end_reason = null, ended_at = null where id = $1`],
])('the seal shows %s', async (_, change) => {
  const { recorder, id } = await record();
  recorder.output(Buffer.from('one'));
  await clock.advance(1_000);
  recorder.input(Buffer.from('secret'), null);
  await recorder.end('closed');
  expect(await unchanged(id)).toBe(true);
  await query(change, [id]);
  expect(await unchanged(id)).toBe(false);
});

test('beyond its full size, a recording has the beginning of each second and how much was left out', async () => {
  const { recorder, id } = await record(10);
  recorder.output(Buffer.from('0123456789'));
  recorder.output(Buffer.alloc(5_000, 'a'));
  recorder.output(Buffer.alloc(3_000, 'b'));
  await clock.advance(1_000);
  recorder.output(Buffer.from('prompt'));
  await recorder.end('closed');
  const kept = 'a'.repeat(4_096);
  expect(await eventsOf(id)).toEqual(['o:0123456789', `o:${kept}`, 'm:3904 bytes not recorded', 'o:prompt']);
});

test('the sweep removes recordings and activity in parts, and leaves those of an issue and of newer links', async () => {
  const ground = { db: server.database.db, world: server.world };
  const issue = await newIssue(ground, 'northQuay');
  const left = { old: [0, 0], issue: [3, 3], newer: [3, 3] };
  for (const [which, counts] of Object.entries(left)) {
    linkId = await newLink(ground, 'northQuay');
    const { recorder } = await record();
    for (const text of ['one', 'two', 'three']) {
      recorder.output(Buffer.from(text));
      await clock.advance(1_000);
    }
    await recorder.end('closed');
    await writeActivity(server.database.db, [activityOf(1), activityOf(2), activityOf(3)]);
    await query(
      `update links set state = 'ended', end_reason = 'expired', issue_id = $2, ended_at = now() - $3::interval
        where id = $1`,
      [linkId, which === 'issue' ? issue : null, which === 'newer' ? '89 days' : '91 days'],
    );
    const before = new Date(Date.now() - 90 * 24 * 3_600_000);
    while (await deletePastContents(server.database.db, before, 2));
    const { rows } = await query(
      `select (select count(*)::int from link_activity where link_id = $1) as activity,
              (select count(*)::int from link_recording_parts p join link_recordings r on r.id = p.recording_id
                where r.link_id = $1) as parts`,
      [linkId],
    );
    expect([which, rows[0].activity, rows[0].parts]).toEqual([which, ...counts]);
  }
});

test('the check answers for a recording of the link only', async () => {
  const { recorder, id } = await record();
  await recorder.end('closed');
  const check = (link: number, recordingId: number) =>
    root.call(linkEndpoints.checkRecording, { params: { id: link, recordingId } });
  // This recording is sealed with another key than that of the server.
  expect((await check(linkId, id)).data).toEqual({ seal: 'changed' });
  const other = await newLink({ db: server.database.db, world: server.world }, 'northQuay');
  expect((await check(other, id)).code).toBe(CODES.notFound.code);
});

function activityOf(number: number) {
  return {
    ...{ linkId, number, kind: 'request' as const, startedAt: new Date('2026-01-01T00:00:00Z'), endedAt: null },
    ...{ text: 'GET /', guest: null, result: 'done' as const, status: 200, bytesIn: 5, bytesOut: 3 },
  };
}
