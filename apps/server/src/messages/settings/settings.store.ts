import type { MessageSettingRow } from '@chargehand/contract';
import type { QuietHours } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';

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

/** A muted device or site of a user. */
export interface MuteRecord {
  id: number;
  deviceId: number | null;
  siteId: number | null;
  name: string;
  until: Date;
}

/** What a user muted and that is not over, the first to end first. */
export async function listMutes(db: Kysely<Database>, userId: number, now: Date): Promise<MuteRecord[]> {
  const { rows } = await sql<MuteRecord>`
    select m.id, m.device_id as "deviceId", m.site_id as "siteId", coalesce(d.name, s.name) as name, m.until
      from message_mutes m left join devices d on d.id = m.device_id left join sites s on s.id = m.site_id
     where m.user_id = ${userId} and m.until > ${now} order by m.until, m.id`.execute(db);
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
