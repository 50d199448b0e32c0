import { randomUUID } from 'node:crypto';
import { CODES, issueBulkEndpoints, issueEndpoints, issueViewEndpoints } from '@chargehand/contract';
import type { DocumentContent } from '@chargehand/domain';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newAlarm } from '../testing/cases/alarms.ts';
import { newFile } from '../testing/cases/attachments.ts';
import { fresh, type Ground, newDevice } from '../testing/cases/ground.ts';
import type { Client } from '../testing/client.ts';
import { textsOfXlsx } from '../testing/files/xlsx.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import type { SiteName } from '../testing/world.ts';

const { createSiteIssue, createDeviceIssue, createAlarmIssue, createCustomerIssue, readIssue, listIssues } =
  issueEndpoints;
const { closeIssue, reopenIssue, startIssue, commentIssue, editIssueComment, listIssueEntries, updateIssue } =
  issueEndpoints;
const { linkIssue, mergeIssue, unmergeIssue, listIssueUsers, watchIssue } = issueEndpoints;

let server: TestServer;
let ground: Ground;
let root: Client;
let north: Client;
let assigned: Client;
let south: Client;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  ground = { world: server.world, db: server.database.db };
  root = await server.as('root');
  north = await server.as('northAdmin');
  assigned = await server.as('northAssigned');
  south = await server.as('southAdmin');
  // What was announced, also after the messages module has taken it.
  await query(`
    create table announced (like notices including identity);
    create function keep_announced() returns trigger language plpgsql as $$
    begin insert into announced overriding system value select new.*; return new; end $$;
    create trigger keep_announced after insert on notices for each row execute function keep_announced();`);
});
afterAll(() => server.stop());

const doc = (...content: DocumentContent['content']): DocumentContent => ({
  type: 'doc',
  content: [{ type: 'paragraph', content }],
});
const text = (words: string) => doc({ type: 'text', text: words });
const mentioning = (id: number) => doc({ type: 'mention', attrs: { kind: 'user', id: String(id), label: 'someone' } });
const ends = { cause: 'software', remedy: 'updated' } as const;

async function report(more: object = {}, site: SiteName = 'northQuay'): Promise<number> {
  const body = { title: fresh('Issue'), type: 1, ...more } as never;
  return (await root.data(createSiteIssue, { params: { id: server.world.sites[site] }, body })).id;
}
const read = (id: number, client = root) => client.data(readIssue, { params: { id } });
const timeline = async (id: number, client = root) => (await client.data(listIssueEntries, { params: { id } })).items;
const eventsOf = async (id: number) => (await timeline(id)).map(({ event }) => event).reverse();
const query = async <T extends object>(words: string, values: unknown[] = []) =>
  (await server.database.pool.query<T>(words, values)).rows;
const noticesOf = async (id: number) =>
  await query<{ type: string; user_ids: number[]; data: { occasion?: string } }>(
    `select type, user_ids, data from announced where subject_kind = 'issue' and subject_id = $1 order by id`,
    [String(id)],
  );

describe('creating', () => {
  test('an issue that is sent again with the same key is created once', async () => {
    const site = { id: server.world.sites.northQuay };
    const body = { title: fresh('Issue'), type: 1 as const, requestKey: randomUUID() };
    const answers = await Promise.all([1, 2, 3].map(() => north.data(createSiteIssue, { params: site, body })));
    expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
    expect(answers.map(({ existing }) => existing)).toEqual([false, false, false]);
    const own = await root.data(createSiteIssue, { params: site, body });
    expect(own.id).not.toBe(answers[0]!.id);
  });

  test('issues of a customer are numbered without gaps, also when many are reported at once', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, () => report({}, 'southPark')));
    const numbers = (await Promise.all(ids.map((id) => read(id)))).map(({ number }) => number);
    const sorted = numbers.toSorted((one, other) => one - other);
    expect(sorted).toEqual(sorted.map((_, index) => (sorted[0] ?? 0) + index));
  });

  test('an issue of a device stays readable after the device is deleted', async () => {
    const [device] = await query<{ id: number }>(
      `insert into devices (sn, name, site_id, customer_id, device_model_id, soft_version)
       select 'GONE-1', 'Pile that goes', site_id, customer_id, device_model_id, '1.2.3' from devices where id = $1
       returning id`,
      [server.world.devices.northQuay1.id],
    );
    await query('insert into device_states (device_id) values ($1)', [device!.id]);
    const body = { title: 'Broken', type: 3 } as const;
    const { id } = await north.data(createDeviceIssue, { params: { id: device!.id }, body });
    await query(`update devices set soft_version = '1.2.4' where id = $1`, [device!.id]);
    await query('delete from devices where id = $1', [device!.id]);
    expect(await read(id, north)).toMatchObject({
      ...{ deviceId: null, deviceName: 'Pile that goes', deviceSn: 'GONE-1', deviceModel: 'World pile' },
      ...{ softVersion: '1.2.3', siteName: 'Site northQuay', customerName: 'Customer north' },
    });
    expect(await eventsOf(id)).toEqual(['created', 'firmwareChanged']);
  });

  test('an issue gets no events of its device after the device moved to another customer', async () => {
    const { sites, customers } = server.world;
    const device = await newDevice(ground, 'northQuay');
    const sendCommand = async () => {
      const [command] = await query<{ id: string }>(`
        insert into commands (kind, control_type, requested_by_name) values ('softReset', 1, 'somebody') returning id`);
      const values = [randomUUID(), command!.id, device];
      await query(
        `insert into executions (id, command_id, device_id, deadline_at) values ($1, $2, $3, now() + interval '1 hour')`,
        values,
      );
      return values[0];
    };
    const end = (id: unknown) =>
      query(`update executions set state = 'ended', result = 2, ended_at = now() where id = $1`, [id]);
    const move = (site: number, customer: number) =>
      query('update devices set site_id = $2, customer_id = $3 where id = $1', [device, site, customer]);
    const reportHere = async () => {
      const body = { title: 'Broken', type: 3 } as const;
      return (await root.data(createDeviceIssue, { params: { id: device }, body })).id;
    };
    const before = await reportHere();
    await end(await sendCommand());
    await query(`update devices set soft_version = '1.1' where id = $1`, [device]);
    const late = await sendCommand();
    await move(sites.southPark, customers.south);
    const after = await reportHere();
    await end(late);
    await end(await sendCommand());
    await query(`update devices set soft_version = '1.2' where id = $1`, [device]);
    expect(await eventsOf(before)).toEqual(['created', 'commandEnded', 'firmwareChanged']);
    expect(await eventsOf(after)).toEqual(['created', 'commandEnded', 'firmwareChanged']);
    // Back at its former customer, but at another site.
    await move(sites.northMill, customers.north);
    await end(await sendCommand());
    await query(`update devices set soft_version = '1.3' where id = $1`, [device]);
    expect(await eventsOf(before)).toHaveLength(3);
  });

  test('an alarm has one open issue, also when two users report it at once', async () => {
    const alarm = await newAlarm(ground, 'northQuay');
    const body = { title: 'Fault', type: 1 } as const;
    const both = await Promise.all(
      [root, north].map((client) => client.data(createAlarmIssue, { params: { id: alarm }, body })),
    );
    expect(new Set(both.map(({ id }) => id)).size).toBe(1);
    expect(both.map(({ existing }) => existing).sort()).toEqual([false, true]);
    const issue = await read(both[0]!.id);
    expect(issue).toMatchObject({ priority: 1, alarmId: alarm, alarmCode: expect.stringContaining('CASE') });
    await query('update alarms set cleared_at = now() where id = $1', [alarm]);
    expect(await eventsOf(issue.id)).toEqual(['created', 'alarmCleared']);
    await root.data(closeIssue, { params: { id: issue.id }, body: ends });
    const again = await root.data(createAlarmIssue, { params: { id: alarm }, body });
    expect(again).toMatchObject({ existing: false });
  });

  test('an alarm whose issue was merged has the issue that it was merged into, for those who see it', async () => {
    const alarm = await newAlarm(ground, 'northQuay');
    const body = { title: 'Fault', type: 1 } as const;
    const reportAlarm = (client: Client) => client.data(createAlarmIssue, { params: { id: alarm }, body });
    const first = await reportAlarm(north);
    const [middle, original] = [await report({}, 'northQuay'), await report({}, 'northMill')];
    await root.data(mergeIssue, { params: { id: first.id }, body: { issueId: middle } });
    await root.data(mergeIssue, { params: { id: middle }, body: { issueId: original } });
    const { number } = await read(original);
    expect(await reportAlarm(north)).toEqual({ id: original, number, existing: true });
    // A user of another site does not learn of it.
    expect(await reportAlarm(assigned)).toMatchObject({ existing: false });
  });

  test('an alarm gets a new issue when the one that its issue was merged into is closed', async () => {
    const alarm = await newAlarm(ground, 'northQuay');
    const body = { title: 'Fault', type: 1 } as const;
    const { id } = await north.data(createAlarmIssue, { params: { id: alarm }, body });
    const original = await report();
    await root.data(mergeIssue, { params: { id }, body: { issueId: original } });
    await root.data(closeIssue, { params: { id: original }, body: ends });
    expect(await north.data(createAlarmIssue, { params: { id: alarm }, body })).toMatchObject({ existing: false });
  });

  test('users with assigned sites see issues of their sites, and none of the whole customer', async () => {
    const ofSite = await report();
    const elsewhere = await report({}, 'northMill');
    const body = { title: 'Contract', type: 4 } as const;
    const whole = { params: { id: server.world.customers.north }, body };
    const { id: ofCustomer } = await north.data(createCustomerIssue, whole);
    expect((await assigned.call(createCustomerIssue, whole)).code).toBe(CODES.noPermission.code);
    expect((await read(ofSite, assigned)).id).toBe(ofSite);
    for (const id of [elsewhere, ofCustomer]) {
      expect((await assigned.call(readIssue, { params: { id } })).code).toBe(CODES.notFound.code);
    }
    const listed = await assigned.data(listIssues, { query: { tab: 'all', pageSize: 100 } });
    expect(new Set(listed.items.map(({ siteId }) => siteId))).toEqual(new Set([server.world.sites.northQuay]));
  });
});

describe('the evidence', () => {
  /** A device of the quay with a secret, a deviating parameter, a reading, an alarm, a command and frames. */
  async function busyDevice(sn: string): Promise<number> {
    const { world } = server;
    const [device] = await query<{ id: number }>(
      `insert into devices (sn, name, site_id, customer_id, device_model_id)
       select $2, $2, site_id, customer_id, device_model_id from devices where id = $1 returning id`,
      [world.devices.northQuay1.id, sn],
    );
    const { id } = device!;
    await query('insert into device_states (device_id) values ($1)', [id]);
    await query(
      `insert into device_parameters (device_id, key, value, readonly, read_at)
       values ($1, 'HeartbeatInterval', '900', false, now()), ($1, 'AuthorizationKey', 'hunter2-secret', false, now())`,
      [id],
    );
    await query(
      `insert into protocol_frames (device_id, at, type, action, body)
       values ($1, now() - interval '2 hours', 2, 'Heartbeat', 'two hours ago'),
              ($1, now() - interval '1 minute', 3, 'ChangeConfiguration',
               '[2,"1","ChangeConfiguration",{"key":"AuthorizationKey","value":"hunter2-secret"}]')`,
      [id],
    );
    await query(
      `insert into alarms (device_id, connector, code, kind, level, raised_at, last_at)
                 values ($1, 1, 'GroundFailure', 'fault', 'CA', now(), now())`,
      [id],
    );
    return id;
  }
  const report = async (id: number) =>
    (await north.data(createDeviceIssue, { params: { id }, body: { title: 'Evidence', type: 1 } })).id;
  const evidence = async (id: number, client = north) =>
    (await client.data(issueEndpoints.readIssueEvidence, { params: { id } })).evidence;
  const frames = async (id: number) => (await north.data(issueEndpoints.readIssueFrames, { params: { id } })).items;

  test('is kept as it was, without secrets, also when the device is deleted', async () => {
    const device = await busyDevice('EVIDENCE-1');
    await query(
      `with baseline as (
         insert into parameter_baselines (device_model_id, customer_id, name, device_name, created_by)
         values ($1, null, 'Standard', 'x', 'x') returning id)
       insert into parameter_baseline_values (baseline_id, key, value)
       select id, 'heartbeatinterval', '300' from baseline`,
      [server.world.model],
    );
    const id = await report(device);
    await query(`update device_parameters set value = '1' where device_id = $1`, [device]);
    const before = await evidence(id);
    await query('delete from devices where id = $1', [device]);
    expect(await evidence(id)).toEqual(before);
    expect(before?.device.deviceModelId).toBe(server.world.model);
    expect(before).toMatchObject({
      device: { name: 'EVIDENCE-1', sn: 'EVIDENCE-1', model: 'World pile', site: 'Site northQuay' },
      alarms: [{ code: 'GroundFailure', level: 'CA' }],
      parameters: [{ baseline: 'Standard', key: 'HeartbeatInterval', expected: '300', actual: '900' }],
      ...{ withheld: 0, frames: { count: 1, complete: true } },
    });
    expect(await frames(id)).toMatchObject([{ action: 'ChangeConfiguration' }]);
    const [kept] = await query<{ text: string }>(
      'select situation::text || frames::text as text from issue_evidence where issue_id = $1',
      [id],
    );
    expect(kept?.text).not.toContain('hunter2');
  });

  test('withholds values above the level of the reader', async () => {
    await query('update device_models set parameter_read_level = 2 where id = $1', [server.world.model]);
    try {
      const id = await report(await busyDevice('EVIDENCE-2'));
      const reader = await server.as('northReader');
      expect(await evidence(id, reader)).toMatchObject({ parameters: [], withheld: 1 });
      expect(await evidence(id)).toMatchObject({ parameters: [{ key: 'HeartbeatInterval' }], withheld: 0 });
    } finally {
      await query('update device_models set parameter_read_level = 5 where id = $1', [server.world.model]);
    }
  });

  test('has nothing from another place of the device', async () => {
    const device = await busyDevice('EVIDENCE-3');
    const { rows } = await server.database.pool.query<{ id: number }>('select id from alarms where device_id = $1', [
      device,
    ]);
    await query('update devices set site_id = $2 where id = $1', [device, server.world.sites.northMill]);
    expect(await frames(await report(device))).toEqual([]);
    const body = { title: 'At the former place', type: 1 } as const;
    const former = await north.data(createAlarmIssue, { params: { id: rows[0]!.id }, body });
    expect(await evidence(former.id)).toBeNull();
    expect(await read(former.id)).toMatchObject({ siteName: 'Site northQuay', hasEvidence: false });
  });

  test('is bounded, however much the device sent', async () => {
    const device = await busyDevice('EVIDENCE-4');
    await query(
      `insert into protocol_frames (device_id, at, type, action, body)
       select $1, now(), 2, 'DataTransfer', repeat('x', 60000) from generate_series(1, 150)`,
      [device],
    );
    const id = await report(device);
    const { count, complete } = (await evidence(id))!.frames;
    expect({ some: count > 10, complete }).toEqual({ some: true, complete: false });
    expect(JSON.stringify(await frames(id)).length).toBeLessThan(700_000);
  });
});

describe('the status', () => {
  test('is started, closed with cause and remedy, and reopened, with its times', async () => {
    const id = await report();
    await root.data(startIssue, { params: { id }, body: {} });
    expect((await root.call(startIssue, { params: { id }, body: {} })).code).toBe(CODES.issueAction.code);
    const body = { ...ends, causeText: 'Update 7', body: text('Updated it.') };
    await root.data(closeIssue, { params: { id }, body });
    const closed = await read(id);
    expect(closed).toMatchObject({ status: 'closed', cause: 'software', causeText: 'Update 7', comments: 1 });
    expect(closed.responseMs).toBeGreaterThanOrEqual(0);
    expect(closed.resolutionMs).toBeGreaterThanOrEqual(closed.responseMs ?? 0);
    await root.data(reopenIssue, { params: { id }, body: {} });
    expect(await read(id)).toMatchObject({ status: 'reopen', resolutionMs: null, closedAt: null });
    expect(await eventsOf(id)).toEqual(['created', 'started', null, 'closed', 'reopened']);
  });

  test('of two users who close an issue at once, one succeeds', async () => {
    const id = await report();
    const answers = await Promise.all(
      [root, north, root, north].map((client) => client.call(closeIssue, { params: { id }, body: ends })),
    );
    expect(answers.map(({ code }) => code).sort()).toEqual([0, ...Array(3).fill(CODES.issueAction.code)]);
    expect(await eventsOf(id)).toEqual(['created', 'closed']);
  });

  test('closing with another cause needs a text, and nothing happens without it', async () => {
    const id = await report();
    const answer = await root.call(closeIssue, { params: { id }, body: { ...ends, cause: 'other', body: text('x') } });
    expect(answer).toMatchObject({ code: CODES.fieldRequired.code, field: 'causeText' });
    expect(await read(id)).toMatchObject({ status: 'open', comments: 0 });
  });
});

describe('comments', () => {
  test.each([
    ['nothing', { type: 'doc', content: [] }],
    ['blanks', text('  \n ')],
    ['what is not allowed', { type: 'doc', content: [{ type: 'script', content: [] }] }],
  ])('a comment with %s is rejected', async (_, body) => {
    const id = await report();
    const answer = await root.call(commentIssue, { params: { id }, body: { body: body as never } });
    expect(answer).toMatchObject({ code: CODES.fieldRequired.code, field: 'body' });
    expect((await read(id)).comments).toBe(0);
  });

  test('are cleaned, quote others of the same issue, and keep their former texts', async () => {
    const id = await report();
    const link = { type: 'text', text: 'see', marks: [{ type: 'link', attrs: { href: 'javascript:alert(1)' } }] };
    const first = await north.data(commentIssue, { params: { id }, body: { body: doc(link) } });
    const second = { body: text('Yes'), quotes: first.id, internal: true };
    await root.data(commentIssue, { params: { id }, body: second });
    const other = await report();
    const foreign = await root.call(commentIssue, { params: { id: other }, body: second });
    expect(foreign).toMatchObject({ code: CODES.issueQuote.code, field: 'quotes' });
    const comment = { params: { id, entryId: first.id }, body: { body: text('see there') } };
    expect((await root.call(editIssueComment, comment)).code).toBe(CODES.issueCommentForeign.code);
    await north.data(editIssueComment, comment);
    const [answer, changed] = await timeline(id, north);
    expect(answer).toMatchObject({ quotes: first.id, internal: true, own: false });
    expect(changed).toMatchObject({ body: text('see there'), edits: 1, own: true, editedAt: expect.any(String) });
    const versions = await root.data(issueEndpoints.listIssueCommentVersions, { params: { id, entryId: first.id } });
    expect(versions.items).toMatchObject([{ version: 1, body: doc({ type: 'text', text: 'see' }) }]);
  });

  test('that are sent again with the same key are added once, with one notice', async () => {
    const id = await report();
    const comment = { params: { id }, body: { body: text('Twice?'), requestKey: randomUUID() } };
    const [one, other] = await Promise.all([1, 2].map(() => north.data(commentIssue, comment)));
    expect(other).toEqual(one);
    expect((await read(id)).comments).toBe(1);
    expect((await noticesOf(id)).filter(({ data }) => data.occasion === 'comment')).toHaveLength(1);
  });

  test('before closing quote others', async () => {
    const id = await report();
    const { id: quotes } = await north.data(commentIssue, { params: { id }, body: { body: text('Is it fixed?') } });
    await root.data(closeIssue, { params: { id }, body: { ...ends, body: text('Yes'), quotes } });
    expect((await timeline(id)).map((entry) => entry.quotes)).toContain(quotes);
  });

  test('tell those who watch, and mention only users who can see the issue', async () => {
    const { users } = server.world;
    const id = await report({}, 'northMill');
    await assigned.call(watchIssue, { params: { id }, body: { watching: true } });
    for (const mentioned of [users.northAdmin, users.northAssigned, users.southAdmin, 999_999]) {
      await root.data(commentIssue, { params: { id }, body: { body: mentioning(mentioned) } });
    }
    await north.data(commentIssue, { params: { id }, body: { body: text('Answer') } });
    expect((await noticesOf(id)).map((one) => [one.type, one.data.occasion, one.user_ids])).toEqual([
      ['issueAnswered', 'mention', [users.northAdmin]],
      ['issueAnswered', 'comment', [users.northAdmin]],
      ['issueAnswered', 'comment', [users.northAdmin]],
      ['issueAnswered', 'comment', [users.northAdmin]],
      ['issueAnswered', 'comment', [users.root]],
    ]);
    const { watching, watchers, otherWatchers } = await read(id, north);
    expect({ watching, watchers: watchers.map((one) => one.id), otherWatchers }).toEqual({
      ...{ watching: true, watchers: [users.northAdmin], otherWatchers: 1 },
    });
  });

  test('a description mentions users too', async () => {
    const { users } = server.world;
    const id = await report({ body: mentioning(users.northAdmin) });
    expect(await noticesOf(id)).toMatchObject([{ type: 'issueAnswered', user_ids: [users.northAdmin] }]);
    expect((await read(id, north)).watching).toBe(true);
  });

  test('a comment longer than the limit is refused', async () => {
    const id = await report();
    const body = JSON.stringify({ body: text('x'.repeat(200_000)) });
    const headers = { 'content-type': 'application/json' };
    const answer = await north.fetch(`/api/auth/sys/issues/${id}/comments`, { method: 'POST', headers, body });
    expect(answer.status).toBe(413);
  });

  test('show files to those who see the issue', async () => {
    const file = await newFile(ground, 'northQuay');
    await query('update attachments set read_level = 1 where id = $1', [file]);
    const reader = await server.as('northReader');
    const content = `/api/auth/sys/attachments/${file}/content`;
    expect(((await (await reader.fetch(content)).json()) as { code: number }).code).toBe(CODES.notFound.code);
    const id = await report();
    const picture: DocumentContent = { type: 'doc', content: [{ type: 'image', attrs: { file: String(file) } }] };
    await north.data(commentIssue, { params: { id }, body: { body: picture } });
    const [copy] = await query<{ id: number }>(
      `select attachment_id as id from attachment_uses where kind = 'issue' and object_id = $1`,
      [id],
    );
    const answer = await reader.fetch(`/api/auth/sys/attachments/${copy?.id}/content`);
    // The object itself is not stored here: the file is found, its content is not.
    expect(((await answer.json()) as { code: number }).code).not.toBe(CODES.notFound.code);
  });
});

describe('assignment', () => {
  test('only to users who can see the issue and whom the caller knows', async () => {
    const { users } = server.world;
    const id = await report({}, 'northMill');
    const assign = (client: Client, assigneeId: number) =>
      client.call(updateIssue, { params: { id }, body: { assigneeId } });
    for (const user of [
      users.southAdmin,
      users.northAssigned,
      users.northDisabled,
      users.northNoMenus,
      users.vendorStaff,
    ]) {
      expect(await assign(north, user)).toMatchObject({ code: CODES.issueAssignee.code, field: 'assigneeId' });
    }
    expect((await assign(root, users.vendorStaff)).code).toBe(0);
    expect((await assign(north, users.northAdmin)).code).toBe(0);
    expect(await noticesOf(id)).toMatchObject([{ type: 'issueAssigned', user_ids: [users.vendorStaff] }]);
    const { items } = await north.data(listIssueUsers, { params: { id }, query: {} });
    expect(items.map((one) => one.id)).toContain(users.northReader);
    expect(items.map((one) => one.id)).not.toContain(users.vendorStaff);
  });

  test('an edit with an old revision is refused', async () => {
    const id = await report();
    const { revision } = await read(id);
    await root.data(updateIssue, { params: { id }, body: { dueAt: '2030-01-01T00:00:00Z', revision } });
    const late = await north.call(updateIssue, { params: { id }, body: { title: 'Mine', revision } });
    expect(late.code).toBe(CODES.changedMeanwhile.code);
  });

  test('the assignee is reminded once before the due date and once after it', async () => {
    const { users } = server.world;
    const id = await report({ assigneeId: users.northAdmin, dueAt: new Date(Date.now() + 3_600_000).toISOString() });
    await server.sweep();
    await server.sweep();
    await query(`update issues set due_at = now() - interval '1 hour', remind_at = now() where id = $1`, [id]);
    await server.sweep();
    await server.sweep();
    const due = (await noticesOf(id)).filter(({ type }) => type === 'issueDue');
    expect(due).toMatchObject([
      { data: { reminder: 'soon' }, user_ids: [users.northAdmin] },
      { data: { reminder: 'overdue' }, user_ids: [users.northAdmin] },
    ]);
  });
});

describe('links and merging', () => {
  test('issues cannot cause each other, also when both links are added at once', async () => {
    const [one, other, third] = [await report(), await report(), await report()];
    const link = (id: number, issueId: number) =>
      root.call(linkIssue, { params: { id }, body: { issueId, kind: 'cause' } });
    expect((await link(one, other)).code).toBe(0);
    expect((await link(one, other)).code).toBe(CODES.issueLinked.code);
    const codes = (await Promise.all([link(other, third), link(third, one)])).map(({ code }) => code);
    expect(codes.sort()).toEqual([0, CODES.issueLinkCycle.code]);
    expect((await link(one, one)).code).toBe(CODES.issueSelf.code);
  });

  test('a merged issue is closed, its timeline appears in the other one, and unmerging restores it', async () => {
    const [copy, original] = [await report(), await report()];
    await north.data(commentIssue, { params: { id: copy }, body: { body: text('Also here') } });
    await root.data(mergeIssue, { params: { id: copy }, body: { issueId: original } });
    expect(await read(copy)).toMatchObject({ status: 'closed', mergedInto: original });
    expect(await read(original)).toMatchObject({ merged: [{ id: copy }] });
    expect((await timeline(original)).filter(({ issueId }) => issueId === copy).map(({ event }) => event)).toEqual([
      'merged',
      null,
      'created',
    ]);
    const comment = { params: { id: copy }, body: { body: text('lost') } };
    expect((await root.call(commentIssue, comment)).code).toBe(CODES.issueMerged.code);
    await root.data(unmergeIssue, { params: { id: copy }, body: {} });
    expect(await read(copy)).toMatchObject({ status: 'open', mergedInto: null, closedAt: null });
    expect((await timeline(original)).some(({ issueId }) => issueId === copy)).toBe(false);
  });

  test('of two merges into each other at once, one succeeds', async () => {
    const [one, other] = [await report(), await report()];
    const merge = (id: number, issueId: number) => root.call(mergeIssue, { params: { id }, body: { issueId } });
    const codes = (await Promise.all([merge(one, other), merge(other, one)])).map(({ code }) => code);
    expect(codes.sort()).toEqual([0, CODES.issueMerged.code]);
    const elsewhere = await report({}, 'southPark');
    expect((await merge(await report(), elsewhere)).code).toBe(CODES.issueOtherCustomer.code);
  });
});

describe('merging in any order', () => {
  interface Known {
    status: string;
    mergedInto: number | null;
    /** while it is merged */
    before: string | null;
  }
  const AFTER = { start: 'pending', close: 'closed', reopen: 'reopen' } as const;
  const CALLS = { start: startIssue, close: closeIssue, reopen: reopenIssue } as const;
  const BODIES = { start: {}, close: ends, reopen: {} } as const;
  const steps = fc.array(
    fc.oneof(
      fc.record({ do: fc.constant('merge' as const), one: fc.nat(3), other: fc.nat(3) }),
      fc.record({ do: fc.constant('unmerge' as const), one: fc.nat(3), other: fc.constant(0) }),
      fc.record({
        do: fc.constantFrom('start' as const, 'close' as const, 'reopen' as const),
        one: fc.nat(3),
        other: fc.constant(0),
      }),
    ),
    { minLength: 4, maxLength: 14 },
  );

  test('leaves no circle, each issue leads to one that is not merged, and unmerging restores', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const ids = [await report(), await report(), await report(), await report()];
        const known = new Map<number, Known>(ids.map((id) => [id, { status: 'open', mergedInto: null, before: null }]));
        for (const step of sequence) {
          const [id, other] = [ids[step.one]!, ids[step.other]!];
          const [issue, into] = [known.get(id)!, known.get(other)!];
          if (step.do === 'merge') {
            const { code } = await root.call(mergeIssue, { params: { id }, body: { issueId: other } });
            const allowed = id !== other && issue.mergedInto === null && into.mergedInto === null;
            expect(code === 0).toBe(allowed);
            if (allowed) known.set(id, { status: 'closed', mergedInto: other, before: issue.status });
          } else if (step.do === 'unmerge') {
            const { code } = await root.call(unmergeIssue, { params: { id }, body: {} });
            expect(code === 0).toBe(issue.mergedInto !== null);
            if (issue.before !== null) known.set(id, { status: issue.before, mergedInto: null, before: null });
          } else {
            const { code } = await root.call(CALLS[step.do], { params: { id }, body: BODIES[step.do] } as never);
            if (issue.mergedInto !== null) expect(code).toBe(CODES.issueMerged.code);
            if (code === 0) known.set(id, { ...issue, status: AFTER[step.do] });
          }
        }
        const rows = await query<{
          id: number;
          status: string;
          merged: number | null;
          before: string | null;
          over: boolean;
        }>(
          `select id, status, merged_into as merged, status_before as before, closed_at is not null as over
             from issues where id = any($1) order by id`,
          [ids],
        );
        expect(rows).toEqual(
          ids.map((id) => {
            const { status, mergedInto, before } = known.get(id)!;
            return { id, status, merged: mergedInto, before, over: status === 'closed' };
          }),
        );
        const parents = new Map(rows.map(({ id, merged }) => [id, merged]));
        for (const id of ids) {
          let at: number | null = id;
          for (let depth = 0; at !== null && depth < ids.length; depth += 1) at = parents.get(at) ?? null;
          expect(at).toBeNull();
        }
      }),
      { numRuns: 12 },
    );
  });
});

describe('lists', () => {
  test('are filtered, counted by tab and exported', async () => {
    const label = fresh('label');
    const [mine, closed] = [await report({ labels: [label], priority: 2 }), await report({ labels: [label] })];
    await root.data(closeIssue, { params: { id: closed }, body: ends });
    await root.data(updateIssue, { params: { id: mine }, body: { assigneeId: server.world.users.northAdmin } });
    const list = (filters: object, client = north) => client.data(listIssues, { query: { label, ...filters } });
    expect(await list({})).toMatchObject({ items: [{ id: mine }], total: 1, counts: { open: 1, closed: 1 } });
    expect(await list({ tab: 'closed' })).toMatchObject({ items: [{ id: closed }], total: 1 });
    expect((await list({ tab: 'all' })).total).toBe(2);
    expect((await list({ mine: true })).total).toBe(1);
    expect((await list({ watched: true })).total).toBe(1);
    expect((await list({ unassigned: true, tab: 'all' })).items).toMatchObject([{ id: closed }]);
    const { number } = await read(mine);
    expect((await list({ search: `#${number}` })).items).toMatchObject([{ id: mine }]);
    expect((await list({}, south)).counts).toEqual({ open: 0, closed: 0 });
    const sheet = await north.fetch(`/api/auth/sys/issues/export?label=${label}&tab=all`);
    const texts = textsOfXlsx(Buffer.from(await sheet.arrayBuffer()));
    expect(texts).toEqual(expect.arrayContaining(['Closed', 'Firmware updated', label]));
    const board = await north.data(issueEndpoints.readIssueBoard, { query: { label } });
    expect(board.columns.map(({ status, total }) => [status, total])).toEqual([
      ['open', 1],
      ['pending', 0],
      ['closed', 1],
      ['reopen', 0],
    ]);
  });

  test('many are changed at once, each with its own result', async () => {
    const [one, foreign] = [await report({ labels: ['a'] }), await report({}, 'southPark')];
    const body = { ids: [one, foreign], labels: ['b'], priority: 2 as const };
    const { results } = await north.data(issueBulkEndpoints.updateIssues, { body });
    expect(results.map(({ id, code }) => [id, code])).toEqual([
      [one, 0],
      [foreign, CODES.notFound.code],
    ]);
    expect(await read(one)).toMatchObject({ labels: ['a', 'b'], priority: 2 });
  });

  test('response and resolution times are reported by site and priority', async () => {
    const from = new Date().toISOString();
    const id = await report({ priority: 2 }, 'southPark');
    await report({ priority: 2 }, 'southPark');
    await root.data(closeIssue, { params: { id }, body: ends });
    const siteId = server.world.sites.southPark;
    const { items } = await south.data(issueEndpoints.readIssueTimes, { query: { from, siteId } });
    expect(items).toMatchObject([{ priority: 2, issues: 2, open: 1, siteName: 'Site southPark' }]);
    expect(items[0]?.resolutionMs).toBeGreaterThanOrEqual(0);
  });

  test('how issues of a code ended is counted in scope', async () => {
    const { code } = (
      await query<{ code: string }>('select code from alarms where id = $1', [await newAlarm(ground, 'northQuay')])
    )[0]!;
    for (const [site, end] of [
      ['northQuay', { ...ends, remedyText: 'Version 2' }],
      ['northQuay', ends],
      ['southPark', { cause: 'wear', remedy: 'replaced' } as const],
    ] as const) {
      const alarm = await newAlarm(ground, site);
      await query('update alarms set code = $2, cleared_at = now() where id = $1', [alarm, `${code}-ends`]);
      const body = { title: 'Ended', type: 1 } as const;
      const { id } = await root.data(createAlarmIssue, { params: { id: alarm }, body });
      await root.data(closeIssue, { params: { id }, body: end });
    }
    const read = (client: Client) => client.data(issueEndpoints.readIssueEnds, { query: { codes: `${code}-ends` } });
    const updated = { ...ends, count: 2, texts: [{ cause: '', remedy: 'Version 2' }] };
    expect(await read(north)).toEqual({ closed: 2, items: [updated] });
    expect((await read(root)).closed).toBe(3);
  });

  test('views belong to their user', async () => {
    const body = { name: 'Urgent', filters: { priority: 2 as const } };
    const { id } = await north.data(issueViewEndpoints.createIssueView, { body });
    await north.data(issueViewEndpoints.createIssueView, { body: { ...body, name: 'urgent' } });
    const { items } = await north.data(issueViewEndpoints.listIssueViews);
    expect(items).toEqual([{ id, name: 'urgent', filters: { priority: 2 } }]);
    const remove = { params: { id } };
    expect((await south.call(issueViewEndpoints.deleteIssueView, remove)).code).toBe(CODES.notFound.code);
    await north.data(issueViewEndpoints.deleteIssueView, remove);
  });

  test('views are sorted with numbers by value', async () => {
    const names = ['Week 2', 'week 3', 'Week 10'];
    for (const name of names.toReversed()) {
      await north.data(issueViewEndpoints.createIssueView, { body: { name, filters: {} } });
    }
    const { items } = await north.data(issueViewEndpoints.listIssueViews);
    expect(items.map(({ name }) => name)).toEqual(names);
    for (const { id } of items) await north.data(issueViewEndpoints.deleteIssueView, { params: { id } });
  });
});
