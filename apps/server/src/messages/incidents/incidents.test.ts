import { ENDPOINTS } from '@chargehand/contract';
import {
  ALERT_LIMIT_MS,
  beginIncident,
  DEFAULT_ZONE,
  ESCALATE_MINUTES,
  escalates,
  isOver,
  minuteOfDayIn,
  minutesUntil,
  RECOVERY_SETTLE_MS,
  RETURNED_SETTLE_MS,
} from '@chargehand/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { announce } from '../../ports/notices.ts';
import { writePlannedMails } from '../../testing/mails/planned-mails.ts';
import { sweepMessages } from '../../testing/messages/sweep-messages.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import type { Person } from '../../testing/world.ts';
import { closeRecovered, insertIncidents, type NewIncident, takeUnacknowledged } from './incidents.store.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ captcha: false, inboundMail: { port: 0, domain: 'mail.example.org' } });
});
afterAll(() => server.stop());
beforeEach(async () => {
  await sweepMessages(server);
  await rows(
    `truncate alarms, notices, incidents, incident_members, incident_receivers, messages, message_mails, message_sends,
       message_settings, message_times, message_mutes, on_call_shifts, outgoing_mails cascade`,
  );
  await rows('update roles set email_alarm = false');
  await rows('update users set email = null');
});

const rows = async (text: string, values: unknown[] = []) => (await server.database.pool.query(text, values)).rows;
const pile = (name: 'northQuay1' | 'northQuay2' | 'northMill1') => server.world.devices[name].id;
/** Other devices of the site of `northQuay1`. */
const newPiles = async (count: number) =>
  (
    await rows(
      `insert into devices (name, sn, site_id, customer_id, device_model_id)
       select gen_random_uuid(), gen_random_uuid(), site_id, customer_id, device_model_id
         from devices, generate_series(1, $2::int) where id = $1 returning id`,
      [pile('northQuay1'), count],
    )
  ).map(({ id }) => id as number);
const raise = async (deviceIds: readonly number[], code = 'GroundFailure', kind = 'fault', level = 'CA') => {
  const made = await rows(
    `insert into alarms (device_id, connector, code, kind, level, raised_at, last_at)
     select id, 1, $2, $3, $4, now(), now() from unnest($1::int[]) id returning id::int`,
    [deviceIds, code, kind, level],
  );
  await sweepMessages(server);
  return made.map(({ id }) => id as number);
};
const clear = async (ids: readonly number[]) => {
  await rows('update alarms set cleared_at = now() where id = any($1)', [ids]);
  await sweepMessages(server);
};
/** Lets time pass, as far as incidents depend on it. */
const pass = async (ms: number) => {
  for (const column of ['opened_at', 'waiting_since', 'last_at', 'recovered_at', 'closed_at', 'alerted_at']) {
    await rows(`update incidents set ${column} = ${column} - make_interval(secs => $1)`, [ms / 1_000]);
  }
  await sweepMessages(server);
};
const listOf = async (person: Person) =>
  (await (await server.as(person)).data(ENDPOINTS.listInbox, { query: {} })).items;
const giveAddress = async (person: Person) => {
  const address = `${person.toLowerCase()}@example.org`;
  await rows('update users set email = $2 where id = $1', [server.world.users[person], address]);
  return address;
};
const receive = (person: Person, type: string, how: { inApp?: boolean; email?: boolean; delayed?: boolean } = {}) =>
  rows(
    'insert into message_settings (user_id, type, in_app, email, push, delayed) values ($1, $2, $3, $4, false, $5)',
    [...[server.world.users[person], type, how.inApp ?? false, how.email ?? false, how.delayed ?? false]],
  );
const mailsFor = (address: string) =>
  rows('select subject, body_text as text, reply_to from outgoing_mails where receiver = $1 order by id', [address]);
const subjectsFor = async (address: string) => (await mailsFor(address)).map(({ subject }) => subject);

describe('a fault that joins an incident', () => {
  const mute = (name: 'northQuay1' | 'northQuay2', until = '1 hour') =>
    rows(`insert into message_mutes (user_id, device_id, until) values ($1, $2, now() + $3::interval)`, [
      ...[server.world.users.northAdmin, pile(name), until],
    ]);

  test('of a device that is not muted notifies the users who muted the first one, once', async () => {
    const address = await giveAddress('northAdmin');
    await receive('northAdmin', 'fault', { inApp: true, email: true });
    await mute('northQuay1');
    await raise([pile('northQuay1')]);
    expect(await listOf('northAdmin')).toEqual([]);
    const second = await raise([pile('northQuay2')]);
    await writePlannedMails(server);
    const [message, ...others] = await listOf('northAdmin');
    expect(others).toEqual([]);
    expect(message).toMatchObject({ deviceCount: 2, open: 2 });
    expect(await subjectsFor(address)).toEqual([
      'CA · Fault: Ground fault protection tripped (GroundFailure) · Site northQuay',
    ]);

    const client = await server.as('northAdmin');
    expect(await client.data(ENDPOINTS.explainMessage, { params: { id: message!.id } })).toMatchObject({
      refusal: null,
    });
    await client.data(ENDPOINTS.markInbox, { body: { read: true } });
    await clear(second);
    await raise([pile('northQuay2')]);
    await writePlannedMails(server);
    expect(await client.data(ENDPOINTS.countInbox)).toMatchObject({ unread: 0 });
    expect(await subjectsFor(address)).toHaveLength(1);
  });

  test('of a muted device notifies nobody who muted it', async () => {
    await mute('northQuay1');
    await mute('northQuay2');
    await raise([pile('northQuay1')]);
    await raise([pile('northQuay2')]);
    expect(await listOf('northAdmin')).toEqual([]);
    expect(await listOf('root')).toMatchObject([{ deviceCount: 2 }]);
  });

  test('notifies users whose mute has ended since the incident started', async () => {
    await mute('northQuay1');
    await raise([pile('northQuay1')]);
    await rows('update message_mutes set until = now()');
    await raise([pile('northQuay2')]);
    expect(await listOf('northAdmin')).toMatchObject([{ deviceCount: 2 }]);
  });

  test('of a type that users want notifies them, although they turned off the type of the incident', async () => {
    const address = await giveAddress('northAdmin');
    await receive('northAdmin', 'deviceOffline');
    await receive('northAdmin', 'fault', { inApp: true, email: true });
    const ids = await newPiles(3);
    await raise(ids, 'Offline', 'offline', 'MA');
    await writePlannedMails(server);
    expect([await listOf('northAdmin'), await mailsFor(address)]).toEqual([[], []]);
    await raise(ids.slice(0, 1), 'PowerLoss', 'fault', 'MA');
    await writePlannedMails(server);
    const [message] = await listOf('northAdmin');
    expect(message).toMatchObject({ type: 'fault', data: { code: 'PowerLoss' }, events: 4 });
    expect(await subjectsFor(address)).toEqual(['MA · Fault: PowerLoss and 1 more · Site northQuay']);
    const client = await server.as('northAdmin');
    expect(await client.data(ENDPOINTS.explainMessage, { params: { id: message!.id } })).toMatchObject({
      ...{ refusal: null, source: 'user' },
    });
    expect(await rows(`select type from message_sends where channel = 'email'`)).toEqual([{ type: 'fault' }]);
    const shown = async (type: 'fault' | 'deviceOffline') =>
      (await client.data(ENDPOINTS.listInbox, { query: { type } })).items.length;
    expect([await shown('fault'), await shown('deviceOffline')]).toEqual([1, 0]);
    const { items } = await client.data(ENDPOINTS.selectInbox, { query: {} });
    expect(items.map(({ name }) => name)).toEqual(['Fault: PowerLoss · Site northQuay']);
    expect(await listOf('root')).toMatchObject([{ type: 'fault', data: { code: 'PowerLoss' }, deviceCount: 3 }]);
  });

  test('and is worse gives the incident its own title, for those who get all types', async () => {
    const piles = await newPiles(3);
    await raise(piles, 'Fan', 'alarm', 'OA');
    const [worse] = await raise(piles.slice(0, 1), 'Contactor', 'alarm', 'CA');
    const [message, ...others] = await listOf('northAdmin');
    expect(others).toEqual([]);
    expect(message).toMatchObject({ type: 'alarmCA', level: 'CA', data: { code: 'Contactor' } });
    expect(message!.subject).toEqual({ kind: 'alarm', id: String(worse) });
  });
});

describe('a critical fault is announced at once', () => {
  /** When the next mail is due, in seconds from now. */
  const mailDue = async () => {
    const planned = await rows(
      'select extract(epoch from due_at - now())::float8 as wait from message_mails where written_at is null',
    );
    return planned.map(({ wait }) => wait);
  };
  const AT_ONCE = [expect.toSatisfy((wait: number) => wait < 5)];

  test('after other devices of the site reported another one, and somebody took that on', async () => {
    const address = await giveAddress('northAdmin');
    await receive('northAdmin', 'fault', { inApp: true, email: true });
    const piles = await newPiles(4);
    await raise(piles.slice(0, 3), 'GroundFailure');
    await writePlannedMails(server);
    const client = await server.as('northAdmin');
    await client.data(ENDPOINTS.markInbox, { body: { processed: true } });
    await pass(8_000);
    await raise(piles.slice(3), 'OverVoltage');
    expect(await mailDue()).toEqual(AT_ONCE);
    await writePlannedMails(server);
    const subjects = await subjectsFor(address);
    expect(subjects).toHaveLength(2);
    expect(subjects[1]).toContain('OverVoltage');
    const [message, ...others] = await listOf('northAdmin');
    expect(others).toEqual([]);
    expect(message).toMatchObject({ data: { code: 'OverVoltage' }, deviceCount: 4, readAt: null, processedAt: null });
    expect(await rows('select acknowledged_at from incidents')).toEqual([{ acknowledged_at: null }]);
  });

  test('within the pause after a mail about a minor one, and the subject names it with its level', async () => {
    const address = await giveAddress('northAdmin');
    for (const type of ['fault', 'alarmOA']) await receive('northAdmin', type, { inApp: true, email: true });
    await raise([pile('northQuay1')], 'WarmConnector', 'alarm', 'OA');
    await writePlannedMails(server);
    await pass(8_000);
    await raise([pile('northQuay2')], 'Fan', 'alarm', 'OA');
    expect(await mailDue()).toEqual([expect.toSatisfy((wait: number) => wait > 240)]);
    await pass(1_000);
    await raise([pile('northQuay2')], 'GroundFailure');
    expect(await mailDue()).toEqual(AT_ONCE);
    await writePlannedMails(server);
    expect((await subjectsFor(address))[1]).toBe(
      'CA · Fault: Ground fault protection tripped (GroundFailure) and 1 more · Site northQuay',
    );
  });

  test('and what the limit of the site holds back is said, and announced when it allows it', async () => {
    const address = await giveAddress('northAdmin');
    await receive('northAdmin', 'alarmOA', { inApp: true, email: true });
    const piles = await newPiles(3);
    await raise(piles, 'A', 'alarm', 'OA');
    for (const code of ['B', 'C', 'D']) await raise(piles.slice(0, 1), code, 'alarm', 'OA');
    await writePlannedMails(server);
    expect(await listOf('northAdmin')).toMatchObject([{ data: { code: 'B' } }]);
    expect((await mailsFor(address)).at(-1)!.text).toContain('The limit of announcements for this site is reached.');
    await rows(
      `update incidents set causes = (select jsonb_object_agg(key, value || jsonb_build_object('announcedAt',
         (value ->> 'announcedAt')::float8 - $1::float8)) from jsonb_each(causes))`,
      [ALERT_LIMIT_MS],
    );
    await sweepMessages(server);
    expect(await listOf('northAdmin')).toMatchObject([{ data: { code: 'C' }, readAt: null }]);
    expect(await rows('select held from incidents')).toEqual([{ held: false }]);
  });
});

describe('delayed mails', () => {
  test('of all sites are one digest at its time, and quiet hours delay the others', async () => {
    const address = await giveAddress('northAdmin');
    const now = minuteOfDayIn(DEFAULT_ZONE, new Date());
    const [digestAt, quietTo] = [(now + 120) % 1_440, (now + 60) % 1_440];
    await receive('northAdmin', 'fault', { inApp: true, email: true, delayed: true });
    await receive('northAdmin', 'deviceOffline', { inApp: true, email: true });
    await rows('insert into message_times (user_id, quiet_from, quiet_to, digest_at) values ($1, $2, $3, $4)', [
      ...[server.world.users.northAdmin, (now + 1_410) % 1_440, quietTo, digestAt],
    ]);
    await raise([pile('northQuay1'), pile('northMill1')]);
    await raise([pile('northQuay2')], 'PowerLoss');
    await raise([pile('northQuay2')], 'Offline', 'offline');
    const planned = await rows(
      'select thread, cardinality(incident_ids) as count, due_at from message_mails order by 1',
    );
    expect(planned).toMatchObject([
      { thread: 'digest', count: 3 },
      { thread: `site ${server.world.sites.northQuay}`, count: 1 },
    ]);
    const minutes = planned.map(({ due_at }) => minuteOfDayIn(DEFAULT_ZONE, due_at));
    expect(minutes.map((minute) => minutesUntil(now, minute))).toEqual([
      expect.toSatisfy((wait) => wait >= 119 && wait <= 121),
      expect.toSatisfy((wait) => wait >= 59 && wait <= 61),
    ]);
    expect(await mailsFor(address)).toEqual([]);

    await rows('update message_times set quiet_from = null, quiet_to = null');
    await rows(`update message_mails set due_at = now() - interval '1 ms' where thread <> 'digest'`);
    await sweepMessages(server);
    expect(await subjectsFor(address)).toEqual(['CA · Device offline · Site northQuay']);
    await writePlannedMails(server);
    const [, digest, ...others] = await mailsFor(address);
    expect(others).toEqual([]);
    expect(digest).toMatchObject({ subject: 'CA · Fault: PowerLoss and 2 more' });
    for (const part of ['Site northQuay', 'Site northMill', 'PowerLoss']) expect(digest!.text).toContain(part);
  });

  test('about recoveries are part of the digest', async () => {
    const address = await giveAddress('northAdmin');
    for (const type of ['fault', 'recovery'])
      await receive('northAdmin', type, { inApp: true, email: true, delayed: true });
    const ids = await raise([pile('northQuay1'), pile('northMill1')]);
    await clear(ids);
    await pass(RECOVERY_SETTLE_MS);
    expect(await rows('select thread from message_mails')).toEqual([{ thread: 'digest' }]);
    await writePlannedMails(server);
    const [digest, ...others] = await mailsFor(address);
    expect(others).toEqual([]);
    expect(digest!.text.match(/Over: /g)).toHaveLength(2);
  });
});

describe('a substitute to whom an incident was passed', () => {
  let address = '';
  beforeEach(async () => {
    address = await giveAddress('northAssigned');
    await rows(
      `insert into on_call_shifts (customer_id, user_id, substitute_id, begins_at, ends_at)
       values ($1, $2, $3, now() - interval '1 hour', now() + interval '1 hour')`,
      [server.world.customers.north, server.world.users.northAdmin, server.world.users.northAssigned],
    );
  });

  test('learns of its recovery', async () => {
    const ids = await raise([pile('northQuay1')]);
    await pass(ESCALATE_MINUTES.usual * 60_000);
    await writePlannedMails(server);
    await clear(ids);
    await pass(RECOVERY_SETTLE_MS);
    await writePlannedMails(server);
    expect(await subjectsFor(address)).toEqual([
      'CA · Fault: Ground fault protection tripped (GroundFailure) · Site northQuay',
      'Over: Fault: Ground fault protection tripped (GroundFailure) · Site northQuay',
    ]);
  });

  test('learns of its recovery after the shift, and of no later incident', async () => {
    const endOfShift = () => rows(`update on_call_shifts set ends_at = now() - interval '1 ms'`);
    const over = 'Over: Fault: Ground fault protection tripped (GroundFailure) · Site northQuay';
    const [first] = await raise([pile('northQuay1')]);
    await pass(ESCALATE_MINUTES.usual * 60_000);
    await writePlannedMails(server);
    await endOfShift();
    await clear([first!]);
    await pass(RECOVERY_SETTLE_MS);
    await writePlannedMails(server);
    expect(await subjectsFor(address)).toEqual([
      'CA · Fault: Ground fault protection tripped (GroundFailure) · Site northQuay',
      over,
    ]);

    // The next one is not theirs any more.
    await raise([pile('northQuay2')], 'PowerLoss');
    await pass(ESCALATE_MINUTES.usual * 60_000);
    await writePlannedMails(server);
    expect(await mailsFor(address)).toHaveLength(2);
  });

  test('learns nothing of its recovery when they do not see the place any more', async () => {
    const { users } = server.world;
    const ids = await raise([pile('northQuay1')]);
    await pass(ESCALATE_MINUTES.usual * 60_000);
    await writePlannedMails(server);
    const assigned = await rows('delete from user_sites where user_id = $1 returning site_id', [users.northAssigned]);
    await rows('delete from on_call_shifts');
    await clear(ids);
    await pass(RECOVERY_SETTLE_MS);
    await writePlannedMails(server);
    expect(await mailsFor(address)).toHaveLength(1);
    for (const { site_id } of assigned) {
      await rows('insert into user_sites (user_id, site_id) values ($1, $2)', [users.northAssigned, site_id]);
    }
  });

  test('learns of a higher level', async () => {
    await raise([pile('northQuay1')], 'GroundFailure', 'alarm', 'OA');
    await pass(ESCALATE_MINUTES.usual * 60_000);
    await writePlannedMails(server);
    expect(await mailsFor(address)).toHaveLength(1);
    await rows(`update alarms set level = 'CA'`);
    await sweepMessages(server);
    await writePlannedMails(server);
    expect(await mailsFor(address)).toHaveLength(2);
  });

  test('gets nothing about an incident that was not passed', async () => {
    const ids = await raise([pile('northQuay1')]);
    await clear(ids);
    await pass(RECOVERY_SETTLE_MS);
    await writePlannedMails(server);
    expect(await mailsFor(address)).toEqual([]);
  });
});

describe('several comments within the pause between mails', () => {
  const comment = (issueId: number, entry: number) =>
    announce(server.database.db, {
      ...{ type: 'issueAnswered', key: `${issueId}:comment:${entry}`, subject: { kind: 'issue', id: issueId } },
      ...{ customerId: server.world.customers.north, siteId: server.world.sites.northQuay, deviceId: null },
      ...{ data: { number: issueId, title: 'Dark', occasion: 'comment' }, userIds: [server.world.users.northAdmin] },
    });

  test.each([
    ['on one issue: the mail has its link, and can be replied to', [7, 7], '/manage/issue/detail/7', true],
    ['on two issues: the mail opens the inbox', [7, 8], '/manage/message/list', false],
  ])('%s', async (_title, issues, path, replies) => {
    const address = await giveAddress('northAdmin');
    await receive('northAdmin', 'issueAnswered', { inApp: true, email: true });
    for (const [index, id] of issues.entries()) await comment(id, index);
    await writePlannedMails(server);
    const [mail, ...others] = await mailsFor(address);
    expect(others).toEqual([]);
    expect(mail!.text).toContain(path);
    expect(mail!.text.includes('Reply to this mail')).toBe(replies);
    expect(mail!.reply_to).toEqual(replies ? expect.stringMatching(/^reply\+.*@mail\.example\.org$/) : null);
  });
});

test('users who were not notified of an incident learn nothing of its recovery', async () => {
  const address = await giveAddress('northAdmin');
  await receive('northAdmin', 'fault');
  await receive('northAdmin', 'recovery', { inApp: true, email: true });
  const ids = await raise([pile('northQuay1')]);
  await clear(ids);
  await pass(RECOVERY_SETTLE_MS);
  await writePlannedMails(server);
  expect(await mailsFor(address)).toEqual([]);
});

test('a fault that comes and goes is announced when it starts, when it is back, and when it stays away', async () => {
  const address = await giveAddress('northAdmin');
  for (const type of ['fault', 'recovery']) await receive('northAdmin', type, { inApp: true, email: true });
  const SIX_MINUTES = 6 * 60_000;
  for (let round = 0; round < 5; round += 1) {
    const ids = await raise([pile('northQuay1')]);
    await writePlannedMails(server);
    await pass(SIX_MINUTES);
    await clear(ids);
    await pass(SIX_MINUTES);
    await writePlannedMails(server);
  }
  const [start, over] = [
    'CA · Fault: Ground fault protection tripped (GroundFailure) · Site northQuay',
    'Over: Fault: Ground fault protection tripped (GroundFailure) · Site northQuay',
  ];
  expect(await subjectsFor(address)).toEqual([start, over, start]);
  expect(await listOf('northAdmin')).toMatchObject([
    { events: 4, open: 0 },
    { events: 1, open: 0 },
  ]);
  await pass(RETURNED_SETTLE_MS);
  await writePlannedMails(server);
  expect(await subjectsFor(address)).toEqual([start, over, start, over]);
});

describe('the queries decide as the rules do', () => {
  const now = new Date();
  const record = (change: Partial<NewIncident>): NewIncident => {
    const at = now.getTime() - 3_600_000;
    const fault = {
      type: 'fault',
      key: '1',
      ended: false,
      deviceId: 1,
      level: null,
      cause: 'x',
      code: 'x',
      connector: 1,
      since: at,
      at,
    } as const;
    return {
      ...beginIncident({ ...fault, siteId: server.world.sites.northQuay }),
      ...{ customerId: server.world.customers.north, subjectKind: 'alarm', subjectId: '1', deviceId: 1, data: {} },
      ...{ types: {}, actorId: null, userIds: null, escalatedAt: null, ...change },
    };
  };
  const ago = (ms: number) => now.getTime() - ms;

  test('which incidents are over', async () => {
    const edges = [RECOVERY_SETTLE_MS, RETURNED_SETTLE_MS].flatMap((ms) => [ms - 1, ms, ms + 1]);
    const all = [null, ...edges.map(ago)].flatMap((recoveredAt) =>
      [false, true].flatMap((returned) =>
        [null, ago(0)].map((closedAt) =>
          record({ recoveredAt, returned, closedAt, open: recoveredAt === null ? 1 : 0 }),
        ),
      ),
    );
    const ids = await insertIncidents(server.database.db, all);
    const closed = await closeRecovered(server.database.db, now, 500);
    const expected = ids.filter((_, index) => isOver(all[index]!, now.getTime()));
    expect(expected).not.toEqual([]);
    expect(closed.map(({ id }) => id).sort((a, b) => a - b)).toEqual(expected);
  });

  test.each([5, 15])('which incidents are passed on after %i minutes', async (minutes) => {
    const { customers, users } = server.world;
    await rows(
      `insert into on_call_shifts (customer_id, user_id, substitute_id, begins_at, ends_at)
       values ($1, $2, $3, $4::timestamptz - interval '1 hour', $4::timestamptz + interval '1 hour')`,
      [customers.north, users.northAdmin, users.northAssigned, now],
    );
    await rows(
      `insert into on_call_settings (customer_id, escalate_minutes) values ($1, $2)
       on conflict (customer_id) do update set escalate_minutes = excluded.escalate_minutes`,
      [customers.north, minutes],
    );
    const DAY = 86_400_000;
    const edges = [minutes * 60_000, DAY].flatMap((ms) => [ms - 1, ms, ms + 1]);
    const all = edges.flatMap((ms) =>
      [false, true].flatMap((acknowledged) =>
        [null, ago(1)].flatMap((escalatedAt) =>
          [false, true].map((recovered) => ({ openedAt: ago(ms), acknowledged, escalatedAt, recovered })),
        ),
      ),
    );
    const ids = await insertIncidents(
      server.database.db,
      all.map(({ openedAt, recovered }) =>
        record({ openedAt, open: recovered ? 0 : 1, recoveredAt: recovered ? ago(1) : null }),
      ),
    );
    for (const [index, { acknowledged, escalatedAt }] of all.entries()) {
      await rows('update incidents set acknowledged_at = $2, escalated_at = $3 where id = $1', [
        ...[ids[index], acknowledged ? now : null, escalatedAt === null ? null : new Date(escalatedAt)],
      ]);
    }
    const passed = await takeUnacknowledged(server.database.db, now, 500);
    const expected = ids.filter((_, index) =>
      escalates({ ...all[index]!, waitingSince: all[index]!.openedAt }, now.getTime(), minutes),
    );
    expect(expected).not.toEqual([]);
    expect(passed.map(({ id }) => id).sort((a, b) => a - b)).toEqual(expected);
    await rows('truncate on_call_settings');
  });
});
