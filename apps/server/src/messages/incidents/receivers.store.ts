import type { Locale } from '@chargehand/contract';
import { DIGEST_MINUTE, type MessageSetting, type ScopeFacts, type Shift } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { PUSH_ENDED } from '../channels/push/push-browsers.ts';

/** A user with everything that decides about their messages. */
export interface Candidate extends ScopeFacts {
  id: number;
  userName: string;
  email: string | null;
  /** the number of browsers registered for pushes */
  browsers: number;
  locale: Locale;
  active: boolean;
  /** of the platform vendor, or a root account */
  vendor: boolean;
  keys: string[];
  emailAlarm: boolean;
  own: Record<string, MessageSetting>;
  role: Record<string, MessageSetting>;
  quietFrom: number | null;
  quietTo: number | null;
  digestAt: number;
  mutedDevices: number[];
  mutedSites: number[];
  /** the sites whose notification receiver the user is */
  receiverOf: number[];
}

/** Who may have to be notified: some users, or everybody who may see one of some customers; null: of any place. */
export type Wanted = { userIds: readonly number[] } | { customerIds: readonly number[] | null };

/** The settings of rows that a condition on `s` selects, by type. */
export const settings = (table: 'message_settings' | 'role_message_settings', condition: ReturnType<typeof sql>) => sql`
  coalesce((select jsonb_object_agg(s.type, jsonb_build_object('inApp', s.in_app, 'email', s.email,
                                                               'push', s.push, 'delayed', s.delayed))
              from ${sql.table(table)} s where ${condition}), '{}')`;

/** Reads candidates with their rights and settings, in one query for any number of incidents. */
export async function findCandidates(db: Kysely<Database>, wanted: Wanted, now: Date): Promise<Candidate[]> {
  const condition =
    'userIds' in wanted
      ? sql`u.id = any(${[...wanted.userIds]}::int[])`
      : wanted.customerIds === null
        ? sql`u.enabled`
        : sql`u.enabled and (u.root or r.customer_access = 0
            or (r.customer_access = 1 and u.customer_id = any(${[...wanted.customerIds]}::int[]))
            or (r.customer_access = 2 and exists (
              select from user_customers uc where uc.user_id = u.id
                 and uc.customer_id = any(${[...wanted.customerIds]}::int[]))))`;
  const { rows } = await sql<Candidate>`
    select u.id, u.user_name as "userName", u.email, u.locale,
           (select count(*)::int from push_subscriptions p
             where p.user_id = u.id and not ${PUSH_ENDED}) as browsers, u.root, u.customer_id as "ownCustomerId",
           u.enabled and c.enabled and (u.root or r.id is not null) as active,
           u.root or c.platform_vendor as vendor,
           coalesce(r.customer_access, -1) as "customerAccess", coalesce(r.site_access, -1) as "siteAccess",
           coalesce(r.email_alarm, false) as "emailAlarm",
           array(select m.menu_key from role_menus m where m.role_id = u.role_id
                 union select key from menus where common) as keys,
           array(select customer_id from user_customers where user_id = u.id) as "assignedCustomerIds",
           array(select site_id from user_sites where user_id = u.id) as "assignedSiteIds",
           ${settings('message_settings', sql`s.user_id = u.id`)} as own,
           ${settings('role_message_settings', sql`s.role_id = u.role_id`)} as role,
           t.quiet_from as "quietFrom", t.quiet_to as "quietTo",
           coalesce(t.digest_at, ${DIGEST_MINUTE})::int as "digestAt",
           array(select device_id from message_mutes
                  where user_id = u.id and until > ${now} and device_id is not null) as "mutedDevices",
           array(select site_id from message_mutes
                  where user_id = u.id and until > ${now} and site_id is not null) as "mutedSites",
           array(select site_id from site_receivers where user_id = u.id) as "receiverOf"
      from users u
      join customers c on c.id = u.customer_id
      left join roles r on r.id = u.role_id
      left join message_times t on t.user_id = u.id
     where ${condition}`.execute(db);
  return rows;
}

/** A shift with its place. */
export interface PlacedShift extends Shift {
  customerId: number;
  siteId: number | null;
}

/** The shifts of now at some customers. */
export async function findShifts(
  db: Kysely<Database>,
  customerIds: readonly number[],
  now: Date,
): Promise<PlacedShift[]> {
  const { rows } = await sql<PlacedShift>`
    select customer_id as "customerId", site_id as "siteId", user_id as "userId", substitute_id as "substituteId",
           (extract(epoch from begins_at) * 1000)::float8 as "from", (extract(epoch from ends_at) * 1000)::float8 as "to"
      from on_call_shifts
     where customer_id = any(${[...customerIds]}::int[]) and begins_at <= ${now} and ends_at > ${now}`.execute(db);
  return rows;
}
