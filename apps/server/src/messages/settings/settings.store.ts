import type { MessageSettingRow } from '@chargehand/contract';
import type { QuietHours, Scope } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import { naturally } from '../../platform/database/order/natural-order.ts';
import type { Database } from '../../platform/database/schema.ts';
import { withinScope } from '../../platform/database/scope.ts';

/** Replaces the settings of a user. Types that are not named follow the default. */
export async function saveSettings(
  trx: Kysely<Database>,
  userId: number,
  settings: readonly MessageSettingRow[],
  times: { quiet: QuietHours | null; digestAt: number },
): Promise<void> {
  await sql`delete from message_settings where user_id = ${userId}`.execute(trx);
  await sql`
    insert into message_settings (user_id, type, in_app, email, push, delayed)
    select ${userId}, s.type, s."inApp", s.email, s.push, s.delayed
      from jsonb_to_recordset(${JSON.stringify(settings)}::jsonb) as s (
        type text, "inApp" boolean, email boolean, push boolean, delayed boolean)
    on conflict (user_id, type) do update set
      in_app = excluded.in_app, email = excluded.email, push = excluded.push, delayed = excluded.delayed`.execute(trx);
  const { quiet, digestAt } = times;
  await sql`
    insert into message_times (user_id, quiet_from, quiet_to, digest_at)
    values (${userId}, ${quiet?.from ?? null}, ${quiet?.to ?? null}, ${digestAt})
    on conflict (user_id) do update set
      quiet_from = excluded.quiet_from, quiet_to = excluded.quiet_to, digest_at = excluded.digest_at`.execute(trx);
}

/** A shift of a user that is not over. */
export interface OwnShift {
  /** the site, or the customer if it is for all of its sites */
  place: string;
  from: Date;
  to: Date;
  substitute: boolean;
}

/** The shifts of a user that are not over, at places in scope: others do not lead to messages. */
export async function ownShifts(
  scope: Scope,
  db: Kysely<Database>,
  userId: number,
  now: Date,
  limit: number,
): Promise<OwnShift[]> {
  const { rows } = await sql<OwnShift>`
    select coalesce(s.name, c.name) as place, o.begins_at as "from", o.ends_at as "to", o.user_id <> ${userId} as substitute
      from on_call_shifts o join customers c on c.id = o.customer_id left join sites s on s.id = o.site_id
     where (o.user_id = ${userId} or o.substitute_id = ${userId}) and o.ends_at > ${now}
       and ${withinScope(scope, 'o.customer_id', null)}
       and (o.site_id is null or ${withinScope(scope, 'o.customer_id', 'o.site_id')})
     order by o.begins_at, o.id limit ${limit}`.execute(db);
  return rows;
}

/** The sites in scope whose notification receiver a user is: the first names, and how many there are. */
export async function receiverSites(
  scope: Scope,
  db: Kysely<Database>,
  userId: number,
  limit: number,
): Promise<{ sites: string[]; total: number }> {
  const { rows } = await sql<{ name: string; total: number }>`
    select s.name, (count(*) over ())::int as total
      from site_receivers r join sites s on s.id = r.site_id
     where r.user_id = ${userId} and ${withinScope(scope, 's.customer_id', 's.id')}
     order by ${naturally(sql`s.name`)}, s.id limit ${limit}`.execute(db);
  return { sites: rows.map(({ name }) => name), total: rows[0]?.total ?? 0 };
}

/** A muted device or site of a user. */
export interface MuteRecord {
  id: number;
  deviceId: number | null;
  siteId: number | null;
  name: string;
  until: Date;
}

/**
 * What a user muted and still sees, and that is not over, the first to end first. Others are not named, and nothing is
 * announced of them.
 */
export async function listMutes(scope: Scope, db: Kysely<Database>, userId: number, now: Date): Promise<MuteRecord[]> {
  const { rows } = await sql<MuteRecord>`
    select m.id, m.device_id as "deviceId", m.site_id as "siteId", coalesce(d.name, s.name) as name, m.until
      from message_mutes m left join devices d on d.id = m.device_id left join sites s on s.id = m.site_id
     where m.user_id = ${userId} and m.until > ${now}
       and (${withinScope(scope, 'd.customer_id', 'd.site_id')} or ${withinScope(scope, 's.customer_id', 's.id')})
     order by m.until, m.id`.execute(db);
  return rows;
}

/** Mutes a device or site for a user until a time; null ends it. Removes what is over. */
export async function saveMute(
  trx: Kysely<Database>,
  userId: number,
  place: { deviceId: number | null; siteId: number | null },
  until: Date | null,
  now: Date,
): Promise<void> {
  const { deviceId, siteId } = place;
  await sql`
    delete from message_mutes where user_id = ${userId}
       and (until <= ${now} or device_id = ${deviceId} or site_id = ${siteId})`.execute(trx);
  if (until === null) return;
  await sql`
    insert into message_mutes (user_id, device_id, site_id, until)
    values (${userId}, ${deviceId}, ${siteId}, ${until})`.execute(trx);
}
