import { createHash, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import { type DemoUser, insertPastSessions, insertPastUsers, type PastSession } from './demo-users.store.ts';
import { hashPassword } from './passwords/passwords.ts';

/**
 * Adds the users of the demo. Nobody knows their password, because it is random and not shown: an administrator who wants
 * to sign in as one of them sets a new one. Returns their ids in the given order.
 */
export async function loadDemoUsers(
  db: Kysely<Database>,
  users: readonly DemoUser[],
  createdAt: Date,
): Promise<number[]> {
  const passwordHash = await hashPassword(createHash('sha256').update(randomBytes(32)).digest('hex'));
  return await insertPastUsers(db, users, { createdAt, passwordHash });
}

/** Adds sessions that have ended. Nobody has their tokens. */
export async function loadPastSessions(db: Kysely<Database>, sessions: readonly PastSession[]): Promise<void> {
  await insertPastSessions(
    db,
    sessions.map((session) => ({ ...session, token: randomBytes(32).toString('hex') })),
  );
}
