import { randomUUID } from 'node:crypto';
import {
  accessEndpoints,
  attachmentEndpoints,
  type BodyOf,
  CODES,
  deviceCareEndpoints,
  type Envelope,
  folderEndpoints,
  issueEndpoints,
  publicReportEndpoints,
  publicShareEndpoints,
  reportLinkEndpoints,
  type SharedUpload,
  shareEndpoints,
} from '@chargehand/contract';
import type { DocumentContent } from '@chargehand/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tokenHash } from '../../platform/token-hash.ts';
import { newAlarm } from '../../testing/cases/alarms.ts';
import { type Ground, newDevice as insertDevice, linkBox, newSite } from '../../testing/cases/ground.ts';
import { newIssue } from '../../testing/cases/issues/issues.ts';
import type { Client } from '../../testing/client.ts';
import { type MailServer, startMailServer } from '../../testing/mails/mail-server.ts';
import { mailsTo } from '../../testing/mails/outbox.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { reportTokens, sealPlainReportLinks } from './report-tokens.store.ts';
import { sealPlainReports } from './reports.store.ts';

const { openReport, sendReport, followReport, replyToReport, notifyReporter, startReportUpload } =
  publicReportEndpoints;
const { readIssue, listIssues, listIssueEntries, commentIssue, closeIssue, startIssue, mergeIssue } = issueEndpoints;

let server: TestServer;
let mailServer: MailServer;
let ground: Ground;
let root: Client;
let north: Client;
beforeAll(async () => {
  // Reporters come through a proxy, so that a test can have several addresses.
  mailServer = await startMailServer();
  const smtp = { url: mailServer.url, from: { name: 'Chargehand', address: 'no-reply@example.org' } };
  server = await startTestServer({ captcha: false, trustedProxies: ['127.0.0.1'], smtp });
  ground = { world: server.world, db: server.database.db };
  root = await server.as('root');
  north = await server.as('northAdmin');
});
afterAll(async () => {
  await server.stop();
  await mailServer.stop();
});

const query = async <T extends object>(words: string, values: unknown[] = []) =>
  (await server.database.pool.query<T>(words, values)).rows;
const text = (words: string): DocumentContent => ({
  type: 'doc',
  content: [{ type: 'paragraph', content: [{ type: 'text', text: words }] }],
});
const newDevice = async () => {
  const id = await insertDevice(ground, 'northQuay');
  const [row] = await query<{ name: string }>('select name from devices where id = $1', [id]);
  return { id, name: row?.name ?? '', s: await tokenOf({ deviceId: id }) };
};
const tokenOf = async (of: { deviceId: number } | { siteId: number }) => {
  const [column, id] = 'deviceId' in of ? (['device_id', of.deviceId] as const) : (['site_id', of.siteId] as const);
  const { db } = server.database;
  return (await reportTokens(db, await linkBox(db), column, [id])).get(id) ?? '';
};

let addresses = 0;
/** Calls the server from an address of its own, unless one is given. */
async function from<T>(
  path: string,
  init: RequestInit = {},
  address?: string,
): Promise<Envelope<T> & { status: number }> {
  addresses += 1;
  const forwarded = address ?? `2001:db8:${addresses.toString(16)}::1`;
  const response = await fetch(`${server.url}${path}`, {
    ...init,
    headers: { ...init.headers, 'x-forwarded-for': forwarded },
  });
  return { ...((await response.json()) as Envelope<T>), status: response.status };
}
const post = <T>(path: string, body: object, address?: string) =>
  from<T>(
    path,
    { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
    address,
  );

/** A proof of work; it is not checked in this test, but its id must be new. */
const proof = async () => (await from<{ captchaId: string }>(accessEndpoints.captcha.path)).data.captchaId;
type Entered = Partial<BodyOf<typeof sendReport>>;
const entered = async (more: Entered): Promise<object> => ({
  ...{ requestKey: randomUUID(), type: 1, problem: 'Does not start', locale: 'en-US', captchaId: await proof() },
  ...more,
});
const send = async (more: Entered, address?: string) =>
  await post<{ follow: string }>(sendReport.path, await entered(more), address);
const reportOf = async (f: string) => {
  const [report] = await query<{ id: number }>('select id from issue_reports where follow_token_hash = $1', [
    tokenHash(f),
  ]);
  return report?.id ?? 0;
};
/** Answers the reporter of a report. */
const answer = async (f: string, id: number, words: string) =>
  await root.data(commentIssue, { params: { id }, body: { body: text(words), reportId: await reportOf(f) } });
const sent = async (more: Entered) => {
  const { code, data, message } = await send(more);
  expect([code, message]).toEqual([0, '']);
  return data.follow;
};
const follow = (f: string) => server.anonymous.data(followReport, { query: { f } });
const issueOf = async (f: string) =>
  (
    await query<{ issue_id: number }>('select issue_id from issue_reports where follow_token_hash = $1', [tokenHash(f)])
  )[0]!.issue_id;
const read = (id: number, client = root) => client.data(readIssue, { params: { id } });
const comments = async (id: number) =>
  (await root.data(listIssueEntries, { params: { id } })).items.filter(({ event }) => event === null).reverse();

/** Uploads a file of a report. Returns the code of the answer that ended the upload. */
async function upload(f: string, name: string, content: Uint8Array | string): Promise<number> {
  const bytes = Buffer.from(content);
  const requestKey = randomUUID();
  const begun = await post<SharedUpload>(startReportUpload.path, { f, requestKey, name, size: bytes.length });
  if (begun.code !== 0) return begun.code;
  return (await sendPart(f, requestKey, 0, bytes)).code;
}
const sendPart = (f: string, id: string, offset: number, bytes: Uint8Array) =>
  from<SharedUpload>(`${startReportUpload.path}/${id}?f=${f}&offset=${offset}`, {
    ...{ method: 'PUT', headers: { 'content-type': 'application/octet-stream' }, body: Buffer.from(bytes) },
  });
const JPEG = Buffer.concat([Buffer.from('ffd8ffe00004', 'hex'), Buffer.alloc(596, 1), Buffer.from('ffd9', 'hex')]);
const MP4 = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypisom'), Buffer.alloc(600, 1)]);

describe('a report from the code of a device', () => {
  test('may be about the second connector of an EVSE', async () => {
    const device = await newDevice();
    const f = await sent({ s: device.s, connector: 257 });
    expect(await follow(f)).toMatchObject({ connector: 257 });
    const { reports } = await read(await issueOf(f));
    expect(reports).toMatchObject([{ connector: 257 }]);
  });

  test('becomes an issue there, with its evidence, and its reporter follows it', async () => {
    const device = await newDevice();
    expect(await server.anonymous.data(openReport, { query: { s: device.s } })).toEqual({
      siteName: 'Site northQuay',
      deviceName: device.name,
    });
    const f = await sent({
      s: device.s,
      connector: 2,
      problem: 'Screen is dark\nSince noon',
      contact: '+852 1234 5678',
    });
    const issue = await read(await issueOf(f));
    expect(issue).toMatchObject({
      ...{ title: 'Screen is dark', type: 1, status: 'open', createdBy: '', deviceId: device.id, hasEvidence: true },
      body: { type: 'doc', content: [...text('Screen is dark').content, ...text('Since noon').content] },
    });
    expect(issue.reports).toMatchObject([{ connector: 2, contact: '+852 1234 5678', notify: false, joined: false }]);
    await query(
      `delete from role_menus where menu_key = 'auth_issue_edit' and role_id = (select role_id from users where id = $1)`,
      [server.world.users.northReader],
    );
    const reader = await read(issue.id, await server.as('northReader'));
    expect(reader.reports).toMatchObject([{ contact: null, hasContact: true }]);

    await root.data(startIssue, { params: { id: issue.id }, body: {} });
    await root.data(commentIssue, { params: { id: issue.id }, body: { body: text('Only for us'), internal: true } });
    await root.data(commentIssue, { params: { id: issue.id }, body: { body: text('Internal by default') } });
    await answer(f, issue.id, 'We are on our way');
    await server.anonymous.data(replyToReport, { body: { f, requestKey: randomUUID(), message: 'Thank you' } });
    const followed = await follow(f);
    expect(followed).toMatchObject({ status: 'working', place: { deviceName: device.name }, connector: 2 });
    expect(followed.messages.map(({ by, text }) => [by, text])).toEqual([
      ['reporter', 'Screen is dark\nSince noon'],
      ['staff', 'We are on our way'],
      ['reporter', 'Thank you'],
    ]);
    expect((await comments(issue.id)).at(-1)).toMatchObject({ userName: '', reportId: issue.reports[0]?.id });
    await root.data(closeIssue, { params: { id: issue.id }, body: { cause: 'hardware', remedy: 'replaced' } });
    expect(await follow(f)).toMatchObject({ status: 'fixed', closedAt: expect.any(String) });
  });

  test('is one report, however often and at the same time it is sent', async () => {
    const { s } = await newDevice();
    const requestKey = randomUUID();
    const answers = await Promise.all(Array.from({ length: 6 }, () => send({ s, requestKey })));
    const tokens = new Set(answers.map(({ data }) => data.follow));
    expect(answers.every(({ code }) => code === 0)).toBe(true);
    expect(tokens.size).toBe(1);
    const reply = { f: [...tokens][0]!, requestKey, message: 'Still broken' };
    await Promise.all(Array.from({ length: 4 }, () => post(replyToReport.path, reply)));
    expect((await follow(reply.f)).messages).toHaveLength(2);
  });

  test('joins the issue of an open alarm, and does not see what was written there before or by others', async () => {
    const device = await newDevice();
    const alarmId = await newAlarm(ground, 'northQuay', device.id);
    const one = await sent({ s: device.s, connector: 1, problem: 'First' });
    const issue = await read(await issueOf(one));
    expect(issue).toMatchObject({ alarmId, priority: 1 });
    await answer(one, issue.id, 'Written before');
    const other = await sent({ s: device.s, connector: 1, problem: 'Second', type: 3 });
    expect(await issueOf(other)).toBe(issue.id);
    await answer(one, issue.id, 'For the first');
    await answer(other, issue.id, 'For the second');
    const wordsOf = async (f: string) => (await follow(f)).messages.map((message) => message.text);
    expect(await wordsOf(one)).toEqual(['First', 'Written before', 'For the first']);
    expect(await wordsOf(other)).toEqual(['Second', 'For the second']);
    const [second] = (await read(issue.id)).reports.slice(1);
    expect(await comments(issue.id)).toContainEqual(
      expect.objectContaining({ toReportId: second?.id, internal: false }),
    );
    // Answers without an addressee are of older versions: all who had reported the issue read them.
    await query(
      `insert into issue_entries (issue_id, user_id, user_name, body, data)
       values ($1, $2, 'root', $3, '{"toReports": true}')`,
      [issue.id, server.world.users.northAdmin, JSON.stringify(text('For both'))],
    );
    expect([(await wordsOf(one)).at(-1), (await wordsOf(other)).at(-1)]).toEqual(['For both', 'For both']);
    const elsewhere = await issueOf(await sent({ s: (await newDevice()).s }));
    const foreign = { params: { id: elsewhere }, body: { body: text('x'), reportId: second?.id ?? 0 } };
    expect((await root.call(commentIssue, foreign)).code).toBe(CODES.issueReporter.code);
    expect((await read(issue.id)).reports.map(({ joined }) => joined)).toEqual([false, true]);
    // A comment of a reporter is no response of those who work on it.
    await query(`update issues set response_ms = null where id = $1`, [issue.id]);
    const lone = await sent({ s: (await newDevice()).s });
    await server.anonymous.data(replyToReport, { body: { f: lone, requestKey: randomUUID(), message: 'Hello?' } });
    expect((await read(await issueOf(lone))).responseMs).toBeNull();
    // Two at the same time about the same are one issue.
    const { s } = await newDevice();
    const both = await Promise.all([sent({ s, connector: 1 }), sent({ s, connector: 1 })]);
    expect(await issueOf(both[0])).toBe(await issueOf(both[1]));
  });

  test('joins the issue that the issue of its alarm, or one of its type, was merged into', async () => {
    const original = await issueOf(await sent({ s: (await newDevice()).s }));
    const device = await newDevice();
    await newAlarm(ground, 'northQuay', device.id);
    const [ofAlarm, ofType] = [device.s, (await newDevice()).s];
    for (const s of [ofAlarm, ofType]) {
      const id = await issueOf(await sent({ s, connector: 1 }));
      await root.data(mergeIssue, { params: { id }, body: { issueId: original } });
      const next = await sent({ s, connector: 1 });
      expect([s, await issueOf(next)]).toEqual([s, original]);
      expect(await follow(next)).toMatchObject({ status: 'received' });
    }
    // Another connector is something else.
    expect(await issueOf(await sent({ s: ofType, connector: 2 }))).not.toBe(original);
    await root.data(closeIssue, { params: { id: original }, body: { cause: 'hardware', remedy: 'replaced' } });
    for (const s of [ofAlarm, ofType]) expect(await issueOf(await sent({ s, connector: 1 }))).not.toBe(original);
  });

  test('joins the issue that its issue is merged into while it is stored', async () => {
    const { s } = await newDevice();
    const [id, issueId] = [
      await issueOf(await sent({ s, connector: 1 })),
      await issueOf(await sent({ s: (await newDevice()).s })),
    ];
    // A merge that is not committed yet.
    const merging = await server.database.pool.connect();
    await merging.query('begin');
    await merging.query(
      `update issues set status = 'closed', closed_at = now(), merged_into = $2, status_before = 'open' where id = $1`,
      [id, issueId],
    );
    const sending = sent({ s, connector: 1 });
    const waits = async () =>
      (
        await query(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
                     and query like '%for no key update%'`)
      ).length;
    await expect.poll(waits).toBe(1);
    await merging.query('commit');
    merging.release();
    expect(await issueOf(await sending)).toBe(issueId);
  });

  test('of a merged issue follows the issue that it was merged into', async () => {
    const [one, other] = [await sent({ s: (await newDevice()).s }), await sent({ s: (await newDevice()).s })];
    const [id, issueId] = [await issueOf(one), await issueOf(other)];
    await answer(other, issueId, 'Answer to the other');
    await root.data(mergeIssue, { params: { id }, body: { issueId } });
    expect(await follow(one)).toMatchObject({ status: 'received' });
    await answer(one, issueId, 'Answer there');
    await server.anonymous.data(replyToReport, { body: { f: one, requestKey: randomUUID(), message: 'Thanks' } });
    expect((await follow(one)).messages.map((message) => message.text)).toEqual([
      'Does not start',
      'Answer there',
      'Thanks',
    ]);
    expect((await follow(other)).messages.map((message) => message.text)).toEqual([
      'Does not start',
      'Answer to the other',
    ]);
    expect((await read(issueId)).reports).toHaveLength(2);
  });

  test('of an issue of another site is only for users of that site', async () => {
    const { sites } = server.world;
    const [here, there] = [
      await issueOf(await sent({ s: await tokenOf({ siteId: sites.northQuay }), problem: 'Here' })),
      await issueOf(await sent({ s: await tokenOf({ siteId: sites.northMill }), problem: 'There' })),
    ];
    await root.data(mergeIssue, { params: { id: there }, body: { issueId: here } });
    const shown = async (client: Client) => (await read(here, client)).reports.map((report) => report.description);
    expect(await shown(north)).toContain('There');
    const assigned = await shown(await server.as('northAssigned'));
    expect(assigned).toContain('Here');
    expect(assigned).not.toContain('There');
  });
});

describe('links', () => {
  test('of reporters are stored encrypted, also those that an earlier version stored as plain text', async () => {
    const { s } = await newDevice();
    const requestKey = randomUUID();
    const f = await sent({ s, requestKey });
    const id = await reportOf(f);
    const stored = async () => JSON.stringify(await query('select * from issue_reports where id = $1', [id]));
    expect(await stored()).not.toContain(f);
    await query('update issue_reports set sealed_follow_token = $2, follow_token_hash = null where id = $1', [id, f]);
    await sealPlainReports(ground.db, await linkBox(ground.db));
    expect(await stored()).not.toContain(f);
    expect((await follow(f)).status).toBe('received');
    expect(await sent({ s, requestKey })).toBe(f);
  });

  test('unknown, guessed and renewed ones are answered alike, and show nothing', async () => {
    const device = await newDevice();
    const { url } = await north.data(reportLinkEndpoints.renewDeviceReportLink, { params: { id: device.id } });
    const bad = [device.s, 'guess', randomUUID(), `${device.s.slice(0, -1)}x`, await sent({ place: 'Somewhere' })];
    const opened = await Promise.all(bad.map((s) => from(`${openReport.path}?s=${s}`)));
    const used = await Promise.all(bad.map((s) => send({ s })));
    for (const answer of [...opened, ...used]) expect(answer).toEqual(opened[0]);
    expect(opened[0]).toMatchObject({ code: CODES.reportLinkUnknown.code, data: null });
    const s = new URL(url).searchParams.get('s') ?? '';
    expect((await from(`${openReport.path}?s=${s}`)).code).toBe(0);
    const { items } = await north.data(deviceCareEndpoints.listDeviceLabels, { query: { ids: String(device.id) } });
    expect(items[0]?.reportToken).toBe(s);
    // Nobody who reads the database gets the link; one that an earlier version stored plain is encrypted at the next start.
    const stored = async () =>
      (await query<{ sealed_token: string }>('select * from report_links where device_id = $1', [device.id]))[0];
    expect(JSON.stringify(await stored())).not.toContain(s);
    await query('update report_links set sealed_token = $2, token_hash = null where device_id = $1', [device.id, s]);
    const { db } = server.database;
    await sealPlainReportLinks(db, await linkBox(db));
    expect(JSON.stringify(await stored())).not.toContain(s);
    expect((await from(`${openReport.path}?s=${s}`)).code).toBe(0);
    const followed = await Promise.all([s, 'guess', 'x'.repeat(64)].map((f) => from(`${followReport.path}?f=${f}`)));
    for (const answer of followed) expect(answer).toEqual(followed[0]);
    expect(followed[0]?.code).toBe(CODES.reportUnknown.code);
  });

  test('of a site need no device, and a blank report goes to where it fits, without saying so', async () => {
    const { sites, devices, customers } = server.world;
    const s = await tokenOf({ siteId: sites.northQuay });
    expect(await read(await issueOf(await sent({ s })))).toMatchObject({ siteId: sites.northQuay, deviceId: null });
    const { sn, id } = devices.northQuay1;
    const known = await sent({ sn, place: 'At the harbour' });
    expect(await read(await issueOf(known))).toMatchObject({ deviceId: id });
    expect(await follow(known)).toMatchObject({ place: null, placeText: `${sn}, At the harbour` });
    const [site] = await query<{ name: string }>('select name from sites where id = $1', [sites.southPark]);
    expect((await read(await issueOf(await sent({ place: site?.name?.toUpperCase() ?? '' })))).siteName).toBe(
      site?.name,
    );
    const unknown = await read(await issueOf(await sent({ place: 'Car park 3, next to the lift' })));
    expect(unknown).toMatchObject({ siteId: null, customerId: customers.vendor });
    expect(unknown.reports[0]?.place).toBe('Car park 3, next to the lift');
    expect(await send({})).toMatchObject({ code: CODES.reportPlace.code, field: 'place' });
  });
});

describe('photos and videos', () => {
  test('arrive in parts, also after a restart, and are shown in the issue', async () => {
    const f = await sent({ s: (await newDevice()).s });
    const id = randomUUID();
    const begin = () =>
      post<SharedUpload>(startReportUpload.path, { f, requestKey: id, name: 'photo 1.jpg', size: 604 });
    await begin();
    expect(await sendPart(f, id, 0, JPEG.subarray(0, 300))).toMatchObject({ data: { received: 300, done: false } });
    expect((await sendPart(f, id, 0, JPEG.subarray(0, 300))).code).toBe(CODES.reportUploadPart.code);
    await server.restart();
    // The answer to the announcement may have been lost: announcing it again continues it.
    expect(await begin()).toMatchObject({ code: 0, data: { received: 300 } });
    expect(await sendPart(f, id, 300, JPEG.subarray(300))).toMatchObject({ code: 0, data: { done: true } });
    const issue = await read(await issueOf(f), north);
    const image = issue.body?.content.at(-1);
    expect(image).toMatchObject({ type: 'image', attrs: { alt: 'photo 1.jpg' } });
    const content = await north.fetch(`/api/auth/sys/attachments/${image?.attrs?.file}/content`);
    expect(Buffer.from(await content.arrayBuffer()).equals(JPEG)).toBe(true);
    const { items } = await north.data(attachmentEndpoints.listAttachments, { query: { issueId: issue.id } });
    expect(items).toMatchObject([{ name: 'photo 1.jpg', type: 'issue', size: 604 }]);
    await post(replyToReport.path, { f, requestKey: randomUUID(), message: 'And a video' });
    expect(await upload(f, 'clip.mp4', MP4)).toBe(0);
    expect((await comments(issue.id)).at(-1)?.body?.content.at(-1)).toMatchObject({ type: 'video' });
    expect((await follow(f)).messages.map(({ files }) => files)).toEqual([['photo 1.jpg'], ['clip.mp4']]);
    expect((await read(issue.id)).reports[0]).toMatchObject({ files: 2, announcedFiles: 2 });
    const left = await query(`select key from stored_objects where key like 'document/reports/%'`);
    expect(left).toEqual([]);
  });

  test.each<[string, string, Uint8Array | string, number]>([
    ['a page with the name of a photo', 'photo.jpg', '<html><script>alert(1)</script>', CODES.fileContent.code],
    ['a page behind the mark of a png', 'photo.jpg', '\x89PNG\r\n\x1a\n<script>', CODES.fileContent.code],
    ['a page', 'page.html', '<html>', CODES.fileType.code],
    ['a drawing with scripts', 'a.svg', '<svg onload="alert(1)"/>', CODES.fileType.code],
    ['an archive', 'a.zip', 'PK\x03\x04', CODES.fileType.code],
    ['an empty file', 'a.jpg', '', CODES.fileEmpty.code],
    ['a path', '../../a.jpg', JPEG, CODES.attachmentName.code],
  ])('%s is refused, and the report stays', async (_title, name, content, code) => {
    const f = await sent({ place: 'Somewhere' });
    expect(await upload(f, name, content)).toBe(code);
    expect(await read(await issueOf(f))).toMatchObject({ reports: [{ files: 0, announcedFiles: 0 }] });
  });

  test('too large and too many are refused, also at the same time', async () => {
    const f = await sent({ place: 'Somewhere' });
    const announce = async (name: string, size: number) =>
      (await post(startReportUpload.path, { f, requestKey: randomUUID(), name, size })).code;
    expect(await announce('a.jpg', 20 * 1024 * 1024 + 1)).toBe(CODES.fileTooLarge.code);
    expect(await announce('a.mp4', 200 * 1024 * 1024 + 1)).toBe(CODES.fileTooLarge.code);
    const codes = await Promise.all(Array.from({ length: 8 }, () => announce('a.jpg', 10)));
    expect(codes.filter((code) => code === 0)).toHaveLength(5);
    expect(await announce('a.mp4', 10)).toBe(CODES.reportFiles.code);
    const other = await sent({ place: 'Somewhere else' });
    const id = randomUUID();
    await post(startReportUpload.path, { f, requestKey: id, name: 'a.jpg', size: 10 });
    expect((await sendPart(other, id, 0, JPEG.subarray(0, 10))).code).toBe(CODES.notFound.code);
  });
});

describe('bad input', () => {
  test('markup stays text everywhere, and control characters are refused', async () => {
    const markup = '<img src=x onerror=alert(1)> {{7*7}} "><script>';
    const f = await sent({ problem: markup, place: markup, sn: 'SN"><b>' });
    const issue = await read(await issueOf(f));
    expect(issue.title).toBe(markup);
    expect(issue.body).toEqual(text(markup));
    expect((await follow(f)).messages[0]?.text).toBe(markup);
    expect((await root.data(listIssues, { query: { search: 'onerror' } })).items.map(({ id }) => id)).toContain(
      issue.id,
    );
    expect((await send({ problem: 'a\u0000b', place: 'x' })).code).not.toBe(0);
    expect(await send({ problem: ' \n ', place: 'x' })).toMatchObject({
      code: CODES.fieldRequired.code,
      field: 'problem',
    });
  });

  test.each(['a@b@c', 'a@example.org\r\nBcc: x@example.org', 'javascript:alert(1)', '12', 'someone'])(
    'the contact %j is refused',
    async (contact) => expect((await send({ place: 'x', contact })).code).not.toBe(0),
  );

  test('a proof of work is needed, and is valid once', async () => {
    const captchaId = await proof();
    expect((await send({ place: 'x', captchaId })).code).toBe(0);
    expect((await send({ place: 'x', captchaId })).code).toBe(CODES.captchaWrong.code);
    expect((await send({ place: 'x', captchaId: 'made.up.id' })).code).toBe(CODES.captchaWrong.code);
  });

  test('many reports of one address and of one device do not affect others', async () => {
    const device = await newDevice();
    const flood = await Promise.all(Array.from({ length: 100 }, async () => send({ s: device.s }, '203.0.113.7')));
    expect(flood.filter(({ status }) => status === 429)).toHaveLength(80);
    expect((await send({ s: device.s }, '203.0.113.8')).code).toBe(0);
    for (let count = 21; count < 30; count += 1) await sent({ s: device.s });
    expect(await send({ s: device.s })).toMatchObject({ status: 429, code: CODES.reportTooMany.code });
    expect((await send({ s: (await newDevice()).s })).code).toBe(0);
  });
});

describe('the limits of an hour', () => {
  /** Stores reports of a place, as if they had been sent. Returns how to remove them. */
  async function earlier(count: number, siteId: number | null) {
    const issueId = await newIssue(ground, 'northQuay');
    await query(
      `insert into issue_reports
         (issue_id, request_key, sealed_follow_token, site_id, type, description, locale, had_contact, notify, joined)
       select $1, gen_random_uuid(), '', $2, 1, 'Earlier', 'en-US', false, false, false from generate_series(1, $3)`,
      [issueId, siteId, count],
    );
    return () => query('delete from issue_reports where issue_id = $1', [issueId]);
  }
  const burst = async (count: number, more: Entered) => {
    const bodies = await Promise.all(Array.from({ length: count }, () => entered(more)));
    const answers = await Promise.all(bodies.map((body) => post(sendReport.path, body)));
    const refused = answers.filter(({ code }) => code === CODES.reportTooMany.code);
    expect(refused.every(({ status }) => status === 429)).toBe(true);
    return { accepted: answers.filter(({ code }) => code === 0).length, refused: refused.length };
  };

  test('hold for a device when a hundred addresses report it at once', async () => {
    const deviceId = await insertDevice(ground, 'northMill');
    expect(await burst(100, { s: await tokenOf({ deviceId }) })).toEqual({ accepted: 30, refused: 70 });
    expect(await query('select from issue_reports where device_id = $1', [deviceId])).toHaveLength(30);
  });

  test('hold for a site, and a report that is sent twice at the limit is accepted', async () => {
    const { id } = (await newSite(ground, 'northQuay')).params;
    await earlier(89, id);
    const s = await tokenOf({ siteId: id });
    expect(await burst(20, { s })).toEqual({ accepted: 11, refused: 9 });
    const other = (await newSite(ground, 'northQuay')).params;
    await earlier(99, other.id);
    const last = { s: await tokenOf({ siteId: other.id }), requestKey: randomUUID() };
    expect(await burst(4, last)).toEqual({ accepted: 4, refused: 0 });
  });

  test('hold for reports without a place', async () => {
    const [known] = await query<{ count: number }>(
      `select count(*)::int from issue_reports where site_id is null and created_at > now() - interval '1 hour'`,
    );
    const remove = await earlier(193 - (known?.count ?? 0), null);
    expect(await burst(20, { place: 'Somewhere unknown' })).toEqual({ accepted: 7, refused: 13 });
    await remove();
    await sent({ place: 'Somewhere unknown' });
  });
});

describe('mails to reporters', () => {
  test('are sent for public answers and the end, in their language, until they are turned off', async () => {
    const contact = 'reporter@example.org';
    const f = await sent({ s: (await newDevice()).s, contact, locale: 'zh-CN' });
    const id = await issueOf(f);
    const mails = async () => (await mailsTo(server.database.db, contact)).reverse();
    await root.data(commentIssue, { params: { id }, body: { body: text('Internal') } });
    expect(await mails()).toEqual([]);
    await answer(f, id, 'A public answer');
    const [mail] = await mails();
    expect(mail?.subject).toBe('您的报修有了新回复');
    expect(mail?.body_text).toContain(`/share/issue?f=${f}`);
    expect(mail?.body_text).not.toContain('A public answer');
    await root.data(closeIssue, {
      params: { id },
      body: { cause: 'hardware', remedy: 'replaced', body: text('Done'), reportId: await reportOf(f) },
    });
    expect((await mails()).map(({ subject }) => subject)).toEqual(['您的报修有了新回复', '您的报修已处理完毕']);
    await server.anonymous.data(notifyReporter, { body: { f, notify: false } });
    await answer(f, id, 'Another one');
    expect(await mails()).toHaveLength(2);
    expect(await follow(f)).toMatchObject({ hasMail: true, notify: false });
    await server.anonymous.data(notifyReporter, { body: { f, notify: true } });

    // One click in a mail program (RFC 8058).
    const { email } = await mailServer.newest(contact, 2);
    const header = (name: string) => email.headers.find(({ key }) => key === name)?.value ?? '';
    expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    const link = new URL(header('list-unsubscribe').slice(1, -1));
    const address = `${server.url}${link.pathname}${link.search}`;
    expect((await fetch(`${address}x`, { method: 'POST' })).status).toBe(404);
    const page = await fetch(address, { headers: { 'accept-language': 'zh-CN' } });
    expect(await page.text()).toContain('<form method="post"><button type="submit">不再接收此类邮件</button>');
    expect(await follow(f)).toMatchObject({ notify: true });
    const click = () =>
      fetch(address, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) });
    expect([(await click()).status, (await click()).status]).toEqual([200, 200]);
    await answer(f, id, 'After the click');
    expect(await mails()).toHaveLength(2);
    expect(await follow(f)).toMatchObject({ hasMail: true, notify: false });

    await query(`update issues set closed_at = now() - interval '91 days' where id = $1`, [id]);
    await server.sweep();
    expect((await read(id)).reports).toMatchObject([{ contact: null, hasContact: false }]);
    expect(await follow(f)).toMatchObject({ hasMail: false });
  });
});

test('announced files count for the space of the customer and of a report', async () => {
  const { north: customerId } = server.world.customers;
  const video = (f: string) =>
    post(startReportUpload.path, { f, requestKey: randomUUID(), name: 'a.mp4', size: 200 * 2 ** 20 });
  const f = await sent({ s: (await newDevice()).s });
  for (const message of ['Second', 'Third']) {
    expect((await video(f)).code).toBe(0);
    await server.anonymous.data(replyToReport, { body: { f, requestKey: randomUUID(), message } });
  }
  expect((await video(f)).code).toBe(CODES.reportSpaceFull.code);
  await query('insert into attachment_quotas (customer_id, bytes) values ($1, $2)', [customerId, 500 * 2 ** 20]);
  expect((await video(await sent({ s: (await newDevice()).s }))).code).toBe(CODES.reportSpaceFull.code);
  await query(`update issue_report_uploads set active_at = now() - interval '11 minutes' where received = 0`);
  await server.sweep();
  expect((await video(f)).code).toBe(0);
  // What visitors of upload requests announce counts too.
  const north = await server.as('northAdmin');
  const { id } = await north.data(folderEndpoints.createFolder, { body: { name: 'Announced', folderId: null } });
  const request = await north.data(shareEndpoints.requestUploads, { params: { id }, body: { days: 7, code: false } });
  const body = { s: request.token ?? '', name: 'b.mp4', size: 200 * 2 ** 20 };
  const announced = () => server.anonymous.call(publicShareEndpoints.startSharedUpload, { body });
  expect((await announced()).code).toBe(0);
  expect((await announced()).code).toBe(CODES.shareSpaceFull.code);
  expect((await video(await sent({ s: (await newDevice()).s }))).code).toBe(CODES.reportSpaceFull.code);
  await query('delete from attachment_quotas where customer_id = $1', [customerId]);
  expect((await video(await sent({ s: (await newDevice()).s }))).code).toBe(0);
});
