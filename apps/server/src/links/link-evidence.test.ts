import { fleetEndpoints, linkEndpoints } from '@chargehand/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { systemClock } from '../platform/clock.ts';
import { secretBox } from '../platform/secret-box.ts';
import { newIssue } from '../testing/cases/issues/issues.ts';
import type { Client } from '../testing/client.ts';
import { newLink } from '../testing/links/link-cases.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { deletePastLinks } from './links.store.ts';
import { sealer } from './recordings/seal.ts';
import { startRecorder } from './terminal/recorder.ts';

const { listLinks, listRecordings, readLink } = linkEndpoints;
const KEY = Buffer.alloc(32, 1).toString('base64');
const box = secretBox(KEY);

let server: TestServer;
let root: Client;
let admin: Client;
let linkId: number;
let deviceId: number;

beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  [root, admin] = await Promise.all([server.as('root'), server.as('northAdmin')]);
});
beforeEach(async () => {
  await server.database.pool.query('delete from links');
  linkId = await newLink({ db: server.database.db, world: server.world }, 'northQuay');
  deviceId = (await root.data(readLink, { params: { id: linkId } })).device.id!;
});
afterAll(() => server.stop());

/** A link that ended a year ago, with a recording. */
async function pastLink(): Promise<number> {
  const { db, pool } = server.database;
  const of = { linkId, userName: 'admin', cols: 80, rows: 24 };
  const recorder = await startRecorder({ db, clock: systemClock, box, sealer: sealer(KEY) }, of, (error) => {
    throw error;
  });
  recorder.output(Buffer.from('evidence'));
  await recorder.end('exited');
  await pool.query(
    `update links set state = 'ended', end_reason = 'expired', ended_at = now() - interval '1 year',
            control_level = (select control_level from device_models m join devices d on d.device_model_id = m.id
                              where d.id = links.device_id)
      where id = $1`,
    [linkId],
  );
  return (await root.data(listRecordings, { params: { id: linkId } })).items[0]!.id;
}

const swept = () => deletePastLinks(server.database.db, new Date(), 100);

test('the links of an issue are kept as long as the issue, others are removed when their time is over', async () => {
  await pastLink();
  const issueId = await newIssue({ db: server.database.db, world: server.world }, 'northQuay');
  await server.database.pool.query('update links set issue_id = $1', [issueId]);
  expect(await swept()).toBe(0);
  await server.database.pool.query('delete from issues');
  expect(await swept()).toBe(1);
});

test('a recording can be read after its device was removed, by users who may use such links', async () => {
  const recordingId = await pastLink();
  const read = async () =>
    await (await admin.fetch(`/api/auth/sys/links/${linkId}/recordings/${recordingId}/output`)).text();
  expect(await read()).toContain('evidence');
  await root.data(fleetEndpoints.deleteDevice, { params: { id: deviceId } });
  expect((await admin.data(readLink, { params: { id: linkId } })).device.id).toBeNull();
  expect(await read()).toContain('evidence');
  await server.database.pool.query('update links set control_level = 0');
  expect(await read()).not.toContain('evidence');
});

test('links are found by kind, user, time and recording', async () => {
  const found = async (query: object) =>
    (await root.data(listLinks, { query: { ended: true, ...query } })).items.map(({ recordings }) => recordings);
  await pastLink();
  const [before, after] = [-60_000, 60_000].map((ms) => new Date(Date.now() + ms).toISOString());
  for (const query of [{}, { kind: 'ssh' }, { user: 'SOME' }, { from: before, to: after }, { recorded: true }]) {
    expect(await found(query), JSON.stringify(query)).toEqual([1]);
  }
  for (const query of [{ kind: 'web' }, { user: '%' }, { from: after }, { to: before }]) {
    expect(await found(query), JSON.stringify(query)).toEqual([]);
  }
  await server.database.pool.query('delete from link_recordings');
  expect([await found({ recorded: true }), await found({})]).toEqual([[], [0]]);
});
