// 10,000 alarms in a minute over 500 sites, with a user of each customer and a dispatcher of all sites who get mails at
// once. Checks that each of them gets at most one mail per site, and that the counts are right; measures the time from
// the first alarm of a site until the mail server has its mail, and the queries of readers during the minute and when it is
// over. Both periods have the same number of the same queries, after the same number of rounds that are not measured. Before
// the alarms, the queries would read other rows: no messages, and few open alarms. The ratio of p95 counts only if there are
// enough queries and the halves of the idle period do not differ.
// node bench/messages/run.ts [--seconds 60]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pass } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { fillFleet } from '../device-list/fleet-of-100000.ts';
import { at, fill, ms, startDatabase } from '../side-by-side.ts';

const { values: options } = parseArgs({
  options: { seconds: { type: 'string', default: '60' } },
});
const SECONDS = Number(options.seconds);
const ALARMS = 10_000;
const SITES = 500;
const CUSTOMERS = 50;
/** The alarms arrive in so many transactions per second. */
const TURNS = 10;
const CODE = 'GroundFailure';
const GOALS = { mailMs: 5_000, readers: 1.5 };
/** The time from one round of the reader's queries to the next. Milliseconds. */
const ROUND_MS = 150;
const ROUNDS = Math.round((SECONDS * 1_000) / ROUND_MS);
/** Rounds before each period, which are not measured. */
const WARM_UP_ROUNDS = 100;
/** What a ratio needs: queries per period, and p95 of the halves of the idle period against each other. */
const VALID = { queries: 1_000, halves: 1.5 };
/** No mail for so long: the last one has arrived. Milliseconds. */
const QUIET_MS = 20_000;

const base = await startDatabase();
const { pool } = base.database;
const arrived: { at: number; receiver: string; source: string }[] = [];
const mailServer = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  onData(stream, { envelope }, done) {
    text(stream).then((source) => {
      arrived.push({ at: Date.now(), receiver: envelope.rcptTo[0]?.address ?? '', source });
      done();
    }, done);
  },
});
const listening = mailServer.listen(0, '127.0.0.1');
await once(listening, 'listening');

await fillFleet(pool, { customers: CUSTOMERS, sites: SITES });
// The alarms of the fleet are old.
await fill(pool, 'truncate notices');
const smtp = `smtp://127.0.0.1:${(listening.address() as AddressInfo).port}`;
const server = fork(join(import.meta.dirname, 'server.ts'), [base.folder, smtp], {
  env: { ...process.env, DATABASE_URL: base.url },
});
await once(server, 'message');
// The product has made the permission keys.
const reader = new Worker(new URL('reader.ts', import.meta.url), {
  workerData: { url: base.url, roundMs: ROUND_MS, ...(await fillReceivers()) },
});
try {
  console.log(`messages: ${ALARMS} alarms in ${SECONDS} s over ${SITES} sites, ${CUSTOMERS + 1} receivers of mails`);
  await warmUp();
  const [began, busy] = await Promise.all([raiseAlarms(), readTimes(ROUNDS)]);
  for (let count = -1; count !== arrived.length; ) {
    count = arrived.length;
    await pass(QUIET_MS);
  }
  const counted = await checkCounts();
  const mails = await checkMails(began);
  await warmUp();
  const readers = checkReaders(busy, await readTimes(ROUNDS));
  if (!counted || !mails || !readers) process.exitCode = 1;
} finally {
  await reader.terminate();
  const ended = once(server, 'exit');
  server.kill('SIGKILL');
  await ended;
  await new Promise<void>((closed) => mailServer.close(() => closed()));
  await base.stop();
}

/** A user of each customer, and a dispatcher who sees all sites. Their role has the email alarm. */
async function fillReceivers(): Promise<{ customerId: number; userId: number }> {
  await fill(
    pool,
    `
    insert into roles (name, customer_access, site_access, levels, email_alarm)
      select name, access, 0, (select levels from roles limit 1), true
        from (values ('On duty', 1), ('Dispatcher', 0)) role (name, access);
    insert into role_menus (role_id, menu_key)
      select r.id, m.key from roles r cross join menus m where r.email_alarm;
    insert into users (user_name, email, password_hash, customer_id, role_id)
      select 'duty_' || c.id, 'duty' || c.id || '@example.org', 'none', c.id, r.id
        from customers c cross join roles r where r.name = 'On duty' and c.code like 'C%';
    insert into users (user_name, email, password_hash, customer_id, role_id)
      select 'dispatcher', 'dispatcher@example.org', 'none', min(c.id), (select id from roles where name = 'Dispatcher')
        from customers c where c.code = 'C1';`,
  );
  await fill(pool, 'vacuum analyze');
  const { rows } = await pool.query<{ customerId: number; userId: number }>(
    `select customer_id as "customerId", id as "userId" from users where user_name like 'duty\\_%' order by id limit 1`,
  );
  return rows[0]!;
}

/** Rounds of the reader without what filling and alarms left to do: their pages are written, their rows are counted. */
async function warmUp(): Promise<void> {
  await fill(pool, 'checkpoint');
  await fill(pool, 'analyze');
  await readTimes(WARM_UP_ROUNDS);
}

/** The times of the queries of the reader in so many rounds. */
async function readTimes(rounds: number): Promise<number[]> {
  const answer = once(reader, 'message');
  reader.postMessage(rounds);
  const [times] = (await answer) as [number[]];
  return times;
}

/** p95 of the reader's queries during the alarms against p95 of the idle period. */
function checkReaders(busy: readonly number[], idle: readonly number[]): boolean {
  const half = Math.floor(idle.length / 2);
  const halves = [at(idle.slice(0, half), 0.95), at(idle.slice(half), 0.95)];
  const apart = Math.max(...halves) / Math.min(...halves);
  const ratio = at(busy, 0.95) / at(idle, 0.95);
  const kinds = Math.round(idle.length / ROUNDS);
  const ofKind = (times: readonly number[], kind: number) => times.filter((_, index) => index % kinds === kind);
  for (const [title, times] of [['during the alarms', busy] as const, ['idle', idle] as const]) {
    const each = Array.from({ length: kinds }, (_, kind) => ms(at(ofKind(times, kind), 0.95)).trim());
    const all = `p50 ${ms(at(times, 0.5))} p95 ${ms(at(times, 0.95))}, p95 of each kind ${each.join(', ')}`;
    console.log(`  readers' queries ${title}, after ${WARM_UP_ROUNDS} rounds: ${times.length} queries, ${all}`);
  }
  console.log(`  ratio of p95 ${ratio.toFixed(2)} (at most ${GOALS.readers})`);
  const problem =
    Math.min(busy.length, idle.length) < VALID.queries
      ? `fewer than ${VALID.queries} queries`
      : apart > VALID.halves
        ? `the halves of the idle period differ: p95 ${halves.map(ms).join(', ')}`
        : null;
  if (problem !== null) console.log(`  the ratio is NOT VALID: ${problem}`);
  return problem === null && ratio <= GOALS.readers;
}

/** Raises all alarms evenly, each of another device, site after site. Returns when the first one of each site was raised. */
async function raiseAlarms(): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ id: number; site: string }>(
    `select d.id, d.site_id::text as site from (
       select id, site_id, row_number() over (partition by site_id order by id) as n from devices) d
      order by d.n, d.site_id limit $1`,
    [ALARMS],
  );
  const began = new Map<string, number>();
  const turns = SECONDS * TURNS;
  const start = Date.now();
  for (let turn = 0; turn < turns; turn += 1) {
    const due = start + (turn * 1_000) / TURNS;
    if (due > Date.now()) await pass(due - Date.now());
    const these = rows.slice(Math.round((turn * ALARMS) / turns), Math.round(((turn + 1) * ALARMS) / turns));
    for (const { site } of these) if (!began.has(site)) began.set(site, Date.now());
    await pool.query(
      `insert into alarms (device_id, connector, code, kind, level, raised_at, last_at)
       select id, 1, '${CODE}', 'fault', 'CA', now(), now() from unnest($1::int[]) id`,
      [these.map(({ id }) => id)],
    );
  }
  console.log(`  alarms stored within ${((Date.now() - start) / 1_000).toFixed(1)} s`);
  return began;
}

/** Every alarm is counted once, and every receiver has one message for each of their sites. */
async function checkCounts(): Promise<boolean> {
  const { rows } = await pool.query<Record<'incidents' | 'events' | 'open' | 'messages' | 'waiting', number>>(
    `select count(*)::int as incidents, sum(members)::int as events, sum(open)::int as open,
            (select count(*)::int from messages m join users u on u.id = m.user_id
              where u.email is not null) as messages, (select count(*)::int from notices) as waiting
       from incidents where type = 'fault'`,
  );
  const { incidents, events, open, messages, waiting } = rows[0]!;
  const right = incidents === SITES && events === ALARMS && open === ALARMS && messages === 2 * SITES && waiting === 0;
  console.log(
    `  ${incidents} incidents with ${events} alarms, ${open} of them open, and ${messages} messages: ${right ? 'correct' : 'WRONG'}`,
  );
  return right;
}

async function checkMails(began: ReadonlyMap<string, number>): Promise<boolean> {
  const { rows } = await pool.query<{ id: string; name: string }>('select id::text, name from sites');
  const siteIds = new Map(rows.map(({ id, name }) => [name, id]));
  const times: number[] = [];
  const mails = new Map<string, number>();
  for (const { at: time, receiver, source } of arrived) {
    const { subject = '' } = await PostalMime.parse(source);
    const site = siteIds.get(/站点 Site \d+/.exec(subject)?.[0] ?? '');
    if (site === undefined) throw new Error(`A mail without a site: ${subject}`);
    const pair = `${receiver} ${site}`;
    mails.set(pair, (mails.get(pair) ?? 0) + 1);
    times.push(time - (began.get(site) ?? 0));
  }
  const most = Math.max(...mails.values());
  const [half, p95] = [at(times, 0.5), at(times, 0.95)];
  console.log(
    `  ${arrived.length} mails for ${mails.size} pairs of receiver and site, at most ${most} for a pair (goal 1, for ${2 * SITES} pairs)`,
  );
  const { rows: stages } = await pool.query<{ written: number; sent: number }>(
    `select extract(epoch from m.created_at - first.at)::float8 * 1000 as written,
            extract(epoch from m.sent_at - m.created_at)::float8 * 1000 as sent
       from outgoing_mails m join message_mails p on p.mail_id = m.id join incidents i on i.id = p.incident_ids[1]
       join lateral (select i.opened_at as at) first on true`,
  );
  for (const stage of ['written', 'sent'] as const) {
    const took = stages.map((one) => one[stage]);
    console.log(`  mail ${stage} after: p50 ${ms(at(took, 0.5))} p95 ${ms(at(took, 0.95))}`);
  }
  console.log(
    `  alarm until mail server: p50 ${ms(half)} p95 ${ms(p95)} (goal ${GOALS.mailMs} ms), ratio to the goal ${(p95 / GOALS.mailMs).toFixed(2)}`,
  );
  return mails.size === 2 * SITES && most === 1 && p95 <= GOALS.mailMs;
}
