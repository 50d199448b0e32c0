import type { APPLICATION_STATES } from '@chargehand/contract';
import { foldCase, type Scope } from '@chargehand/domain';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { naturally } from '../platform/database/order/natural-order.ts';
import { anywhere } from '../platform/database/patterns.ts';
import type { Database } from '../platform/database/schema.ts';
import { visibleUsers } from '../platform/database/scope.ts';

/** What users set. */
export interface ApplicationValues {
  name: string;
  description: string;
  allowedAddresses: string[];
  allowedOperations: string[];
  rateLimit: number;
  expiresAt: Date | null;
}

export interface ApplicationRecord {
  id: number;
  name: string;
  description: string;
  icon: string | null;
  appId: string;
  enabled: boolean;
  userId: number | null;
  userName: string | null;
  nickName: string | null;
  customerId: number | null;
  expiresAt: Date | null;
  installedAt: Date;
  lastUsedAt: Date | null;
  callsToday: number;
  errorsToday: number;
  allowedAddresses: string[];
  allowedOperations: string[];
  rateLimit: number;
}

export interface SecretRecord {
  id: number;
  ending: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  validUntil: Date | null;
}

const COLUMNS = sql`
  a.id, a.name, a.description, a.icon, a.app_id as "appId", a.enabled, a.expires_at as "expiresAt",
  a.installed_at as "installedAt", a.last_used_at as "lastUsedAt", a.allowed_addresses as "allowedAddresses",
  a.allowed_operations as "allowedOperations", a.rate_limit as "rateLimit",
  u.id as "userId", u.user_name as "userName", u.nick_name as "nickName", u.customer_id as "customerId",
  coalesce(d.calls, 0) as "callsToday", coalesce(d.errors, 0) as "errorsToday"`;

const FROM = sql`
  applications a left join users u on u.id = a.user_id
  left join application_days d on d.application_id = a.id and d.day = (now() at time zone 'utc')::date`;

/** The applications whose user the caller sees. Those without a user are shown to who sees all users. */
function visible(scope: Scope): RawBuilder<SqlBool> {
  const all = scope.customers === 'all' && scope.sites === 'all';
  return all ? sql<SqlBool>`true` : sql<SqlBool>`(u.id is not null and ${visibleUsers(scope)})`;
}

const STATE = (now: Date) => sql`case
  when not a.enabled then 'disabled' when a.expires_at <= ${now} then 'expired'
  when a.user_id is null then 'userMissing' else 'enabled' end`;

/** One page of the applications that a caller sees, and their number. */
export async function listApplications(
  scope: Scope,
  db: Kysely<Database>,
  query: {
    search: string | undefined;
    state: (typeof APPLICATION_STATES)[number] | undefined;
    now: Date;
    by: 'name' | 'installedAt' | 'lastUsedAt';
    descending: boolean;
    limit: number;
    offset: number;
  },
): Promise<{ items: ApplicationRecord[]; total: number }> {
  const conditions = [visible(scope)];
  if (query.search !== undefined) {
    const pattern = anywhere(query.search);
    conditions.push(
      sql<SqlBool>`(a.name ilike ${pattern} or a.app_id ilike ${pattern} or u.user_name ilike ${pattern})`,
    );
  }
  if (query.state !== undefined) conditions.push(sql<SqlBool>`${STATE(query.now)} = ${query.state}`);
  const matching = sql.join(conditions, sql` and `);
  const order = {
    name: naturally(sql`a.name`),
    installedAt: sql`a.installed_at`,
    lastUsedAt: sql`a.last_used_at`,
  }[query.by];
  const direction = query.descending ? sql`desc nulls last` : sql`asc nulls first`;
  const [items, totals] = await Promise.all([
    sql<ApplicationRecord>`
      select ${COLUMNS} from ${FROM} where ${matching}
       order by ${order} ${direction}, a.id limit ${query.limit} offset ${query.offset}`.execute(db),
    sql<{ total: number }>`
      select count(*)::int as total from applications a left join users u on u.id = a.user_id
       where ${matching}`.execute(db),
  ]);
  return { items: items.rows, total: totals.rows[0]?.total ?? 0 };
}

/** An application; the policy has decided that the caller sees it. */
export async function findApplication(db: Kysely<Database>, id: number): Promise<ApplicationRecord | undefined> {
  const { rows } = await sql<ApplicationRecord>`select ${COLUMNS} from ${FROM} where a.id = ${id}`.execute(db);
  return rows[0];
}

/** Locks the row of an application until the end of the transaction. */
export async function lockApplication(trx: Kysely<Database>, id: number): Promise<ApplicationRecord | undefined> {
  await sql`select from applications where id = ${id} for update`.execute(trx);
  return await findApplication(trx, id);
}

export async function listSecrets(db: Kysely<Database>, applicationId: number, now: Date): Promise<SecretRecord[]> {
  const { rows } = await sql<SecretRecord>`
    select id, ending, created_at as "createdAt", last_used_at as "lastUsedAt", valid_until as "validUntil"
      from application_secrets
     where application_id = ${applicationId} and (valid_until is null or valid_until > ${now})
     order by id desc`.execute(db);
  return rows;
}

/** Requests per day of the last 90 days, the oldest first. */
export async function listDays(
  db: Kysely<Database>,
  applicationId: number,
): Promise<{ day: string; calls: number; errors: number; refused: number }[]> {
  const { rows } = await sql<{ day: string; calls: number; errors: number; refused: number }>`
    select day::text, calls, errors, refused from application_days
     where application_id = ${applicationId} and day > (now() at time zone 'utc')::date - 90 order by day`.execute(db);
  return rows;
}

/** The number of applications. Only one transaction at a time adds one, so that the limit holds. */
export async function lockAndCount(trx: Kysely<Database>): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtext('applications'))`.execute(trx);
  const counting = trx.selectFrom('applications').select(({ fn }) => fn.countAll<string>().as('count'));
  return Number((await counting.executeTakeFirstOrThrow()).count);
}

/** @returns the ID */
export async function insertApplication(
  trx: Kysely<Database>,
  { appId, userId, ...values }: ApplicationValues & { appId: string; userId: number },
): Promise<number> {
  const row = { ...columnsOf(values), app_id: appId, user_id: userId, icon: null };
  return (await trx.insertInto('applications').values(row).returning('id').executeTakeFirstOrThrow()).id;
}

export async function updateApplication(
  trx: Kysely<Database>,
  id: number,
  changed: { enabled: boolean } | { icon: string } | (ApplicationValues & { icon: string | null }),
): Promise<void> {
  const columns = 'name' in changed ? { ...columnsOf(changed), icon: changed.icon } : changed;
  await trx.updateTable('applications').set(columns).where('id', '=', id).execute();
}

export async function deleteApplication(trx: Kysely<Database>, id: number): Promise<void> {
  await trx.deleteFrom('applications').where('id', '=', id).execute();
}

export async function deleteTokens(trx: Kysely<Database>, applicationId: number): Promise<void> {
  await trx.deleteFrom('application_tokens').where('application_id', '=', applicationId).execute();
}

export async function insertSecret(
  trx: Kysely<Database>,
  applicationId: number,
  secret: { secret: string; ending: string },
): Promise<void> {
  await trx
    .insertInto('application_secrets')
    .values({ application_id: applicationId, ...secret })
    .execute();
}

/** Ends the secret without an end. */
export async function endSecret(trx: Kysely<Database>, applicationId: number, until: Date): Promise<void> {
  await trx
    .updateTable('application_secrets')
    .set({ valid_until: until })
    .where('application_id', '=', applicationId)
    .where('valid_until', 'is', null)
    .execute();
}

export async function deleteSecret(trx: Kysely<Database>, id: number): Promise<void> {
  await trx.deleteFrom('application_secrets').where('id', '=', id).execute();
}

function columnsOf(values: ApplicationValues) {
  return {
    name: values.name,
    name_key: foldCase(values.name),
    description: values.description,
    allowed_addresses: values.allowedAddresses,
    allowed_operations: values.allowedOperations,
    rate_limit: values.rateLimit,
    expires_at: values.expiresAt,
  };
}
