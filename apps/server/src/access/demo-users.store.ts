import type { BUILT_IN_ROLES } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../platform/database/schema.ts';

/** An invented user of the demo. */
export interface DemoUser {
  userName: string;
  nickName: string;
  /** the code of the customer; null: the platform vendor */
  customerCode: string | null;
  role: keyof typeof BUILT_IN_ROLES;
  locale: 'en-US' | 'zh-CN';
  contact: string;
  /** the codes of sites assigned to a role that sees only assigned sites */
  siteCodes: readonly string[];
}

export async function insertPastUsers(
  db: Kysely<Database>,
  users: readonly DemoUser[],
  { createdAt, passwordHash }: { createdAt: Date; passwordHash: string },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    insert into users (user_name, nick_name, email, password_hash, customer_id, role_id, locale, contact, created_at)
    select "userName", "nickName", "userName" || '@example.org', ${passwordHash}, c.id, r.id, locale, u.contact, ${createdAt}
      from rows from (jsonb_to_recordset(${JSON.stringify(users)}::jsonb) as (
             "userName" text, "nickName" text, "customerCode" text, role text, locale text, contact text))
             with ordinality u
      join customers c on c.code = u."customerCode" or (u."customerCode" is null and c.platform_vendor)
      join roles r on r.name = u.role
     order by ordinality
    returning id`.execute(db);
  const ids = rows.map(({ id }) => id);
  const sites = users.flatMap(({ siteCodes }, index) => siteCodes.map((code) => ({ code, userId: ids[index] })));
  await sql`
    insert into user_sites (user_id, site_id)
    select r."userId", s.id from jsonb_to_recordset(${JSON.stringify(sites)}::jsonb) as r (code text, "userId" int)
      join users u on u.id = r."userId" join sites s on s.code = r.code and s.customer_id = u.customer_id`.execute(db);
  return ids;
}

/** A session of a user that has ended. */
export interface PastSession {
  userId: number;
  from: Date;
  to: Date;
  endReason: 'loggedOut' | 'networkTimeout';
  address: string;
  userAgent: string;
}

export async function insertPastSessions(
  db: Kysely<Database>,
  sessions: readonly (PastSession & { token: string })[],
): Promise<void> {
  await sql`
    insert into sessions (id, token_hash, csrf, user_id, created_at, last_seen_at, expires_at, ended_at, end_reason,
                          address, user_agent)
    select gen_random_uuid(), decode(token, 'hex'), '', "userId", "from", "to", "to", "to", "endReason", address, "userAgent"
      from jsonb_to_recordset(${JSON.stringify(sessions)}::jsonb) as r (
        token text, "userId" int, "from" timestamptz, "to" timestamptz, "endReason" text, address text, "userAgent" text)
     order by "from"`.execute(db);
}
