import type { Scope, Shift } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import { naturally } from '../../platform/database/order/natural-order.ts';
import type { Database } from '../../platform/database/schema.ts';
import { visibleUsers, withinScope } from '../../platform/database/scope.ts';

interface Named {
  id: number;
  name: string;
}

/** A shift with the names that are shown. */
export interface ShiftRecord {
  id: number;
  customerId: number;
  customerName: string;
  site: Named | null;
  user: Named;
  substitute: Named | null;
  from: Date;
  to: Date;
}

/** The place of shifts: a site, or all sites of a customer. */
export interface DutyPlace {
  customerId: number;
  siteId: number | null;
}

/** What a user enters. */
export interface EnteredShift {
  siteId: number | null;
  userId: number;
  substituteId: number | null;
  from: Date;
  to: Date;
}

const COLUMNS = sql`
  o.id, o.customer_id as "customerId", c.name as "customerName", o.begins_at as "from", o.ends_at as "to",
  case when s.id is not null then jsonb_build_object('id', s.id, 'name', s.name) end as site,
  jsonb_build_object('id', u.id, 'name', coalesce(nullif(u.nick_name, ''), u.user_name)) as "user",
  case when r.id is not null then jsonb_build_object('id', r.id, 'name', coalesce(nullif(r.nick_name, ''), r.user_name))
       end as substitute`;
const JOINS = sql`
  on_call_shifts o
  join customers c on c.id = o.customer_id
  join users u on u.id = o.user_id
  left join users r on r.id = o.substitute_id
  left join sites s on s.id = o.site_id`;

/** The shifts of a period at places in scope. Shifts for all sites of a customer are shown to everybody at one of them. */
export async function listShifts(
  scope: Scope,
  db: Kysely<Database>,
  period: { from: Date; to: Date },
  { customerId, siteId }: { customerId?: number | undefined; siteId?: number | undefined },
  limit: number,
): Promise<ShiftRecord[]> {
  const conditions = [
    sql`o.ends_at > ${period.from} and o.begins_at < ${period.to}`,
    withinScope(scope, 'o.customer_id', null),
    sql`(o.site_id is null or ${withinScope(scope, 'o.customer_id', 'o.site_id')})`,
  ];
  if (customerId !== undefined) conditions.push(sql`o.customer_id = ${customerId}`);
  if (siteId !== undefined) {
    conditions.push(sql`
      (o.site_id = ${siteId} or (o.site_id is null and o.customer_id = (select customer_id from sites where id = ${siteId})))`);
  }
  const { rows } = await sql<ShiftRecord>`
    select ${COLUMNS} from ${JOINS} where ${sql.join(conditions, sql` and `)}
     order by o.begins_at, o.id limit ${limit}`.execute(db);
  return rows;
}

/** A shift of a customer, locked; null when there is none. */
export async function lockShift(trx: Kysely<Database>, customerId: number, id: number): Promise<ShiftRecord | null> {
  const { rows } = await sql<ShiftRecord>`
    select ${COLUMNS} from ${JOINS} where o.id = ${id} and o.customer_id = ${customerId} for update of o`.execute(trx);
  return rows[0] ?? null;
}

/** Lets one transaction at a time change the shifts of a customer. */
export async function lockSchedule(trx: Kysely<Database>, customerId: number): Promise<void> {
  await sql`select from customers where id = ${customerId} for update`.execute(trx);
}

/** The shifts of exactly this place that overlap a period, without one of them. */
export async function shiftsBeside(
  trx: Kysely<Database>,
  { customerId, siteId }: DutyPlace,
  period: { from: Date; to: Date },
  except: number | null,
): Promise<Shift[]> {
  const { rows } = await sql<{ userId: number; substituteId: number | null; from: Date; to: Date }>`
    select user_id as "userId", substitute_id as "substituteId", begins_at as "from", ends_at as "to" from on_call_shifts
     where customer_id = ${customerId} and site_id is not distinct from ${siteId}
       and ends_at > ${period.from} and begins_at < ${period.to} and id is distinct from ${except}`.execute(trx);
  return rows.map(({ from, to, ...people }) => ({ ...people, from: from.getTime(), to: to.getTime() }));
}

export async function insertShift(trx: Kysely<Database>, customerId: number, shift: EnteredShift): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into on_call_shifts (customer_id, site_id, user_id, substitute_id, begins_at, ends_at)
    values (${customerId}, ${shift.siteId}, ${shift.userId}, ${shift.substituteId}, ${shift.from}, ${shift.to})
    returning id`.execute(trx);
  return rows[0]!.id;
}

export async function updateShift(trx: Kysely<Database>, id: number, shift: EnteredShift): Promise<void> {
  await sql`
    update on_call_shifts set site_id = ${shift.siteId}, user_id = ${shift.userId}, substitute_id = ${shift.substituteId},
           begins_at = ${shift.from}, ends_at = ${shift.to}
     where id = ${id}`.execute(trx);
}

export async function deleteShift(trx: Kysely<Database>, id: number): Promise<void> {
  await sql`delete from on_call_shifts where id = ${id}`.execute(trx);
}

/**
 * Copies the shifts of a place that begin in seven days to the weeks after it, except where the user is on duty already.
 * Returns the number of shifts that exist and of those that were added.
 */
export async function copyShifts(
  trx: Kysely<Database>,
  { customerId, siteId }: DutyPlace,
  from: Date,
  weeks: number,
): Promise<{ wanted: number; copied: number }> {
  const { rows } = await sql<{ wanted: number; copied: number }>`
    with copies as (
      select user_id, substitute_id, begins_at + make_interval(days => 7 * week) as begins_at,
             ends_at + make_interval(days => 7 * week) as ends_at
        from on_call_shifts, generate_series(1, ${weeks}::int) week
       where customer_id = ${customerId} and site_id is not distinct from ${siteId}
         and begins_at >= ${from} and begins_at < ${from}::timestamptz + interval '7 days'
    ), added as (
      insert into on_call_shifts (customer_id, site_id, user_id, substitute_id, begins_at, ends_at)
      select ${customerId}, ${siteId}, user_id, substitute_id, begins_at, ends_at from copies
       where not exists (
         select from on_call_shifts o
          where o.customer_id = ${customerId} and o.site_id is not distinct from ${siteId} and o.user_id = copies.user_id
            and o.begins_at < copies.ends_at and o.ends_at > copies.begins_at)
       order by begins_at
      returning id
    )
    select (select count(*) from copies)::int as wanted, (select count(*) from added)::int as copied`.execute(trx);
  return rows[0]!;
}

/** The substitutes of the shifts of exactly this place that begin in seven days. */
export async function substitutesOf(
  db: Kysely<Database>,
  { customerId, siteId }: DutyPlace,
  from: Date,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct substitute_id as id from on_call_shifts
     where customer_id = ${customerId} and site_id is not distinct from ${siteId} and substitute_id is not null
       and ends_at > ${from} and begins_at >= ${from} and begins_at < ${from}::timestamptz + interval '7 days'`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/** The sites of a customer by name. */
export async function sitesOf(db: Kysely<Database>, customerId: number): Promise<Named[]> {
  const { rows } = await sql<Named>`
    select id, name from sites where customer_id = ${customerId} order by ${naturally(sql`name`)}, id`.execute(db);
  return rows;
}

/** Whether a site belongs to a customer. */
export async function isSiteOf(db: Kysely<Database>, customerId: number, siteId: number): Promise<boolean> {
  const { rows } = await sql`select from sites where id = ${siteId} and customer_id = ${customerId}`.execute(db);
  return rows.length > 0;
}

/** The nicknames of users, by id. */
export async function namesOf(db: Kysely<Database>, ids: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await sql<Named>`
    select id, coalesce(nullif(nick_name, ''), user_name) as name from users
     where id = any(${[...ids]}::int[])`.execute(db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** The minutes that a customer has set; null: the usual ones. */
export async function findEscalation(db: Kysely<Database>, customerId: number): Promise<number | null> {
  const { rows } = await sql<{ minutes: number }>`
    select escalate_minutes as minutes from on_call_settings where customer_id = ${customerId}`.execute(db);
  return rows[0]?.minutes ?? null;
}

export async function saveEscalation(trx: Kysely<Database>, customerId: number, minutes: number): Promise<void> {
  await sql`
    insert into on_call_settings (customer_id, escalate_minutes) values (${customerId}, ${minutes})
    on conflict (customer_id) do update set escalate_minutes = excluded.escalate_minutes`.execute(trx);
}

/** The name of a customer, for the action log. */
export async function customerNameOf(db: Kysely<Database>, customerId: number): Promise<string> {
  const { rows } = await sql<{ name: string }>`select name from customers where id = ${customerId}`.execute(db);
  return rows[0]?.name ?? '';
}

/** Which of some users a caller with this scope sees. */
export async function seenUsers(db: Kysely<Database>, scope: Scope, ids: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    select u.id from users u where u.id = any(${[...ids]}::int[]) and ${visibleUsers(scope)}`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
