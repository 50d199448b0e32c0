import { randomUUID } from 'node:crypto';
import {
  accessEndpoints,
  attachmentEndpoints,
  issueEndpoints,
  publicReportEndpoints,
  type SharedUpload,
} from '@chargehand/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { reportTokens } from '../issues/index.ts';
import { linkBox } from '../testing/cases/ground.ts';
import { type Client, client, openSession } from '../testing/client.ts';
import type { TestDatabase } from '../testing/database/database.ts';
import { hold, killAt } from '../testing/faults/kill-at.ts';
import { type Killable, killable } from '../testing/faults/killable.ts';
import { freePort } from '../testing/free-port.ts';
import type { Program } from '../testing/program.ts';
import type { World } from '../testing/world.ts';

const { sendReport, followReport, startReportUpload } = publicReportEndpoints;

const PORT = await freePort();
/** The first key of the lock of a customer's files. */
const OWNER_LOCK = 250;

const PHOTO = Buffer.concat([Buffer.from('ffd8ffe00004', 'hex'), Buffer.alloc(300_000, 7), Buffer.from('ffd9', 'hex')]);
/** What has arrived when the last part begins. */
const FIRST = 200_000;

let ground: Killable;
let database: TestDatabase;
let world: World;
let program: Program;
let phone: Client;

beforeAll(async () => {
  ground = await killable(PORT, { settings: { CHARGEHAND_CAPTCHA: 'off' }, connections: 3 });
  ({ database, world } = ground);
  program = await ground.start();
  phone = client(program.url);
});
afterAll(async () => {
  await ground.end();
});

const rows = async <T extends object>(text: string) => (await database.pool.query<T>(text)).rows;

test('an anonymous report with a photo is stored once and completely, although the program is killed', async () => {
  const { id: deviceId } = world.devices.northQuay1;
  const { db } = database;
  const s = (await reportTokens(db, await linkBox(db), 'device_id', [deviceId])).get(deviceId)!;
  const requestKey = randomUUID();
  const send = async () => {
    const { captchaId } = await phone.data(accessEndpoints.captcha);
    const about = { s, connector: 1, type: 1, problem: 'The screen is dark', locale: 'en-US' } as const;
    return (await phone.data(sendReport, { body: { ...about, requestKey, captchaId } })).follow;
  };
  const stored = async () =>
    (
      await rows<{ reports: number; issues: number }>(
        `select (select count(*) from issue_reports)::int as reports, (select count(*) from issues)::int as issues`,
      )
    )[0];

  let release = await hold(database, 'lock table issue_reports in exclusive mode');
  const sending = send().catch(() => 'lost');
  await killAt(database, program, 'issue_reports', release);
  expect(await sending).toBe('lost');
  program = await ground.start();
  expect(await stored()).toEqual({ reports: 0, issues: 0 });
  const f = await send();
  await program.kill();
  program = await ground.start();
  // The answer was lost on the way.
  expect(await send()).toBe(f);
  expect(await stored()).toEqual({ reports: 1, issues: 1 });

  const id = randomUUID();
  const begin = () =>
    phone.data(startReportUpload, { body: { f, requestKey: id, name: 'photo.jpg', size: PHOTO.length } });
  const sendFrom = async (offset: number, end: number) => {
    const response = await phone.fetch(`${startReportUpload.path}/${id}?f=${f}&offset=${offset}`, {
      ...{ method: 'PUT', headers: { 'content-type': 'application/octet-stream' } },
      body: PHOTO.subarray(offset, end),
    });
    return ((await response.json()) as { data: SharedUpload }).data;
  };
  await begin();
  expect(await sendFrom(0, FIRST)).toMatchObject({ received: FIRST, done: false });
  await program.kill();
  program = await ground.start();
  expect(await begin()).toMatchObject({ received: FIRST });

  // Everything has arrived, and becomes a file of the issue.
  release = await hold(database, `select pg_advisory_xact_lock(${OWNER_LOCK}, ${world.customers.north})`);
  const completing = sendFrom(FIRST, PHOTO.length).catch(() => 'lost');
  await killAt(database, program, 'pg_advisory_xact_lock', release);
  expect(await completing).toBe('lost');
  program = await ground.start();
  expect(await begin()).toMatchObject({ received: PHOTO.length, done: false });
  expect(await sendFrom(PHOTO.length, PHOTO.length)).toMatchObject({ done: true });
  await program.kill();
  program = await ground.start();
  expect(await begin()).toMatchObject({ done: true });

  expect((await phone.data(followReport, { query: { f } })).messages).toMatchObject([
    { text: 'The screen is dark', files: ['photo.jpg'] },
  ]);
  const admin = client(program.url, await openSession(database.db, world.users.northAdmin));
  const [{ id: issueId }] = (await rows<{ id: number }>('select id from issues')) as [{ id: number }];
  const issue = await admin.data(issueEndpoints.readIssue, { params: { id: issueId } });
  expect(issue.body?.content.map(({ type }) => type)).toEqual(['paragraph', 'image']);
  const { items } = await admin.data(attachmentEndpoints.listAttachments, { query: { issueId } });
  expect(items).toMatchObject([{ name: 'photo.jpg', size: PHOTO.length }]);
  const content = await admin.fetch(`/api/auth/sys/attachments/${items[0]?.id}/content`);
  expect(Buffer.from(await content.arrayBuffer()).equals(PHOTO)).toBe(true);
}, 240_000);
