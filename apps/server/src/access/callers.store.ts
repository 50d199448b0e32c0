import type { EndCause, PasswordState } from '@chargehand/contract';
import type { Levels } from '@chargehand/domain';
import type { Pool } from 'pg';
import type { LoginReason } from '../audit/index.ts';
import { readIds } from '../platform/database/scope.ts';

/** The rights and state of a user: everything that decides what they may do. */
export interface AccountStateRow {
  user_id: number;
  user_name: string;
  root: boolean;
  enabled: boolean;
  customer_id: number;
  customer_enabled: boolean;
  platform_vendor: boolean;
  read_only: boolean;
  role_id: number | null;
  customer_access: number | null;
  site_access: number | null;
  levels: Levels | null;
  remote_access: number;
  keys: string[];
  customer_ids: number[];
  site_ids: number[];
  /** who chose the password; a password chosen by another user must be changed first */
  password_state: PasswordState;
  /** the role requires two-factor authentication, and none is set up */
  second_factor_due: boolean;
  /** the user has not accepted the newest privacy policy */
  privacy_waits: boolean;
  /** the interface belongs to a menu of the role or a common menu, or is itself common */
  reaches: boolean;
}

/** A session for the guard: its user, their rights, and whether it is valid. */
export interface CallerRow extends AccountStateRow {
  session_id: string;
  csrf: string;
  expires_at: Date;
  last_seen_at: Date;
  ended_at: Date | null;
  end_reason: LoginReason | null;
  end_cause: EndCause | null;
  end_note: string | null;
  page: string | null;
  /** an impersonation is active, or has ended and was not acknowledged */
  viewing: boolean;
  viewing_over: boolean;
  viewed_id: number | null;
  viewing_since: Date | null;
  viewing_until: Date | null;
}

/**
 * Reads the user of a token and whether their role includes an interface, in one query; null if no session has the
 * token. The statement is prepared once for each connection: planning takes twice as long as running it, and it runs
 * for every request.
 */
export async function findCaller(
  pool: Pick<Pool, 'query'>,
  tokenHash: Buffer,
  interfaceId: string,
): Promise<CallerRow | null> {
  const { rows } = await pool.query<Written<CallerRow>>({
    name: 'find-caller',
    text: FIND_CALLER,
    values: [tokenHash, interfaceId],
  });
  return rows[0] ? withIds(rows[0]) : null;
}

/** The same for a user ID, signed in or not; null if there is none. */
export async function findAccountState(
  pool: Pool,
  userId: number,
  interfaceId: string,
): Promise<AccountStateRow | null> {
  const { rows } = await pool.query<Written<AccountStateRow>>({
    name: 'find-account-state',
    text: FIND_STANDING,
    values: [userId, interfaceId],
  });
  return rows[0] ? withIds(rows[0]) : null;
}

/** A row whose IDs are still the text of an array: a user may have hundreds of sites. */
type Written<Row extends AccountStateRow> = Omit<Row, 'customer_ids' | 'site_ids'> &
  Record<'customer_ids' | 'site_ids', string>;

function withIds<Row extends AccountStateRow>(row: Written<Row>): Row {
  return { ...row, customer_ids: readIds(row.customer_ids), site_ids: readIds(row.site_ids) } as Row;
}

const ACCOUNT_STATE = `
       u.id as user_id, u.user_name, u.root, u.enabled, u.customer_id, u.password_state,
       c.enabled as customer_enabled, c.platform_vendor, c.read_only,
       r.id as role_id, r.customer_access, r.site_access, r.levels,
       coalesce(r.remote_access, 0) as remote_access,
       to_json(array(select m.menu_key from role_menus m where m.role_id = u.role_id
                     union select key from menus where common)) as keys,
       array(select customer_id from user_customers where user_id = u.id)::text as customer_ids,
       array(select site_id from user_sites where user_id = u.id)::text as site_ids,
       coalesce(r.second_factor and not exists (select from second_factors f
                                                 where f.user_id = u.id and f.confirmed_at is not null), false)
         as second_factor_due,
       coalesce((select max(version) from privacy_policies) >
                (select coalesce(max(version), 0) from privacy_acceptances where user_id = u.id), false)
         as privacy_waits,
       exists (select from interfaces i where i.id = $2 and i.common)
         or exists (select from menu_interfaces mi join menus m on m.key = mi.menu_key
                     where mi.interface_id = $2
                       and (m.common or exists (select from role_menus rm
                                                 where rm.role_id = u.role_id and rm.menu_key = m.key)))
         as reaches`;

const FIND_CALLER = `
select s.id as session_id, s.csrf, s.expires_at, s.last_seen_at, s.ended_at, s.end_reason,
       s.end_cause, s.end_note, s.page,
       v.session_id is not null as viewing, v.viewed_id, v.since as viewing_since, v.until as viewing_until,
       coalesce(v.ended_at is not null or v.until <= now() or v.viewed_id is null, false) as viewing_over,
       ${ACCOUNT_STATE}
  from sessions s
  join users u on u.id = s.user_id
  join customers c on c.id = u.customer_id
  left join roles r on r.id = u.role_id
  left join viewings v on v.session_id = s.id
 where s.token_hash = $1`;

const FIND_STANDING = `
select ${ACCOUNT_STATE}
  from users u
  join customers c on c.id = u.customer_id
  left join roles r on r.id = u.role_id
 where u.id = $1`;
