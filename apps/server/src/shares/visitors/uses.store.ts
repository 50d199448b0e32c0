import { type Kysely, sql } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { UseKind } from '../tables.ts';
import type { Visitor } from './visitor-pass.ts';

/** A use of a share that begins. */
export interface NewUse {
  shareId: number;
  kind: UseKind;
  attachmentId: number | null;
  name: string;
  size: number;
  visitor: Visitor;
  /** the bytes that its first request may send */
  granted?: number;
}

/** Counts a use, and announced bytes of an upload, unless a limit is reached. Returns whether it was counted. */
export async function countUse(trx: Kysely<Database>, shareId: number, bytes = 0): Promise<boolean> {
  const { rows } = await sql`
    update shares set uses = uses + 1, bytes = bytes + ${bytes}, last_used_at = now()
     where id = ${shareId} and destroyed_at is null and (use_limit is null or uses < use_limit)
       and (byte_limit is null or bytes + ${bytes} <= byte_limit)
    returning id`.execute(trx);
  return rows.length > 0;
}

/** Removes a counted use that did not take place. */
export async function uncountUse(trx: Kysely<Database>, shareId: number, bytes = 0): Promise<void> {
  await sql`
    update shares set uses = greatest(0, uses - 1), bytes = greatest(0, bytes - ${bytes})
     where id = ${shareId}`.execute(trx);
}

export async function insertUse(trx: Kysely<Database>, use: NewUse): Promise<number> {
  const { shareId, kind, attachmentId, name, size, visitor, granted = 0 } = use;
  const row = trx.insertInto('share_uses').values({
    ...{ share_id: shareId, kind, attachment_id: attachmentId, name, size, granted },
    ...{ visitor: visitor.key, address: visitor.address },
  });
  return (await row.returning('id').executeTakeFirstOrThrow()).id;
}

/** A use that a request may continue. */
interface EarlierUse {
  id: number;
  startedAt: Date;
  size: number;
  sent: number;
  /** the bytes that its requests may send or have sent */
  granted: number;
  isOpen: boolean;
  activeAt: Date;
}

/** The newest use of a file by a visitor. */
export async function latestUse(
  db: Kysely<Database>,
  { shareId, kind, attachmentId, visitor }: Pick<NewUse, 'shareId' | 'kind' | 'attachmentId' | 'visitor'>,
): Promise<EarlierUse | null> {
  const { rows } = await sql<EarlierUse>`
    select id, at as "startedAt", size, moved as sent, granted, ended_at is null as "isOpen", active_at as "activeAt"
      from share_uses
     where share_id = ${shareId} and visitor = ${visitor.key} and attachment_id = ${attachmentId} and kind = ${kind}
     order by id desc limit 1`.execute(db);
  return rows[0] ?? null;
}

/**
 * Counts what was sent before a byte at least once: its progress was lost when the server was killed, together with the
 * requests that could have sent the rest.
 */
export async function restoreProgress(db: Kysely<Database>, id: number, firstByte: number): Promise<void> {
  await sql`
    update share_uses set moved = greatest(moved, ${firstByte}), granted = greatest(moved, ${firstByte}),
           active_at = now()
     where id = ${id}`.execute(db);
}

/** Lets a request of a use send some bytes. */
export async function grantBytes(trx: Kysely<Database>, id: number, bytes: number): Promise<void> {
  await sql`update share_uses set granted = granted + ${bytes} where id = ${id}`.execute(trx);
}

/** Adds transferred bytes. `ended`: the request is over, and did not send some of its granted bytes. */
export async function addProgress(
  db: Kysely<Database>,
  id: number,
  bytes: number,
  ended: boolean,
  unsent = 0,
): Promise<void> {
  await sql`
    update share_uses set moved = moved + ${bytes}, granted = greatest(0, granted - ${unsent}), active_at = now(),
           ended_at = ${ended ? sql`now()` : sql`null`}
     where id = ${id}`.execute(db);
}
