import type { MessageSettingRow } from '@chargehand/contract';
import type { MessageSetting } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { settings } from '../incidents/receivers.store.ts';

/** What decides how users of a role are notified by default. */
export interface RoleSettings {
  name: string;
  emailAlarm: boolean;
  settings: Record<string, MessageSetting>;
}

/** The settings of a role; null when there is no such role. */
export async function findRoleSettings(db: Kysely<Database>, roleId: number): Promise<RoleSettings | null> {
  const { rows } = await sql<RoleSettings>`
    select r.name, r.email_alarm as "emailAlarm", ${settings('role_message_settings', sql`s.role_id = r.id`)} as settings
      from roles r where r.id = ${roleId}`.execute(db);
  return rows[0] ?? null;
}

/** Replaces the settings of a role. Types that are not named follow the default. */
export async function saveRoleSettings(
  trx: Kysely<Database>,
  roleId: number,
  types: readonly MessageSettingRow[],
): Promise<void> {
  const values = types.map(({ inApp, ...more }) => ({ role_id: roleId, in_app: inApp, ...more }));
  await sql`select from roles where id = ${roleId} for update`.execute(trx);
  await sql`delete from role_message_settings where role_id = ${roleId}`.execute(trx);
  await sql`
    insert into role_message_settings
    select * from jsonb_populate_recordset(null::role_message_settings, ${JSON.stringify(values)}::jsonb)`.execute(trx);
}
