import { ENDPOINTS, type EventsMessage, issueEndpoints } from '@chargehand/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newAlarm } from '../testing/cases/alarms.ts';
import { fresh } from '../testing/cases/ground.ts';
import type { Client } from '../testing/client.ts';
import { type EventStream, openStream } from '../testing/event-stream.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

const { createSiteIssue, createAlarmIssue, commentIssue, editIssueComment, mergeIssue } = issueEndpoints;

let server: TestServer;
let root: Client;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  root = await server.as('root');
});
afterAll(() => server.stop());

const query = async (words: string, values: unknown[] = []) => (await server.database.pool.query(words, values)).rows;
const words = (text: string) => ({
  type: 'doc' as const,
  content: [{ type: 'paragraph' as const, content: [{ type: 'text' as const, text }] }],
});

async function report(site: 'northQuay' | 'northMill'): Promise<number> {
  const body = { title: fresh('Issue'), type: 1 } as const;
  return (await root.data(createSiteIssue, { params: { id: server.world.sites[site] }, body })).id;
}
/** Opens a stream, and skips the events of what happened before. */
async function watch(person: 'northAdmin' | 'northAssigned'): Promise<EventStream> {
  const stream = await openStream(await server.as(person), ENDPOINTS.stream.path);
  await stream.next();
  const id = await report('northQuay');
  for (;;) if ((await nextEntries(stream)).some(([issue]) => issue === id)) return stream;
}
/** The issues of the next event about timelines, with what it carries. */
async function nextEntries(stream: EventStream): Promise<[number, unknown][]> {
  for (;;) {
    const { data } = await stream.next();
    const entries = (data as EventsMessage)['issue.entries'];
    if (entries) return entries.toSorted(([one], [other]) => one - other);
  }
}

test('an open timeline learns of comments, edits and what happens to the alarm, and other places do not', async () => {
  const mill = await report('northMill');
  const quay = await report('northQuay');
  const alarm = await newAlarm({ world: server.world, db: server.database.db }, 'northMill');
  const { id: ofAlarm } = await root.data(createAlarmIssue, { params: { id: alarm }, body: { title: 'A', type: 1 } });
  const assigned = await watch('northAssigned');
  const admin = await watch('northAdmin');
  const body = { body: words('Only for us'), internal: true };
  const { id: entryId } = await root.data(commentIssue, { params: { id: mill }, body });
  // No text, so that nobody receives what they may not read.
  expect(await nextEntries(admin)).toEqual([[mill, null]]);
  await root.data(editIssueComment, { params: { id: mill, entryId }, body: { body: words('Only for you') } });
  expect(await nextEntries(admin)).toEqual([[mill, null]]);
  await query('update alarms set cleared_at = now() where id = $1', [alarm]);
  expect(await nextEntries(admin)).toEqual([[ofAlarm, null]]);
  await root.data(commentIssue, { params: { id: quay }, body: { body: words('Here') } });
  const received: number[] = [];
  while (!received.includes(quay)) received.push(...(await nextEntries(assigned)).map(([id]) => id));
  expect(received).not.toContain(mill);
  expect(received).not.toContain(ofAlarm);
  await Promise.all([admin.close(), assigned.close()]);
});

test('an entry of a merged issue concerns the issue that shows it', async () => {
  const [duplicate, original] = [await report('northMill'), await report('northMill')] as const;
  await root.data(mergeIssue, { params: { id: duplicate }, body: { issueId: original } });
  const admin = await watch('northAdmin');
  await query(`insert into issue_entries (issue_id, event, data) values ($1, 'alarmRaised', '{}')`, [duplicate]);
  expect(await nextEntries(admin)).toEqual([
    [duplicate, null],
    [original, null],
  ]);
  await admin.close();
});

test('what was added while the connection to the database was lost is announced afterwards', async () => {
  const id = await report('northMill');
  const admin = await watch('northAdmin');
  await query(`begin; select pg_terminate_backend(pid) from pg_stat_activity
                where query like 'listen %' and datname = current_database();
               insert into issue_entries (issue_id, event, data) values (${id}, 'alarmRaised', '{}'); commit`);
  expect((await nextEntries(admin)).map(([issue]) => issue)).toContain(id);
  await admin.close();
});
