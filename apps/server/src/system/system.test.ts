import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { writeFile } from 'node:fs/promises';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { CODES, systemEndpoints } from '@chargehand/contract';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { claimMails } from '../platform/mail/outbox.store.ts';
import { holdAfterRestore, RESTORED } from '../platform/work/outgoing-hold.ts';
import type { Client } from '../testing/client.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { PROBE_EVERY_MS, PROBE_TIMEOUT_MS } from './probe/probe.ts';
import { PROBE_IDS } from './probe/probe-gateway.ts';

const { countSystemProblems, readSystem, releaseOutgoing, readSystemHistory, listJobs, listJobRuns, runJob } =
  systemEndpoints;

let server: TestServer;
let root: Client;
beforeAll(async () => {
  // A strict gateway: the probe comes over plain WebSocket, without a certificate.
  server = await startTestServer({ captcha: false, probeMs: 60_000, ocppSecurityProfile: 3 });
  root = await server.as('root');
});
afterAll(() => server.stop());

const state = () => root.data(readSystem, {});
const kinds = async () => (await state()).problems.map(({ kind }) => kind);
const rows = async (text: string) => (await server.database.pool.query<{ count: number }>(text)).rows[0]?.count;

/** The tables that contain a probe device. */
async function traces({ database: { pool } }: TestServer): Promise<string[]> {
  const tables = ['protocol_frames', 'device_states', 'connectors', 'frame_batches', 'traffic_hours'];
  const ids = Object.values(PROBE_IDS).join();
  const found = await Promise.all(
    tables.map((table) => pool.query(`select from ${table} where device_id in (${ids})`)),
  );
  return tables.filter((_, n) => found[n]?.rowCount !== 0);
}

test('the probe runs through the real gateway, and is in no table', async () => {
  await server.sweep();
  const { probe, figures, statements, processes } = await state();
  // The strict gateway has no MQTT port that the probe could use.
  expect(probe).toEqual({ limitMs: 60_000, everySeconds: 10, ways: [{ way: 'ocpp', last: expect.anything() }] });
  const { step, error, ms, connectMs, statusMs, commandMs } = probe.ways[0]!.last!;
  expect([step, error]).toEqual([null, null]);
  expect(ms).toBeCloseTo(connectMs! + statusMs! + commandMs!);
  expect(figures).toMatchObject({ connectedDevices: 0, waitingCommands: expect.any(Number) });
  expect(figures.databaseBytes).toBeGreaterThan(1_000_000);
  expect(figures.diskBytes).toBeGreaterThan(figures.diskFreeBytes!);
  expect(statements[0]).toMatchObject({ calls: expect.any(Number), text: expect.stringMatching(/^\w/) });
  expect(processes).toMatchObject([
    {
      name: expect.stringMatching(/-1$/),
      node: process.versions.node,
      roles: expect.arrayContaining(['api', 'gateway']),
    },
  ]);
  expect(await traces(server)).toEqual([]);
  expect(await rows('select count(*) as count from connection_attempts')).toBe(0);
  expect(await rows('select count(*) as count from blacklist_entries')).toBe(0);
});

test('a stopped gateway is a problem at the next probe, within 20 seconds', async () => {
  expect(await kinds()).not.toContain('probeFailed');
  expect(PROBE_EVERY_MS + PROBE_TIMEOUT_MS).toBeLessThan(20_000);
  const listeners = server.app.server.listeners('upgrade') as (() => void)[];
  server.app.server.removeAllListeners('upgrade');
  await server.sweep();
  expect((await state()).problems[0]).toMatchObject({ kind: 'probeFailed', severity: 'error' });
  for (const listener of listeners) server.app.server.on('upgrade', listener);
  await server.sweep();
  expect(await kinds()).not.toContain('probeFailed');
});

test('the probe also runs over MQTT, and a stopped broker is a problem at the next probe', async () => {
  const servers: Server[] = [];
  const listens = (message: unknown) => servers.push((message as { server: Server }).server);
  subscribe('tracing:net.server.listen:asyncStart', listens);
  const both = await startTestServer({ captcha: false, probeMs: 60_000 });
  unsubscribe('tracing:net.server.listen:asyncStart', listens);
  onTestFinished(() => both.stop());
  const user = await both.as('root');
  const probes = async () => {
    await both.sweep();
    return await user.data(readSystem, {});
  };
  const fine = { step: null, error: null, ms: expect.any(Number) };
  const { probe, problems } = await probes();
  expect(probe.ways).toMatchObject([
    { way: 'ocpp', last: fine },
    { way: 'mqtt', last: fine },
  ]);
  expect(problems.map(({ kind }) => kind)).not.toContain('probeFailed');
  expect(await traces(both)).toEqual([]);

  const port = Number(new URL(both.mqttUrl!).port);
  const broker = servers.find((one) => (one.address() as AddressInfo | null)?.port === port)!;
  broker.close();
  const stopped = await probes();
  expect(stopped.problems[0]).toMatchObject({ kind: 'probeFailed', values: { way: 'mqtt', step: 'connect' } });
  expect(stopped.probe.ways[0]?.last).toMatchObject(fine);
  broker.listen(port, '127.0.0.1');
  await expect.poll(async () => (await probes()).probe.ways[1]?.last).toMatchObject(fine);
  const { points } = await user.data(readSystemHistory, {});
  expect(points[0]).toMatchObject({ mqttProbeFailed: false, mqttProbeMs: expect.any(Number) });
});

test('a measurement a minute is stored for the charts', async () => {
  const { points } = await root.data(readSystemHistory, {});
  expect(points).toHaveLength(1);
  expect(points[0]).toMatchObject({ probeFailed: false, memoryBytes: expect.any(Number) });
});

test('jobs are listed; a run on request is stored and logged', async () => {
  const { items } = await root.data(listJobs, {});
  const jobs = new Map(items.map((item) => [item.job, item]));
  expect(jobs.get('partitions')).toMatchObject({ everySeconds: 3_600, last: { error: null, requestedBy: null } });
  expect([...jobs.keys()]).toEqual(
    expect.arrayContaining(['probe', 'systemFigures', 'mailDelivery', 'presence', 'statisticsCleanup', 'traffic']),
  );
  await root.data(runJob, { params: { job: 'certificateCheck' } });
  const runs = () => root.data(listJobRuns, { query: { job: 'certificateCheck' } });
  await expect.poll(async () => (await runs()).items[0]).toMatchObject({ requestedBy: 'root_user', error: null });
  expect(await rows("select count(*) as count from action_logs where object_type = 'job'")).toBe(1);
  // Of many runs that are all the same, none is stored.
  await server.sweep();
  expect((await root.data(listJobRuns, { query: { job: 'probe' } })).items).toEqual([]);
  const staff = await server.as('vendorStaff');
  expect((await staff.call(runJob, { params: { job: 'probe' } })).code).toBe(CODES.noPermission.code);
});

test('a failed run is a problem, and is stored with its error', async () => {
  await server.database.pool.query('alter table sessions rename to sessions_away');
  await server.sweep();
  await server.database.pool.query('alter table sessions_away rename to sessions');
  expect((await state()).problems).toContainEqual({
    ...{ kind: 'jobFails', severity: 'warning', values: { job: 'sessionCleanup' } },
  });
  await server.sweep();
  const { items } = await root.data(listJobRuns, { query: { job: 'sessionCleanup' } });
  expect(items.map(({ error }) => error)).toContainEqual(expect.stringContaining('sessions'));
  expect((await root.data(listJobs, {})).items.find(({ job }) => job === 'sessionCleanup')?.last?.error).toBeNull();
});

test('a failed backup is a problem with its reason, until one succeeds', async () => {
  const ended = (error: string | null) =>
    server.database.pool.query(
      `insert into backups (started_at, ended_at, scheduled, path, bytes, error)
       values (now(), clock_timestamp(), true, $1, $2, $3)`,
      error === null ? ['/backups/1', 1, null] : [null, null, error],
    );
  await ended('The S3 service answered 503.');
  const failed = { kind: 'backupFailed', severity: 'error', values: { error: 'The S3 service answered 503.' } };
  expect((await state()).problems).toContainEqual(failed);
  await ended(null);
  expect(await kinds()).not.toContain('backupFailed');
});

test('after a restore nothing waiting is sent until root releases it, with or without what waited', async () => {
  const { pool } = server.database;
  const now = 'now() - make_interval(mins => 1)';
  await pool.query(
    `insert into webhooks (customer_id, name, url, format, locale)
     select id, 'held', 'https://held.example.org', 'standard', 'en-US' from customers where platform_vendor`,
  );
  const wait = async () => {
    await pool.query(`insert into outgoing_mails (receiver, locale, subject, body_text, body_html, created_at)
       values ('held@example.org', 'en-US', 'Alarm', 'Alarm', '', ${now})`);
    await pool.query(`insert into message_sends (channel, customer_id, webhook_id, receiver, next_attempt_at, created_at)
       select 'webhook', customer_id, id, name, ${now}, ${now} from webhooks where name = 'held'`);
    await pool.query(
      `with device as (select id from devices limit 1), command as (
         insert into commands (kind, control_type, params, requested_by_name)
         values ('hardReset', 1, '{}', 'Ada') returning id)
       insert into executions (id, command_id, device_id, connector, queued_at, deadline_at, waits_until)
       select gen_random_uuid(), command.id, device.id, 0, ${now}, now() + interval '1 day', now() + interval '1 day'
         from device, command`,
    );
    // As the start after a restore does.
    await writeFile(join(server.dataFolder, RESTORED), '');
    expect(await holdAfterRestore(server.database.db, server.dataFolder)).toBe(true);
  };
  const free = async () => [
    (await claimMails(server.database.db, 10, 60)).length,
    await rows("select count(*) as count from message_sends where receiver = 'held' and attempts > 0"),
    (
      await pool.query(`select from executions e where e.state = 'queued' and not exists (
       select from outgoing_holds h where h.since >= e.queued_at)`)
    ).rowCount,
  ];
  await wait();
  await server.sweep();
  expect(await free()).toEqual([0, 0, 0]);
  const held = { kind: 'outgoingHeld', severity: 'error', values: { mails: 1, messages: 1, commands: 1 } };
  expect((await state()).problems[0]).toEqual(held);
  const staff = await server.as('vendorStaff');
  expect((await staff.call(releaseOutgoing, { body: { discard: false } })).code).toBe(CODES.noPermission.code);
  await root.data(releaseOutgoing, { body: { discard: true } });
  expect(await free()).toEqual([0, 0, 0]);
  expect((await root.call(releaseOutgoing, { body: { discard: true } })).code).toBe(CODES.outgoingNotHeld.code);
  expect(await rows("select count(*) as count from action_logs where object_type = 'outgoing'")).toBe(1);
  await wait();
  await root.data(releaseOutgoing, { body: { discard: false } });
  expect(await free()).toEqual([1, expect.anything(), 1]);
  await expect.poll(async () => (await free())[1]).toBe(1);
  await pool.query("delete from webhooks where name = 'held'");
  await pool.query("delete from outgoing_mails where receiver = 'held@example.org'");
  expect(await kinds()).not.toContain('outgoingHeld');
});

test('a webhook that failed 306 times and 42 mails that cannot be sent are shown everywhere, until they work', async () => {
  const { pool } = server.database;
  await pool.query(
    `insert into webhooks (customer_id, name, url, format, locale)
     select id, 'ops', 'https://ops.example.org', 'standard', 'en-US' from customers where platform_vendor`,
  );
  const send = (status: string, attempts: number, minutes: number) =>
    pool.query(
      `insert into message_sends (channel, customer_id, webhook_id, receiver, state, attempts, tries, created_at)
       select 'webhook', customer_id, id, name, $1, $2, $2, now() - make_interval(mins => $3) from webhooks where name = 'ops'`,
      [status, attempts, minutes],
    );
  await send('failed', 306, 75);
  await pool.query(
    `insert into outgoing_mails (receiver, locale, subject, body_text, body_html, attempts, next_attempt_at, last_error)
     select 'ops@example.org', 'en-US', 'Alarm', 'Alarm', '', 9, null, '550 refused' from generate_series(1, 42)`,
  );
  // Those of earlier tests.
  await server.sweep();
  await pool.query('delete from error_groups');
  await pool.query(
    `insert into error_groups (fingerprint, source, anonymous, name, message, first_at, last_at, first_version, last_version, count)
     select 'f' || anonymous, 'server', anonymous, 'Error', 'lost', now(), now(), '1.0.0', '1.0.0', 7
       from unnest(array[true, false]) anonymous`,
  );
  await pool.query('insert into error_hours select id, date_trunc($1, now()), 7 from error_groups', ['hour']);
  // The first run announces, the second makes messages of it.
  await server.sweep();
  await server.sweep();
  const wanted = [
    { kind: 'sendsFail', severity: 'error', values: { receivers: 1, failures: 306, minutes: expect.any(Number) } },
    { kind: 'mailsFail', severity: 'error', values: { count: 42 } },
    { kind: 'errorsSeen', severity: 'warning', values: { causes: 1, count: 7 } },
  ];
  const { problems } = await state();
  expect(problems).toEqual(expect.arrayContaining(wanted));
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  expect(await root.data(countSystemProblems, {})).toEqual({ errors, warnings: problems.length - errors });
  const metrics = await (await server.anonymous.fetch('/metrics')).text();
  expect(metrics).toContain(`chargehand_problems{severity="error"} ${errors}`);
  // The node can serve: a load balancer keeps it. Everybody may read it, so it names no values.
  const ready = await server.anonymous.fetch('/readyz');
  expect(ready.status).toBe(200);
  const { data } = (await ready.json()) as { data: { problems: unknown[] } };
  expect(data.problems).toEqual(problems.map(({ kind, severity }) => ({ kind, severity })));
  const { rows: announced } = await pool.query(
    "select data from incidents where type = 'system' and data ->> 'event' in ('sendsFail', 'mailsFail') order by id",
  );
  expect(announced).toMatchObject([{ data: { failures: 306 } }, { data: { event: 'mailsFail', count: 42 } }]);
  await send('sent', 1, 1);
  expect(await kinds()).not.toContain('sendsFail');
});
