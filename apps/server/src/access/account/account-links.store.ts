import type { Locale } from '@chargehand/contract';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';

export type LinkPurpose = 'resetPassword' | 'invitation' | 'changeEmail';

/** A valid link and its account. */
export interface OpenLink {
  purpose: LinkPurpose;
  /** where it was sent */
  email: string;
  expiresAt: Date;
  userId: number;
  userName: string;
  nickName: string;
  locale: Locale;
  customerId: number;
}

/** Creates a link. It replaces a link of the same kind for the account. */
export async function putLink(
  trx: Kysely<Database>,
  link: { userId: number; purpose: LinkPurpose; tokenHash: Buffer; email: string; expiresAt: Date },
): Promise<void> {
  const values = { token_hash: link.tokenHash, email: link.email, expires_at: link.expiresAt };
  await trx
    .insertInto('account_links')
    .values({ user_id: link.userId, purpose: link.purpose, ...values })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'purpose']).doUpdateSet({ ...values, created_at: sql<Date>`now()` }),
    )
    .execute();
}

/** The link of a token; null if it does not exist, has expired, was used, or its account is disabled. */
export async function findLink(db: Kysely<Database>, tokenHash: Buffer): Promise<OpenLink | null> {
  const { rows } = await sql<OpenLink>`
    select l.purpose, l.email, l.expires_at as "expiresAt", u.id as "userId", u.user_name as "userName",
           u.nick_name as "nickName", u.locale, u.customer_id as "customerId"
      from account_links l join users u on u.id = l.user_id join customers c on c.id = u.customer_id
     where l.token_hash = ${tokenHash} and l.expires_at > now() and u.enabled and c.enabled`.execute(db);
  return rows[0] ?? null;
}

/** Uses a link. Of simultaneous calls, exactly one returns true. */
export async function takeLink(trx: Kysely<Database>, tokenHash: Buffer): Promise<boolean> {
  const { rows } = await sql`
    delete from account_links where token_hash = ${tokenHash} and expires_at > now() returning user_id`.execute(trx);
  return rows.length > 0;
}

/** A link of an account. Used links are deleted; expired ones are kept. */
export async function findLinkOf(
  db: Kysely<Database>,
  userId: number,
  purpose: LinkPurpose,
): Promise<{ email: string; sentAt: Date; expiresAt: Date } | null> {
  const link = await db
    .selectFrom('account_links')
    .select(['email', 'created_at as sentAt', 'expires_at as expiresAt'])
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .executeTakeFirst();
  return link ?? null;
}

/** Deletes a link of an account. Returns true if there was one. */
export async function dropLink(trx: Kysely<Database>, userId: number, purpose: LinkPurpose): Promise<boolean> {
  const dropped = await trx
    .deleteFrom('account_links')
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .returning('user_id')
    .executeTakeFirst();
  return dropped !== undefined;
}

/** The account for a password reset; null if there is none, or it is disabled. */
export async function findByEmail(
  db: Kysely<Database>,
  email: string,
): Promise<{ id: number; userName: string; nickName: string; locale: Locale; email: string } | null> {
  const { rows } = await sql<{ id: number; userName: string; nickName: string; locale: Locale; email: string }>`
    select u.id, u.user_name as "userName", u.nick_name as "nickName", u.locale, u.email
      from users u join customers c on c.id = u.customer_id
     where lower(u.email) = lower(${email}) and u.enabled and c.enabled`.execute(db);
  return rows[0] ?? null;
}
