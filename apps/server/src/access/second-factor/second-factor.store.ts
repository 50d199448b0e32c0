import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';

/** The second factor of an account, with its secret as stored. */
export interface FactorRow {
  secret: string;
  confirmedAt: Date | null;
  createdAt: Date;
  recoveryCodes: number;
}

/** The second factor of an account, confirmed or not; null when there is none. */
export async function findFactor(db: Kysely<Database>, userId: number): Promise<FactorRow | null> {
  const { rows } = await sql<FactorRow>`
    select secret, confirmed_at as "confirmedAt", created_at as "createdAt",
           (select count(*)::int from recovery_codes where user_id = ${userId}) as "recoveryCodes"
      from second_factors where user_id = ${userId}`.execute(db);
  return rows[0] ?? null;
}

/** True when the role of an account requires two-factor authentication. */
export async function isFactorRequired(db: Kysely<Database>, userId: number): Promise<boolean> {
  const { rows } = await sql<{ required: boolean }>`
    select r.second_factor as required from users u join roles r on r.id = u.role_id where u.id = ${userId}`.execute(
    db,
  );
  return rows[0]?.required ?? false;
}

/** Stores a secret for confirmation; false when there is a confirmed one. */
export async function putPendingSecret(db: Kysely<Database>, userId: number, secret: string): Promise<boolean> {
  const { rows } = await sql`
    insert into second_factors as f (user_id, secret) values (${userId}, ${secret})
        on conflict (user_id) do update set secret = excluded.secret, created_at = now(), last_step = 0
     where f.confirmed_at is null
    returning user_id`.execute(db);
  return rows.length > 0;
}

/**
 * Confirms a pending secret with its first code and the hashes of the recovery codes; false when the secret has
 * changed.
 */
export async function confirmSecret(
  trx: Kysely<Database>,
  userId: number,
  { secret, step, codeHashes }: { secret: string; step: number; codeHashes: readonly Buffer[] },
): Promise<boolean> {
  const { rows } = await sql`
    update second_factors set confirmed_at = now(), last_step = ${step}
     where user_id = ${userId} and secret = ${secret} and confirmed_at is null returning user_id`.execute(trx);
  if (rows.length === 0) return false;
  await putRecoveryCodes(trx, userId, codeHashes);
  return true;
}

/** Replaces the recovery codes of an account; false when two-factor authentication is off. */
export async function replaceRecoveryCodes(
  trx: Kysely<Database>,
  userId: number,
  codeHashes: readonly Buffer[],
): Promise<boolean> {
  const { rows } = await sql`
    select from second_factors where user_id = ${userId} and confirmed_at is not null for update`.execute(trx);
  if (rows.length === 0) return false;
  await putRecoveryCodes(trx, userId, codeHashes);
  return true;
}

async function putRecoveryCodes(trx: Kysely<Database>, userId: number, codeHashes: readonly Buffer[]): Promise<void> {
  await trx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  await trx
    .insertInto('recovery_codes')
    .values(codeHashes.map((code_hash) => ({ user_id: userId, code_hash })))
    .execute();
}

/** Uses the code of a time step. Of any number of concurrent calls exactly one returns true. */
export async function takeStep(db: Kysely<Database>, userId: number, step: number): Promise<boolean> {
  const { rows } = await sql`
    update second_factors set last_step = ${step}
     where user_id = ${userId} and confirmed_at is not null and last_step < ${step} returning user_id`.execute(db);
  return rows.length > 0;
}

/** Uses a recovery code. Of any number of concurrent calls exactly one returns true. */
export async function takeRecoveryCode(db: Kysely<Database>, userId: number, codeHash: Buffer): Promise<boolean> {
  const { rows } = await sql`
    delete from recovery_codes where user_id = ${userId} and code_hash = ${codeHash} returning user_id`.execute(db);
  return rows.length > 0;
}

/** Removes the second factor of an account with its recovery codes; false when there was no confirmed one. */
export async function deleteFactor(trx: Kysely<Database>, userId: number): Promise<boolean> {
  await trx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  const { rows } = await sql<{ on: boolean }>`
    delete from second_factors where user_id = ${userId} returning confirmed_at is not null as on`.execute(trx);
  return rows[0]?.on ?? false;
}
