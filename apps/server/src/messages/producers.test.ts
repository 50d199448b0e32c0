import { randomUUID } from 'node:crypto';
import { ENDPOINTS } from '@chargehand/contract';
import { RECOVERY_SETTLE_MS } from '@chargehand/domain';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { systemNotices } from '../system/index.ts';
import { type MailServer, startMailServer } from '../testing/mails/mail-server.ts';
import { writePlannedMails } from '../testing/mails/planned-mails.ts';
import { sweepMessages } from '../testing/messages/sweep-messages.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import type { Person } from '../testing/world.ts';

const { listInbox, createBatch, listExecutions, signOutUser } = ENDPOINTS;

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
    `truncate notices, incidents, incident_members, messages, message_mails, outgoing_mails, blacklist_entries,
       executions, commands, command_batches, transfers cascade`,
  );
});

const rows = async (text: string, values: unknown[] = []) => (await server.database.pool.query(text, values)).rows;
const listOf = async (person: Person) => {
  // Commands are announced ten seconds after their end.
  await rows('update notices set not_before = null');
  await sweepMessages(server);
  return (await (await server.as(person)).data(listInbox)).items;
};

/** A waiting command of a user to a device; with `log`, it uploads one. */
async function command(who: Person, log = false): Promise<string> {
  const id = randomUUID();
  await rows(
    `with command as (
       insert into commands (kind, control_type, requested_by, requested_by_name) values ($1, 1, $2, 'x') returning id
     ), execution as (
       insert into executions (id, command_id, device_id, deadline_at) select $3, id, $4, now() + interval '1 h' from command returning id
     )
     insert into transfers (execution_id, device_id, kind, transport, log_type, requested_by_name, deadline_at)
     select id, $4, 'log', 'http', 'diagnostics', 'x', now() + interval '1 h' from execution where $5`,
    [log ? 'uploadLog' : 'softReset', server.world.users[who], id, server.world.devices.northQuay1.id, log],
  );
  return id;
}
const end = (id: string, result: number) =>
  rows(`update executions set state = 'ended', result = $2, ended_at = now() where id = $1`, [id, result]);

describe('a command that ended', () => {
  test('is a message to its sender, with its result and its device', async () => {
    const id = await command('northAdmin');
    expect(await listOf('northAdmin')).toEqual([]);
    await end(id, 3);
    await rows('update executions set detail = $2 where id = $1', [id, 'later change']);
    expect(await listOf('northAdmin')).toMatchObject([
      {
        ...{ type: 'commandFinished', subject: { kind: 'execution', id } },
        ...{ data: { kind: 'softReset', result: 3 }, devices: [{ id: server.world.devices.northQuay1.id }] },
      },
    ]);
    expect(await listOf('root')).toEqual([]);
  });

  test('is no message to a sender who sees it', async () => {
    const id = await command('northAdmin');
    await end(id, 2);
    await sweepMessages(server);
    const params = { id: server.world.devices.northQuay1.id };
    await (await server.as('vendorStaff')).data(listExecutions, { params });
    expect(await rows('select from notices')).toHaveLength(1);
    await (await server.as('northAdmin')).data(listExecutions, { params });
    expect(await listOf('northAdmin')).toEqual([]);
  });

  test('and transfers a file has ended when the file has', async () => {
    const id = await command('northAdmin', true);
    await end(id, 2);
    expect(await listOf('northAdmin')).toEqual([]);
    await rows(`update transfers set state = 'failed', reason = 'refused', ended_at = now()`);
    expect(await listOf('northAdmin')).toMatchObject([{ data: { kind: 'uploadLog', result: 3 } }]);
  });

  test('is one message for an operation', async () => {
    const deviceIds = [server.world.devices.northQuay1.id, server.world.devices.northQuay2.id];
    const client = await server.as('northAdmin');
    const { id } = await client.data(createBatch, { body: { kind: 'clearCache', deviceIds } });
    await expect
      .poll(async () => (await rows('select from command_batches where ended_at is not null')).length)
      .toBe(1);
    const over = async (values: string) => {
      await rows(`update command_batches set ended_at = now() - interval '1 min', announced_at = null ${values}`);
      await server.sweep('commandSweep');
    };
    await over('');
    const [message, ...others] = await listOf('northAdmin');
    expect(others).toEqual([]);
    expect(message).toMatchObject({ type: 'commandFinished', subject: { kind: 'commandBatch', id: String(id) } });
    expect(message!.data).toMatchObject({ kind: 'clearCache' });
    await rows(`update commands set kind = 'upgradeSoftware'`);
    await over(', succeeded = 18, timed_out = 1, failed = 1');
    expect(await listOf('northAdmin')).toMatchObject([
      { type: 'firmwareRollout', data: { succeeded: 18, failed: expect.any(Number) } },
      { type: 'commandFinished' },
    ]);
  });
});

describe('devices that wait for registration', () => {
  const arrive = (...sns: string[]) =>
    rows(
      `insert into blacklist_entries (sn, protocol_version, remote_address) select sn, 'ocpp1.6', '192.0.2.7'
         from unnest($1::text[]) sn
       on conflict (lower(sn)) do update set attempts = blacklist_entries.attempts + 1`,
      [sns],
    );

  test('are one message to those who may register them, however often they try', async () => {
    await arrive('NEW1', 'NEW2');
    await sweepMessages(server);
    await arrive('new1', 'NEW3');
    expect(await listOf('root')).toMatchObject([{ type: 'waitingDevice', events: 3, open: 3, data: { sn: 'NEW1' } }]);
    expect(await listOf('northAdmin')).toEqual([]);
    await rows(`delete from blacklist_entries where sn <> 'NEW3'`);
    expect(await listOf('root')).toMatchObject([{ open: 1, recoveredAt: null }]);
    await rows('delete from blacklist_entries');
    expect(await listOf('root')).toMatchObject([{ open: 0, recoveredAt: expect.any(String) }]);
  });
});

describe('account security', () => {
  const events = async (person: Person) => (await listOf(person)).map(({ data }) => data.event);

  test('is a message and a mail to the user, whatever their settings', async () => {
    const { northAssigned: id } = server.world.users;
    const address = 'assigned@example.org';
    await rows('update users set email = $2 where id = $1', [id, address]);
    await rows(
      `insert into message_settings (user_id, type, in_app, email, delayed)
                values ($1, 'accountSecurity', false, false, true)`,
      [id],
    );
    await server.as('northAssigned');
    await (await server.as('northAdmin')).data(signOutUser, { params: { id }, body: {} });
    await writePlannedMails(server);
    const { email } = await post.newest(address);
    expect(email.subject).toBe('Account security: Signed out by an administrator');
    expect(email.text).toContain('If this was not you, change your password now');
    expect(await events('northAssigned')).toEqual(['signedOut']);
    expect(await events('northAdmin')).toEqual([]);
  });
});

describe('conditions of the installation', () => {
  test('are announced to operators of the vendor when they begin and when they end, also after a restart', async () => {
    let holds = true;
    const { db } = server.database;
    const make = () =>
      systemNotices(db, async () =>
        holds ? [{ kind: 'diskFull', severity: 'error', values: { freeGB: '0.4' } }] : [],
      );
    const first = make();
    await first.check();
    await first.check();
    expect(await listOf('root')).toMatchObject([
      { type: 'system', data: { event: 'diskFull', freeGB: '0.4' }, events: 1, open: 1 },
    ]);
    expect(await listOf('northAdmin')).toEqual([]);
    holds = false;
    const second = make();
    await second.check();
    expect(await listOf('root')).toMatchObject([{ open: 0, recoveredAt: expect.any(String) }]);
    await rows('update incidents set recovered_at = recovered_at - make_interval(secs => $1)', [
      RECOVERY_SETTLE_MS / 1_000,
    ]);
    await sweepMessages(server);
    expect(await rows('select closed_at is null as open from incidents')).toEqual([{ open: false }]);
  });
});
