import { randomUUID } from 'node:crypto';
import { CODES, issueEndpoints } from '@chargehand/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newAlarm } from '../testing/cases/alarms.ts';
import { fresh, type Ground, newDevice } from '../testing/cases/ground.ts';
import type { Client } from '../testing/client.ts';
import { ends, issuesRoom, text } from '../testing/rooms/issues-room.ts';
import type { TestServer } from '../testing/server.ts';

const {
  createSiteIssue,
  createDeviceIssue,
  createAlarmIssue,
  createCustomerIssue,
  readIssue,
  listIssues,
  closeIssue,
  reopenIssue,
  startIssue,
  updateIssue,
  mergeIssue,
  listIssueUsers,
} = issueEndpoints;
const { start, report, read, eventsOf, query, noticesOf } = issuesRoom();

let server: TestServer;
let ground: Ground;
let root: Client;
let north: Client;
let assigned: Client;
beforeAll(async () => {
  ({ server, ground, root, north, assigned } = await start());
});
afterAll(() => server.stop());

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
    await query(
      `update issues set due_at = now() - interval '1 hour', remind_at = now() - interval '1 ms' where id = $1`,
      [id],
    );
    await server.sweep();
    await server.sweep();
    const due = (await noticesOf(id)).filter(({ type }) => type === 'issueDue');
    expect(due).toMatchObject([
      { data: { reminder: 'soon' }, user_ids: [users.northAdmin] },
      { data: { reminder: 'overdue' }, user_ids: [users.northAdmin] },
    ]);
  });
});
