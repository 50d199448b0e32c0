import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';

/** An application that sent a request. */
export interface CallingApplication {
  id: number;
  name: string;
  enabled: boolean;
  expiresAt: Date | null;
  userId: number | null;
  allowedAddresses: string[];
  allowedOperations: string[];
  rateLimit: number;
}

const COLUMNS = sql`
  a.id, a.name, a.enabled, a.expires_at as "expiresAt", a.user_id as "userId",
  a.allowed_addresses as "allowedAddresses", a.allowed_operations as "allowedOperations", a.rate_limit as "rateLimit"`;

/** An application with its valid secrets, encrypted. */
export async function findByAppId(
  db: Kysely<Database>,
  appId: string,
  now: Date,
): Promise<(CallingApplication & { secrets: { id: number; secret: string }[] }) | undefined> {
  const { rows } = await sql<CallingApplication & { secrets: { id: number; secret: string }[] }>`
    select ${COLUMNS}, coalesce(
             (select json_agg(json_build_object('id', s.id, 'secret', s.secret) order by s.id desc)
                from application_secrets s
               where s.application_id = a.id and (s.valid_until is null or s.valid_until > ${now})), '[]') as secrets
      from applications a where a.app_id = ${appId}`.execute(db);
  return rows[0];
}

/** An application that has an open stream of events. */
export async function findById(db: Kysely<Database>, id: number): Promise<CallingApplication | undefined> {
  const { rows } = await sql<CallingApplication>`select ${COLUMNS} from applications a where a.id = ${id}`.execute(db);
  return rows[0];
}

/** The application of a token that is valid. */
export async function findByToken(
  db: Kysely<Database>,
  tokenHash: Buffer,
  now: Date,
): Promise<CallingApplication | undefined> {
  const { rows } = await sql<CallingApplication>`
    select ${COLUMNS} from application_tokens t join applications a on a.id = t.application_id
     where t.token_hash = ${tokenHash} and t.until > ${now}`.execute(db);
  return rows[0];
}

/** Uses a nonce. @returns false if it was used before, by any process */
export async function takeNonce(
  db: Kysely<Database>,
  applicationId: number,
  nonce: string,
  until: Date,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('application_nonces')
    .values({ application_id: applicationId, nonce, until })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/**
 * Counts a request in the current minute, over all processes.
 * @returns the number of requests in this minute, including this one
 */
export async function countRequest(db: Kysely<Database>, applicationId: number, now: Date): Promise<number> {
  const minute = minuteOf(now);
  const { rows } = await sql<{ calls: number }>`
    update applications
       set minute_calls = case when minute = ${minute} then minute_calls + 1 else 1 end, minute = ${minute},
           last_used_at = ${now}
     where id = ${applicationId} returning minute_calls as calls`.execute(db);
  return rows[0]?.calls ?? 0;
}

/** The number of requests in the current minute. */
export async function requestsNow(db: Kysely<Database>, applicationId: number, now: Date): Promise<number> {
  const { rows } = await sql<{ calls: number }>`
    select minute_calls as calls from applications
     where id = ${applicationId} and minute = ${minuteOf(now)}`.execute(db);
  return rows[0]?.calls ?? 0;
}

const minuteOf = (now: Date) => new Date(Math.floor(now.getTime() / 60_000) * 60_000);

export async function markSecretUsed(db: Kysely<Database>, secretId: number, now: Date): Promise<void> {
  // Once a minute is precise enough for finding out whether the previous secret is still in use.
  await sql`
    update application_secrets set last_used_at = ${now}
     where id = ${secretId} and (last_used_at is null or last_used_at < ${now}::timestamptz - interval '1 minute')`.execute(
    db,
  );
}

export async function insertToken(
  db: Kysely<Database>,
  token: { token_hash: Buffer; application_id: number; until: Date },
): Promise<void> {
  await db.insertInto('application_tokens').values(token).execute();
}

/** What an application did on a day. */
export interface DayCounts {
  applicationId: number;
  day: string;
  calls: number;
  errors: number;
  /** signatures in its name that were refused */
  refused: number;
}

/** Adds counts of requests to the days of applications. Those that were deleted meanwhile are left out. */
export async function addToDays(db: Kysely<Database>, counts: readonly DayCounts[]): Promise<void> {
  const of = <K extends keyof DayCounts>(key: K) => counts.map((one) => one[key]);
  await sql`
    insert into application_days as d (application_id, day, calls, errors, refused)
    select n.* from unnest(${of('applicationId')}::int[], ${of('day')}::date[], ${of('calls')}::int[],
                           ${of('errors')}::int[], ${of('refused')}::int[])
           as n (application_id, day, calls, errors, refused)
      join applications a on a.id = n.application_id
    on conflict (application_id, day) do update set calls = d.calls + excluded.calls,
                                                    errors = d.errors + excluded.errors,
                                                    refused = d.refused + excluded.refused`.execute(db);
}

/** Removes nonces and tokens that are no longer valid, in parts. */
export async function forgetExpired(db: Kysely<Database>, now: Date): Promise<void> {
  for (const table of ['application_nonces', 'application_tokens'] as const) {
    await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where until <= ${now} limit 5000))`.execute(db);
  }
}

/** Removes secrets that are no longer valid, in parts. Returns their number. */
export async function forgetSecrets(db: Kysely<Database>, now: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from application_secrets where ctid = any(array(
      select ctid from application_secrets where valid_until <= ${now} limit 5000))`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** Removes the counts of days that are long over. Returns their number. */
export async function forgetDays(db: Kysely<Database>, now: Date): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from application_days where day < (${now}::timestamptz at time zone 'utc')::date - 400`.execute(db);
  return Number(numAffectedRows ?? 0);
}
