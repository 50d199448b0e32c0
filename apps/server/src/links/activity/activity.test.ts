import { linkEndpoints } from '@chargehand/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import type { Client } from '../../testing/client.ts';
import { newLink } from '../../testing/links/link-cases.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { type Activity, linkActivity } from './activity.ts';

let server: TestServer;
let root: Client;
let linkId: number;
let activity: Activity;
const errors: unknown[] = [];

beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  root = await server.as('root');
});
beforeEach(async () => {
  errors.length = 0;
  linkId = await newLink({ db: server.database.db, world: server.world }, 'northQuay');
  const log = { error: (problem: object) => errors.push(problem) };
  activity = linkActivity({
    db: server.database.db,
    clock: systemClock,
    log: log as never,
    onStored: async () => undefined,
  });
});
afterAll(() => server.stop());

const listed = async (before?: number) =>
  await root.data(linkEndpoints.listLinkActivity, { params: { id: linkId }, query: before ? { before } : {} });

test('what begins is listed while it runs, and completed when it ends', async () => {
  const running = activity.begin(linkId, 'request', 'GET /a\0b\ud800');
  await activity.store();
  expect((await listed()).items).toMatchObject([{ number: 1, text: 'GET /ab\ufffd', endedAt: null, result: null }]);
  running?.end('done', { status: 200, bytesIn: 5_000_000_000, bytesOut: 3 });
  running?.end('failed');
  await activity.store();
  const done = { result: 'done', status: 200, bytesIn: 5_000_000_000, bytesOut: 3, endedAt: expect.any(String) };
  expect((await listed()).items).toMatchObject([done]);
});

test('a list has parts of 100, newest first', async () => {
  for (let count = 0; count < 150; count += 1) activity.begin(linkId, 'connection', `127.0.0.1:${count}`)?.end('done');
  await activity.store();
  const first = await listed();
  expect([first.items.length, first.items[0]?.number, first.next]).toEqual([100, 150, 51]);
  const rest = await listed(51);
  expect([rest.items.length, rest.items.at(-1)?.text, rest.next]).toEqual([50, '127.0.0.1:0', null]);
});

test('activity is found by kind and text, and exported as CSV and JSON lines; the export is logged', async () => {
  activity.begin(linkId, 'request', 'GET /Status,"now"')?.end('done', { status: 200 });
  activity.begin(linkId, 'transfer', '=cmd()')?.end('failed');
  await activity.store();
  const found = async (query: { kind?: 'transfer'; search?: string }) => {
    const { items } = await root.data(linkEndpoints.listLinkActivity, { params: { id: linkId }, query });
    return items.map(({ number }) => number);
  };
  expect([await found({ search: 'STATUS' }), await found({ kind: 'transfer' }), await found({ search: '%' })]).toEqual([
    [1],
    [2],
    [],
  ]);
  const file = async (query: string) => {
    const response = await root.fetch(`/api/auth/sys/links/${linkId}/activity/export?${query}`);
    return { type: response.headers.get('content-type'), lines: (await response.text()).trim().split('\n') };
  };
  const csv = await file('format=csv');
  expect(csv.type).toContain('text/csv');
  expect(csv.lines).toEqual([
    expect.stringContaining('number,kind,startedAt'),
    expect.stringContaining(',"GET /Status,""now""",done,200,0,0'),
    expect.stringContaining(",'=cmd(),failed,,0,0"),
  ]);
  const lines = (await file('format=jsonl&kind=transfer')).lines.map((line) => JSON.parse(line));
  expect(lines).toMatchObject([{ number: 2, text: '=cmd()', result: 'failed' }]);
  expect((await file('format=xml')).type).toContain('application/json');
  const { rows } = await server.database.pool.query(
    `select from action_logs where after->>'recording' = 'activity' and object_type = 'device'`,
  );
  expect(rows).toHaveLength(2);
});

test('activity waits for the database, and is refused when too much of it waits', async () => {
  await server.database.pool.query('alter table link_activity rename to activity_elsewhere');
  try {
    activity.begin(linkId, 'transfer', 'a.log')?.end('done');
    await activity.store();
    expect(errors).toHaveLength(1);
    let begun = 1;
    while (activity.begin(linkId, 'request', 'GET /')) begun += 1;
    expect(begun).toBe(5_000);
  } finally {
    await server.database.pool.query('alter table activity_elsewhere rename to link_activity');
  }
  await activity.store();
  expect((await listed()).items[0]?.number).toBe(5_000);
});

test('activity of a link that was removed is left out', async () => {
  await server.database.pool.query('delete from links where id = $1', [linkId]);
  activity.begin(linkId, 'request', 'GET /')?.end('done');
  await activity.store();
  expect(errors).toEqual([]);
});
