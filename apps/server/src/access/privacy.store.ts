import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';

export interface PolicyRow {
  version: number;
  content_en: string;
  content_zh: string;
}

/** The policy in force: the one with the highest version; null when there is none. */
export async function currentPolicy(db: Kysely<Database>): Promise<PolicyRow | null> {
  const row = await db
    .selectFrom('privacy_policies')
    .select(['version', 'content_en', 'content_zh'])
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

/** Keeps that a user accepted a version; again changes nothing. */
export async function acceptPolicy(db: Kysely<Database>, userId: number, version: number): Promise<void> {
  await db
    .insertInto('privacy_acceptances')
    .values({ user_id: userId, version })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Publishes a version unless it is already there: what people accepted is never rewritten. */
export async function publishPolicy(db: Kysely<Database>, policy: PolicyRow): Promise<void> {
  await db
    .insertInto('privacy_policies')
    .values(policy)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
