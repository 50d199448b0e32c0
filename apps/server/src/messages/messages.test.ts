import { CODES, ENDPOINTS } from '@chargehand/contract';
import { ESCALATE_MINUTES, RECOVERY_SETTLE_MS, type Scope } from '@chargehand/domain';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { announce, type Notice } from '../ports/notices.ts';
import { openStream } from '../testing/event-stream.ts';
import { type MailServer, startMailServer } from '../testing/mails/mail-server.ts';
import { writePlannedMails } from '../testing/mails/planned-mails.ts';
import { sweepMessages } from '../testing/messages/sweep-messages.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import type { Person } from '../testing/world.ts';
import { countMessages } from './inbox/inbox.store.ts';

const { listInbox, selectInbox, countInbox, markInbox, explainInbox, explainMessage } = ENDPOINTS;
const { saveMessageSettings, readMessageSettings } = ENDPOINTS;

let server: TestServer;
let post: MailServer;
beforeAll(async () => {
  post = await startMailServer();
  const from = { name: 'Chargehand', address: 'no-reply@example.org' };
  server = await startTestServer({ captcha: false, smtp: { url: post.url, from } });
});
afterAll(async () => {
  await server.stop();
  await post.stop();
});
beforeEach(async () => {
  await sweepMessages(server);
  await server.database.pool.query(
    `truncate alarms, notices, incidents, incident_members, messages, message_mails, message_settings, message_times,
       message_mutes, on_call_shifts, push_subscriptions, outgoing_mails, site_receivers cascade`,
  );
  await server.database.pool.query(`update roles set email_alarm = false`);
  await server.database.pool.query(`update users set email = null`);
});

const rows = async (text: string, values: unknown[] = []) => (await server.database.pool.query(text, values)).rows;

/** Raises an alarm of each of some devices, as ingest does: in one statement. */
async function raise(deviceIds: readonly number[], code = 'GroundFailure', kind = 'fault', level = 'CA') {
  return (
    await rows(
      `insert into alarms (device_id, connector, code, kind, level, raised_at, last_at)
       select id, 1, $2, $3, $4, now(), now() from unnest($1::int[]) id returning id::int`,
      [deviceIds, code, kind, level],
    )
  ).map(({ id }) => id as number);
}
const clear = (ids: readonly number[]) => rows('update alarms set cleared_at = now() where id = any($1)', [ids]);
const listOf = async (person: Person, query = {}) => (await (await server.as(person)).data(listInbox, { query })).items;
const titles = async (person: Person) => (await listOf(person)).map(({ siteName, data }) => `${siteName} ${data.code}`);

/** Devices of a site, in addition to those of the test data. */
async function devicesOf(site: 'northQuay' | 'southPark', count: number): Promise<number[]> {
  const made = await rows(
    `insert into devices (name, sn, site_id, customer_id, device_model_id)
     select 'Pile ' || n, 'MSG' || $2 || lpad((random() * 1e9)::bigint::text, 9, '0') || n, d.site_id, d.customer_id, d.device_model_id
       from devices d, generate_series(1, $3) n where d.id = $1 returning id`,
    [server.world.devices[`${site}1`].id, site.slice(0, 5).toUpperCase(), count],
  );
  return made.map(({ id }) => id);
}

async function giveAddress(person: Person): Promise<string> {
  const address = `${person.toLowerCase()}@example.org`;
  await rows('update users set email = $2 where id = $1', [server.world.users[person], address]);
  return address;
}
const writeMails = () => writePlannedMails(server);
const mailsFor = (address: string) =>
  rows('select subject, body_text as text, message_id from outgoing_mails where receiver = $1 order by id', [address]);

describe('an alarm', () => {
  test('is a message to everybody who sees its device, and to nobody else', async () => {
    const { northQuay1, southPark1 } = server.world.devices;
    await raise([northQuay1.id, southPark1.id]);
    await sweepMessages(server);
    const quay = 'Site northQuay GroundFailure';
    const park = 'Site southPark GroundFailure';
    expect((await titles('root')).sort()).toEqual([quay, park]);
    expect(await titles('northAdmin')).toEqual([quay]);
    expect(await titles('northAssigned')).toEqual([quay]);
    expect(await titles('southAdmin')).toEqual([park]);
    expect(await rows('select user_id from messages where user_id = $1', [server.world.users.northDisabled])).toEqual(
      [],
    );
  });

  test('during maintenance is none, until the maintenance ends', async () => {
    await rows(
      `insert into alarms (device_id, connector, code, kind, level, raised_at, last_at, suppressed)
       values ($1, 1, 'Fan', 'alarm', 'OA', now(), now(), true)`,
      [server.world.devices.northQuay1.id],
    );
    await sweepMessages(server);
    expect(await listOf('northAdmin')).toEqual([]);
    await rows('update alarms set suppressed = false');
    await sweepMessages(server);
    expect(await listOf('northAdmin')).toMatchObject([{ type: 'alarmOA', level: 'OA', open: 1 }]);
  });

  test('of a transaction that is rolled back is no message', async () => {
    const client = await server.database.pool.connect();
    await client.query('begin');
    await client.query(
      `insert into alarms (device_id, connector, code, kind, level, raised_at, last_at)
       values ($1, 1, 'Fan', 'alarm', 'OA', now(), now())`,
      [server.world.devices.northQuay1.id],
    );
    await client.query('rollback');
    client.release();
    await sweepMessages(server);
    expect(await listOf('root')).toEqual([]);
  });

  test('of a place that the user does not see any more is not shown', async () => {
    await raise([server.world.devices.northQuay1.id]);
    await sweepMessages(server);
    expect(await titles('northAssigned')).toHaveLength(1);
    await rows('update incidents set site_id = $1', [server.world.sites.northMill]);
    expect(await titles('northAssigned')).toEqual([]);
    expect(await (await server.as('northAssigned')).data(countInbox)).toEqual({ unread: 0, untreated: 0 });
  });
});

describe('one incident, one message', () => {
  test('forty piles of a site that go offline, with 120 alarms, are one message, and one mail in the pause', async () => {
    const address = await giveAddress('northAdmin');
    await rows(`update roles set email_alarm = true where id = (select role_id from users where id = $1)`, [
      server.world.users.northAdmin,
    ]);
    const piles = await devicesOf('northQuay', 40);
    const offline = await raise(piles, 'Offline', 'offline', 'MA');
    await sweepMessages(server);
    for (const code of ['PowerLoss', 'Contactor', 'Meter']) await raise(piles, code, 'fault', 'MA');
    await writeMails();
    const [message, ...others] = await listOf('northAdmin');
    expect(others).toEqual([]);
    expect(message).toMatchObject({
      type: 'fault',
      deviceCount: 40,
      events: 160,
      open: 160,
      recoveredAt: null,
    });
    expect(message!.devices).toHaveLength(20);
    const mails = await mailsFor(address);
    const mail = mails.at(-1);
    // The first one may have been sent before the other alarms.
    expect(mails.length).toBeLessThanOrEqual(2);
    expect(mail!.subject).toMatch(/^MA · .* and 3 more · Site northQuay$/);
    expect(mail!.text).toContain('40 devices: Pile');
    expect(mail!.text).toContain('and 30 more');
    await clear(offline);
    await sweepMessages(server);
    expect(await listOf('northAdmin')).toMatchObject([{ open: 120, recoveredAt: null }]);
  });

  test('a flapping alarm notifies twice: when it starts, and when it is over for good', async () => {
    const address = await giveAddress('northAdmin');
    const client = await server.as('northAdmin');
    const types = (['fault', 'recovery'] as const).map((type) => ({
      type,
      inApp: true,
      email: true,
      push: false,
      delayed: false,
    }));
    await client.data(saveMessageSettings, { body: { types, quiet: null, digestAt: 480 } });
    const [alarm] = await raise([server.world.devices.northQuay1.id]);
    for (let round = 0; round < 5; round += 1) {
      await writeMails();
      await clear([alarm!]);
      await writeMails();
      await rows('update alarms set cleared_at = null');
    }
    await clear([alarm!]);
    await writeMails();
    expect(await mailsFor(address)).toHaveLength(1);
    await rows(`update incidents set recovered_at = recovered_at - make_interval(secs => $1)`, [
      RECOVERY_SETTLE_MS / 1_000,
    ]);
    await sweepMessages(server);
    await writeMails();
    const mails = await mailsFor(address);
    expect(mails.map(({ subject }) => subject)).toEqual([
      'CA · Fault: Ground fault protection tripped (GroundFailure) · Site northQuay',
      'Over: Fault: Ground fault protection tripped (GroundFailure) · Site northQuay',
    ]);
    expect(await listOf('northAdmin')).toMatchObject([{ events: 1, open: 0, recoveredAt: expect.any(String) }]);
  });

  test('the next fault after the recovery is another message', async () => {
    const [alarm] = await raise([server.world.devices.northQuay1.id]);
    await sweepMessages(server);
    await clear([alarm!]);
    await sweepMessages(server);
    await rows(`update incidents set recovered_at = recovered_at - interval '1 hour'`);
    await sweepMessages(server);
    await raise([server.world.devices.northQuay1.id]);
    await sweepMessages(server);
    expect(await listOf('northAdmin')).toMatchObject([{ open: 1 }, { open: 0 }]);
  });
});

describe('a mail', () => {
  test('reaches notification receivers of the site through a real server, in their language', async () => {
    const address = await giveAddress('northAssigned');
    await rows(`update users set locale = 'zh-CN' where id = $1`, [server.world.users.northAssigned]);
    await rows('insert into site_receivers (site_id, user_id) values ($1, $2)', [
      server.world.sites.northQuay,
      server.world.users.northAssigned,
    ]);
    await raise([server.world.devices.northQuay1.id]);
    await writeMails();
    const { email } = await post.newest(address);
    expect(email.subject).toBe('CA · Site northQuay · 故障 接地故障（GroundFailure）');
    const [stored] = await mailsFor(address);
    expect(email.messageId).toBe(`<${stored!.message_id}@example.org>`);
  });

  test('is not sent to a user who lost the right to read it before it was due', async () => {
    const address = await giveAddress('northAssigned');
    await rows('insert into site_receivers (site_id, user_id) values ($1, $2)', [
      server.world.sites.northQuay,
      server.world.users.northAssigned,
    ]);
    await raise([server.world.devices.northQuay1.id]);
    await sweepMessages(server);
    expect(await rows('select user_id from message_mails where written_at is null')).toHaveLength(1);
    const assigned = await rows('delete from user_sites where user_id = $1 returning *', [
      server.world.users.northAssigned,
    ]);
    await writeMails();
    expect(await mailsFor(address)).toEqual([]);
    for (const { user_id, site_id } of assigned) {
      await rows('insert into user_sites (user_id, site_id) values ($1, $2)', [user_id, site_id]);
    }
  });

  test('about the same site waits for some minutes after the previous one', async () => {
    const address = await giveAddress('northAdmin');
    const client = await server.as('northAdmin');
    const types = [{ type: 'fault' as const, inApp: true, email: true, push: false, delayed: false }];
    await client.data(saveMessageSettings, { body: { types, quiet: null, digestAt: 480 } });
    await raise([server.world.devices.northQuay1.id], 'First');
    await writeMails();
    await raise([server.world.devices.northQuay1.id], 'Second', 'fault', 'MA');
    await raise([server.world.devices.northQuay1.id], 'Third', 'fault', 'MA');
    await sweepMessages(server);
    expect(await mailsFor(address)).toHaveLength(1);
    const [waiting] = await rows('select due_at, incident_ids from message_mails where written_at is null');
    expect(waiting!.due_at.getTime()).toBeGreaterThan(Date.now() + 4 * 60_000);
    await writeMails();
    expect((await mailsFor(address)).at(-1)).toMatchObject({
      subject: 'MA · Fault: Third and 1 more · Site northQuay',
    });
  });
});

describe('notices of other modules', () => {
  const notice = (change: Partial<Notice>): Notice => ({
    type: 'issueAssigned',
    key: '7',
    subject: { kind: 'issue', id: 7 },
    customerId: server.world.customers.north,
    siteId: server.world.sites.northQuay,
    deviceId: null,
    data: { title: 'Screen is dark' },
    ...change,
  });

  test('reach the named users only, and never who caused them', async () => {
    const { northAdmin, northAssigned } = server.world.users;
    await announce(server.database.db, notice({ userIds: [northAdmin, northAssigned], actorId: northAdmin }));
    await sweepMessages(server);
    expect(await listOf('northAssigned')).toMatchObject([
      { type: 'issueAssigned', subject: { kind: 'issue', id: '7' }, data: { title: 'Screen is dark' } },
    ]);
    expect(await listOf('northAdmin')).toEqual([]);
    expect(await listOf('root')).toEqual([]);
    const [{ id } = { id: 0 }] = await listOf('northAssigned');
    expect(await (await server.as('northAssigned')).data(explainMessage, { params: { id } })).toMatchObject({
      ...{ refusal: null, source: 'default', named: true, escalated: false },
    });
  });

  test('do not reach a named user who may not see the place', async () => {
    await announce(server.database.db, notice({ userIds: [server.world.users.southAdmin] }));
    await sweepMessages(server);
    expect(await listOf('southAdmin')).toEqual([]);
  });

  test('cannot add headers to a mail', async () => {
    const address = await giveAddress('northAssigned');
    await rows(
      `insert into message_settings (user_id, type, in_app, email, delayed) values ($1, 'issueAssigned', true, true, false)`,
      [server.world.users.northAssigned],
    );
    const data = { title: 'Dark\r\nBcc: eve@example.org\u2028<b>' };
    await announce(server.database.db, notice({ userIds: [server.world.users.northAssigned], data }));
    await writeMails();
    const [mail] = await mailsFor(address);
    expect(mail!.subject).not.toMatch(/[\r\n\u2028]/);
  });
});

describe('the inbox', () => {
  test('counts, marks some or all, and filters', async () => {
    const { northQuay1, northMill1 } = server.world.devices;
    await raise([northQuay1.id, northMill1.id]);
    await sweepMessages(server);
    const client = await server.as('northAdmin');
    expect(await client.data(countInbox)).toEqual({ unread: 2, untreated: 2 });
    const [first] = await listOf('northAdmin');
    expect(await client.data(markInbox, { body: { ids: [first!.id], processed: true } })).toEqual({
      unread: 1,
      untreated: 1,
    });
    expect(await listOf('northAdmin', { processed: true })).toMatchObject([
      { id: first!.id, readAt: expect.any(String) },
    ]);
    expect(await listOf('northAdmin', { read: false })).toHaveLength(1);
    expect(await listOf('northAdmin', { recovered: true })).toEqual([]);
    expect(await client.data(markInbox, { body: { read: true } })).toEqual({ unread: 0, untreated: 1 });
    expect(await (await server.as('root')).data(countInbox)).toMatchObject({ unread: 2 });
  });

  test('are counted without reading incidents if the user sees all places', async () => {
    const { root, northAdmin } = server.world.users;
    await raise([server.world.devices.northQuay1.id]);
    await sweepMessages(server);
    const scansWhile = (scope: Scope, userId: number) =>
      server.database.db.transaction().execute(async (trx) => {
        const scans = async () => {
          const found = sql<{ scans: number }>`
            select (coalesce(seq_scan, 0) + coalesce(idx_scan, 0))::int as scans from pg_stat_xact_user_tables
             where relname = 'incidents'`;
          return (await found.execute(trx)).rows[0]!.scans;
        };
        const before = await scans();
        expect(await countMessages(scope, trx, userId)).toEqual({ unread: 1, untreated: 1 });
        return (await scans()) - before;
      });
    expect(await scansWhile({ customers: [server.world.customers.north], sites: 'all' }, northAdmin)).toBeGreaterThan(
      0,
    );
    expect(await scansWhile({ customers: 'all', sites: 'all' }, root)).toBe(0);
  });

  test('is selected as a whole, or as far as it matches the filters', async () => {
    const { northQuay1, northMill1, southPark1 } = server.world.devices;
    await raise([northQuay1.id, northMill1.id, southPark1.id]);
    await sweepMessages(server);
    const client = await server.as('northAdmin');
    const names = async (query: object) =>
      (await client.data(selectInbox, { query })).items.map(({ name }) => name).toSorted();
    expect(await names({})).toEqual([
      'Fault: Ground fault protection tripped (GroundFailure) · Site northMill',
      'Fault: Ground fault protection tripped (GroundFailure) · Site northQuay',
    ]);
    expect(await names({ siteId: server.world.sites.northQuay })).toEqual([
      'Fault: Ground fault protection tripped (GroundFailure) · Site northQuay',
    ]);
    const { items } = await client.data(selectInbox, { query: { siteId: server.world.sites.northMill } });
    await client.data(markInbox, { body: { ids: items.map(({ id }) => id), processed: true } });
    expect(await names({ processed: true })).toEqual([
      'Fault: Ground fault protection tripped (GroundFailure) · Site northMill',
    ]);
    expect(await names({ read: false, type: 'fault' })).toEqual([
      'Fault: Ground fault protection tripped (GroundFailure) · Site northQuay',
    ]);
    expect(await names({ type: 'system' })).toEqual([]);
    expect((await (await server.as('northAssigned')).data(selectInbox, { query: {} })).items).toMatchObject([
      { name: 'Fault: Ground fault protection tripped (GroundFailure) · Site northQuay' },
    ]);
  });

  test('lists faults that last and that nobody works on before what is newer', async () => {
    await raise([server.world.devices.northQuay1.id]);
    await sweepMessages(server);
    const notice = {
      type: 'issueAssigned',
      subject: { kind: 'issue', id: 7 },
      deviceId: null,
      data: { title: 'x' },
    } as const;
    const place = { customerId: server.world.customers.north, siteId: server.world.sites.northQuay };
    await announce(server.database.db, { ...notice, ...place, key: '7', userIds: [server.world.users.northAdmin] });
    await sweepMessages(server);
    const types = async () => (await listOf('northAdmin')).map(({ type }) => type);
    expect(await types()).toEqual(['fault', 'issueAssigned']);
    const [fault] = await listOf('northAdmin');
    await (await server.as('northAdmin')).data(markInbox, { body: { ids: [fault!.id], processed: true } });
    expect(await types()).toEqual(['issueAssigned', 'fault']);
  });

  test('marks nothing that arrived after what the user has seen', async () => {
    await raise([server.world.devices.northQuay1.id]);
    await sweepMessages(server);
    const client = await server.as('northAdmin');
    const [seen] = await listOf('northAdmin');
    await raise([server.world.devices.northMill1.id]);
    await sweepMessages(server);
    await rows(`update messages set updated_at = updated_at + interval '1 s' where id <> $1`, [seen!.id]);
    await client.data(markInbox, { body: { read: true, until: seen!.updatedAt } });
    expect(await listOf('northAdmin', { read: true })).toMatchObject([{ id: seen!.id }]);
  });

  test('names the alarm, its open alarms that nobody has acknowledged, and the devices that the user still sees', async () => {
    const { northQuay1, northQuay2 } = server.world.devices;
    const ids = (await raise([northQuay1.id, northQuay2.id])).sort((a, b) => a - b);
    await sweepMessages(server);
    const all = { deviceCount: 2, devices: [{ id: northQuay1.id }, { id: northQuay2.id }], alarmIds: ids };
    const named = { nameEn: 'Ground fault protection tripped', nameZh: expect.stringMatching(/接地/) };
    expect(await listOf('northAssigned')).toMatchObject([{ ...named, ...all }]);
    await rows(`update alarms set acknowledged_at = now(), acknowledged_by_name = 'x' where id = $1`, [ids[0]]);
    expect(await listOf('northAssigned')).toMatchObject([{ alarmIds: ids.slice(1) }]);
    await rows('update devices set site_id = $1 where id = $2', [server.world.sites.northMill, northQuay2.id]);
    // Its alarm has ended at the former site.
    expect(await listOf('northAssigned')).toMatchObject([{ deviceCount: 1, devices: [{ id: northQuay1.id }] }]);
    await rows('update devices set site_id = $1 where id = $2', [server.world.sites.northQuay, northQuay2.id]);
  });

  test('names its devices with numbers by value', async () => {
    const { northQuay1, northQuay2 } = server.world.devices;
    const rename = (id: number, name: string) => rows('update devices set name = $2 where id = $1', [id, name]);
    await rename(northQuay1.id, 'Quay 10');
    await rename(northQuay2.id, 'Quay 2');
    await raise([northQuay1.id, northQuay2.id]);
    await sweepMessages(server);
    expect((await listOf('northAssigned'))[0]!.devices.map(({ name }) => name)).toEqual(['Quay 2', 'Quay 10']);
    for (const { id, sn } of [northQuay1, northQuay2]) await rename(id, `Pile ${sn}`);
  });

  test('of another user cannot be marked or explained', async () => {
    await raise([server.world.devices.northQuay1.id]);
    await sweepMessages(server);
    const [foreign] = await listOf('root');
    const other = await server.as('northAdmin');
    await other.data(markInbox, { body: { ids: [foreign!.id], read: true } });
    expect(await listOf('root')).toMatchObject([{ readAt: null }]);
    expect(await other.call(explainMessage, { params: { id: foreign!.id } })).toMatchObject({
      code: CODES.notFound.code,
    });
  });

  test('are announced to every browser of the user', async () => {
    const stream = await openStream(await server.as('northAdmin'), '/api/auth/sys/stream');
    await stream.next();
    await raise([server.world.devices.northQuay1.id]);
    await sweepMessages(server);
    for (;;) {
      const { data } = await stream.next();
      const changed = (data as { 'message.changed'?: unknown })['message.changed'];
      if (!changed) continue;
      expect(changed).toEqual([[server.world.users.northAdmin, null]]);
      break;
    }
    await stream.close();
  });
});

describe('the settings of a user', () => {
  const explain = async (person: Person) =>
    await (await server.as(person)).data(explainInbox, {
      query: { deviceId: server.world.devices.northQuay1.id, type: 'fault' },
    });

  test('decide, and say what decides', async () => {
    const client = await server.as('northAdmin');
    expect(await explain('northAdmin')).toMatchObject({ refusal: null, source: 'default', inApp: true, mail: 'off' });
    const types = [{ type: 'fault' as const, inApp: false, email: false, push: false, delayed: false }];
    const saved = await client.data(saveMessageSettings, {
      body: { types, quiet: { from: 0, to: 60 }, digestAt: 540 },
    });
    expect(saved).toMatchObject({ quiet: { from: 0, to: 60 }, digestAt: 540 });
    expect(saved.types.find(({ type }) => type === 'fault')).toMatchObject({
      ...{ inApp: false, source: 'user', usual: { inApp: true, email: false, source: 'default' } },
    });
    expect(await client.data(readMessageSettings)).toEqual(saved);
    expect(await explain('northAdmin')).toMatchObject({ refusal: 'off', source: 'user', inApp: false });
    await raise([server.world.devices.northQuay1.id]);
    await sweepMessages(server);
    expect(await listOf('northAdmin')).toEqual([]);
  });

  test('name the shifts and sites where something else decides', async () => {
    const { customers, sites, users } = server.world;
    await rows(
      `insert into on_call_shifts (customer_id, site_id, user_id, substitute_id, begins_at, ends_at)
       values ($1, $2, $3, null, now() - interval '1 hour', now() + interval '1 hour'),
              ($1, null, $4, $3, now() + interval '1 day', now() + interval '2 days'),
              ($1, $2, $3, null, now() - interval '2 days', now() - interval '1 day')`,
      [customers.north, sites.northQuay, users.northAdmin, users.northReader],
    );
    await rows('insert into site_receivers (site_id, user_id) values ($1, $2)', [sites.northQuay, users.northAdmin]);
    const { shifts, receiverOf } = await (await server.as('northAdmin')).data(readMessageSettings);
    expect(shifts.map(({ substitute }) => substitute)).toEqual([false, true]);
    expect(shifts[0]!.place).not.toBe(shifts[1]!.place);
    expect(receiverOf).toEqual({ sites: [shifts[0]!.place], total: 1 });
    await rows('delete from on_call_shifts');
    await rows('delete from site_receivers');
  });

  test('a muted device is silent until the time, and a mute cannot last forever', async () => {
    const client = await server.as('northAdmin');
    const { id } = server.world.devices.northQuay1;
    const mute = (ms: number) =>
      client.call(ENDPOINTS.muteDevice, { params: { id }, body: { until: new Date(Date.now() + ms).toISOString() } });
    expect(await mute(91 * 86_400_000)).toMatchObject({ code: 11450, field: 'until' });
    expect(await mute(3_600_000)).toMatchObject({ code: 0 });
    expect(await client.data(ENDPOINTS.listMessageMutes)).toMatchObject({ items: [{ deviceId: id, siteId: null }] });
    expect(await explain('northAdmin')).toMatchObject({ refusal: 'muted' });
    await raise([id]);
    await sweepMessages(server);
    expect(await listOf('northAdmin')).toEqual([]);
    expect(await listOf('root')).toHaveLength(1);
    await client.data(ENDPOINTS.muteDevice, { params: { id }, body: { until: null } });
    expect(await explain('northAdmin')).toMatchObject({ refusal: null });
  });
});

test('the defaults of a role apply to users who have not decided, and account security cannot be turned off', async () => {
  const { northAdmin } = server.world.users;
  const [{ role_id: id }] = await rows('select role_id from users where id = $1', [northAdmin]);
  const staff = await server.as('vendorStaff');
  const north = await server.as('northAdmin');
  const sourceOf = async () => {
    const { types } = await north.data(readMessageSettings);
    return types
      .filter(({ type }) => type === 'fault' || type === 'accountSecurity')
      .map((one) => [one.email, one.source]);
  };
  const [fault] = (await north.data(readMessageSettings)).types.filter(({ type }) => type === 'fault');
  const { source: _source, usual: _usual, ...setting } = fault!;
  const types = [
    { ...setting, email: true, delayed: true },
    { ...setting, type: 'accountSecurity' as const, inApp: false, email: false },
  ];
  const saved = await staff.data(ENDPOINTS.saveRoleMessages, { params: { id }, body: { types } });
  expect(saved.types.filter(({ source }) => source === 'role').map(({ type }) => type)).toEqual(['fault']);
  expect(await sourceOf()).toEqual([
    [true, 'role'],
    [true, 'always'],
  ]);
  await staff.data(ENDPOINTS.saveRoleMessages, { params: { id }, body: { types: [] } });
  expect(await sourceOf()).toEqual([
    [false, 'default'],
    [true, 'always'],
  ]);
  const logged = await rows(`select before, after from action_logs where object_type = 'role' order by id`);
  expect(logged.at(0)!.after).toEqual({ messages: { fault: expect.stringMatching(/^delayed, email, inApp/) } });
});

test('an incident that nobody takes on is passed to the substitute on duty, once', async () => {
  const { northAdmin, northAssigned, root } = server.world.users;
  const address = await giveAddress('northAssigned');
  await rows(
    `insert into on_call_shifts (customer_id, user_id, substitute_id, begins_at, ends_at)
     values ($1, $2, $3, now() - interval '1 hour', now() + interval '1 hour')`,
    [server.world.customers.north, northAdmin, northAssigned],
  );
  await raise([server.world.devices.northQuay1.id]);
  await writeMails();
  expect(await mailsFor(address)).toEqual([]);
  const later = () =>
    rows('update incidents set waiting_since = waiting_since - make_interval(mins => $1)', [ESCALATE_MINUTES.usual]);
  await later();
  await writeMails();
  await later();
  await writeMails();
  expect(await mailsFor(address)).toHaveLength(1);
  expect(await rows('select user_id from message_mails where user_id = $1', [root])).toEqual([]);
});

test('a process that ends after any step repeats nothing: each step removes its input with its result', async () => {
  const address = await giveAddress('northAdmin');
  await rows(`update roles set email_alarm = true`);
  await raise([server.world.devices.northQuay1.id]);
  await server.restart();
  await sweepMessages(server);
  await server.restart();
  await writeMails();
  await server.restart();
  await writeMails();
  expect(await listOf('northAdmin')).toHaveLength(1);
  expect(await mailsFor(address)).toHaveLength(1);
});
