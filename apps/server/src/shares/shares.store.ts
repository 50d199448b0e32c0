import type { ShareFacts, ShareKind } from '@chargehand/domain';
import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely';
import { visibleFiles, visibleFolders } from '../attachments/index.ts';
import { anywhere } from '../platform/database/patterns.ts';
import type { Database } from '../platform/database/schema.ts';
import { withinScope } from '../platform/database/scope.ts';
import type { Caller } from '../platform/http/caller.ts';
import type { ListOrder } from '../platform/http/serve/list-queries.ts';
import type { SecretBox } from '../platform/secret-box.ts';
import { tokenHash } from '../platform/token-hash.ts';
import type { UseKind } from './tables.ts';

export interface ShareRecord extends Omit<ShareFacts, 'permitted'> {
  id: number;
  kind: ShareKind;
  /** the link as it is stored: encrypted, and its SHA-256 */
  sealedToken: string;
  tokenHash: Buffer;
  /** the access code as it is stored: encrypted */
  sealedCode: string | null;
  attachmentId: number | null;
  folderId: number | null;
  issueId: number | null;
  /** visitors of the issue may comment */
  comments: boolean;
  /** visitors of the issue also read comments from before the share */
  earlier: boolean;
  /** of a link to a device */
  terminalId: number | null;
  linkId: number | null;
  /** the link whose web pages are shared */
  pagesOf: number | null;
  /** guests may type, or make changes */
  interactive: boolean;
  /** guests use the device cookies of the creator */
  hostSession: boolean;
  customerId: number | null;
  /** the name of the shared file or folder, the number and title of the issue, or the device of the link */
  objectName: string;
  /** when the file or folder was moved to the trash */
  objectDeletedAt: Date | null;
  createdBy: number;
  createdByName: string;
  createdAt: Date;
  recipient: string;
  note: string;
  bytes: number;
  byteLimit: number | null;
  wrongCodes: number;
  lastUsedAt: Date | null;
}

/** Rows that are read at once when they are encrypted. */
const SEALED_AT_ONCE = 500;

/** From when on visitors of a share read comments; null: from the beginning. */
export function commentsSince({ earlier, createdAt }: Pick<ShareRecord, 'earlier' | 'createdAt'>): Date | null {
  return earlier ? null : createdAt;
}

/** A user who reads about shares. */
type ShareViewer = Pick<Caller, 'scope' | 'customerId' | 'levels'>;

/**
 * The name of the shared object; empty if a viewer may not read it now, such as its creator after a move to another
 * customer. Without a viewer it is for the log, or for visitors, whose share is checked.
 */
function objectName(viewer: ShareViewer | null): RawBuilder<string> {
  const seen = (name: RawBuilder<unknown>, condition: (viewer: ShareViewer) => RawBuilder<SqlBool>) =>
    viewer ? sql`case when ${condition(viewer)} then ${name} end` : name;
  return sql<string>`coalesce(
    ${seen(sql`a.name`, visibleFiles)}, ${seen(sql`f.name`, visibleFolders)},
    ${seen(sql`'#' || i.number || ' ' || i.title`, ({ scope }) => withinScope(scope, 'i.customer_id', 'i.site_id'))},
    ${seen(sql`l.device_name || ' (' || l.device_sn || ')'`, ({ scope }) => withinScope(scope, 'l.customer_id', 'l.site_id'))},
    '')`;
}
const columns = (viewer: ShareViewer | null) => sql`
  s.id, s.kind, s.sealed_token as "sealedToken", s.token_hash as "tokenHash", s.sealed_code as "sealedCode", s.attachment_id as "attachmentId", s.folder_id as "folderId",
  s.issue_id as "issueId", s.comments, s.earlier, s.customer_id as "customerId", 
  ${objectName(viewer)} as "objectName", s.terminal_id as "terminalId", l.id as "linkId", s.pages_of as "pagesOf",
  s.interactive, s.host_session as "hostSession",
  coalesce(a.deleted_at, f.deleted_at) as "objectDeletedAt", s.created_by as "createdBy",
  coalesce(nullif(u.nick_name, ''), u.user_name) as "createdByName", s.created_at as "createdAt",
  s.expires_at as "expiresAt", s.recipient, s.note, s.uses, s.use_limit as "useLimit", s.bytes,
  s.byte_limit as "byteLimit", s.wrong_codes as "wrongCodes", s.locked_at as "lockedAt",
  s.destroyed_at as "destroyedAt", s.last_used_at as "lastUsedAt"`;
const FROM = sql`
  shares s join users u on u.id = s.created_by
  left join attachments a on a.id = s.attachment_id left join folders f on f.id = s.folder_id
  left join issues i on i.id = s.issue_id left join link_recordings lr on lr.id = s.terminal_id
  left join links l on l.id = coalesce(s.pages_of, lr.link_id)`;

/** A user who reads the list of shares. */
export type ShareReader = ShareViewer & Pick<Caller, 'userId'> & { oversees: boolean };

/** The shares that a user may see: their own, and those of others in their scope if they oversee them. */
function visible({ userId, scope, oversees }: ShareReader): RawBuilder<SqlBool> {
  const own = sql<SqlBool>`s.created_by = ${userId}`;
  return oversees ? sql<SqlBool>`(${own} or ${withinScope(scope, 's.customer_id', null)})` : own;
}

export interface ShareFilters {
  search: string | undefined;
  kind: ShareKind | undefined;
  ended: boolean;
  own: boolean;
  attachmentId: number | undefined;
  folderId: number | undefined;
  issueId: number | undefined;
}

/** One page of the shares that a user may see, and their total number. */
export async function listShares(
  db: Kysely<Database>,
  reader: ShareReader,
  filters: ShareFilters,
  order: ListOrder<'createdAt' | 'expiresAt' | 'uses'>,
  page: { limit: number; offset: number },
): Promise<{ items: ShareRecord[]; total: number }> {
  const ended = sql<SqlBool>`(s.destroyed_at is not null or s.expires_at <= now())`;
  const conditions = [visible(reader), filters.ended ? ended : sql<SqlBool>`${ended} is not true`];
  if (filters.own) conditions.push(sql<SqlBool>`s.created_by = ${reader.userId}`);
  if (filters.kind !== undefined) conditions.push(sql<SqlBool>`s.kind = ${filters.kind}`);
  if (filters.attachmentId !== undefined) conditions.push(sql<SqlBool>`s.attachment_id = ${filters.attachmentId}`);
  if (filters.folderId !== undefined) conditions.push(sql<SqlBool>`s.folder_id = ${filters.folderId}`);
  if (filters.issueId !== undefined) conditions.push(sql<SqlBool>`s.issue_id = ${filters.issueId}`);
  if (filters.search !== undefined) {
    const pattern = anywhere(filters.search);
    conditions.push(sql<SqlBool>`(
      ${objectName(reader)} ilike ${pattern} or s.recipient ilike ${pattern} or u.user_name ilike ${pattern}
      or u.nick_name ilike ${pattern})`);
  }
  const where = sql.join(conditions, sql` and `);
  const by = { createdAt: sql`s.id`, expiresAt: sql`s.expires_at`, uses: sql`s.uses` }[order.by];
  const direction = order.descending ? sql`desc nulls first` : sql`asc nulls last`;
  const [items, totals] = await Promise.all([
    sql<ShareRecord>`
      select ${columns(reader)} from ${FROM} where ${where}
       order by ${by} ${direction}, s.id ${direction} limit ${page.limit} offset ${page.offset}`.execute(db),
    sql<{ total: number }>`select count(*) as total from ${FROM} where ${where}`.execute(db),
  ]);
  return { items: items.rows, total: totals.rows[0]?.total ?? 0 };
}

/** A share; with a viewer, the name of its object is for them. */
export async function findShare(
  db: Kysely<Database>,
  id: number,
  viewer: ShareViewer | null = null,
): Promise<ShareRecord | null> {
  return (await findShares(db, [id], viewer))[0] ?? null;
}

export async function findShares(
  db: Kysely<Database>,
  ids: readonly number[],
  viewer: ShareViewer | null = null,
): Promise<ShareRecord[]> {
  const { rows } = await sql<ShareRecord>`
    select ${columns(viewer)} from ${FROM} where s.id = any(${ids}::int[])`.execute(db);
  return rows;
}

/** The share of a link; null when there is none. */
export async function findShareByToken(db: Kysely<Database>, token: string): Promise<ShareRecord | null> {
  const { rows } = await sql<ShareRecord>`
    select ${columns(null)} from ${FROM} where s.token_hash = ${tokenHash(token)}`.execute(db);
  return rows[0] ?? null;
}

/** Encrypts the links and codes of shares that an earlier version stored as plain text. */
export async function sealPlainShares(db: Kysely<Database>, box: SecretBox): Promise<void> {
  const plain = db.selectFrom('shares').select(['id', 'sealed_token', 'sealed_code']).where('token_hash', 'is', null);
  for (;;) {
    const rows = await plain.limit(SEALED_AT_ONCE).execute();
    if (rows.length === 0) return;
    for (const { id, sealed_token: token, sealed_code: code } of rows) {
      const sealed = {
        ...{ sealed_token: box.close(token), token_hash: tokenHash(token) },
        sealed_code: code === null ? null : box.close(code),
      };
      // Another process may have encrypted it meanwhile.
      await db.updateTable('shares').set(sealed).where('id', '=', id).where('token_hash', 'is', null).execute();
    }
  }
}

/** Locks a share until the end of the transaction. */
export async function lockShare(trx: Kysely<Database>, id: number): Promise<ShareRecord | null> {
  await trx.selectFrom('shares').select('id').where('id', '=', id).forUpdate().execute();
  return await findShare(trx, id);
}

export interface UseRecord {
  id: number;
  kind: UseKind;
  name: string;
  size: number;
  moved: number;
  address: string;
  at: Date;
  endedAt: Date | null;
  /** it made progress lately */
  active: boolean;
}

/** A use without an end and without progress for so long was broken off. */
const SILENT_SECONDS = 60;

/** The time on the clock of the database. */
export async function databaseTime(db: Kysely<Database>): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select now()`.execute(db);
  return rows[0]?.now ?? new Date(0);
}

/** The newest uses of a share before one, newest first. Those without progress since `startedAt` are not active. */
export async function listUses(
  db: Kysely<Database>,
  shareId: number,
  startedAt: Date,
  before: number | undefined,
  limit: number,
): Promise<UseRecord[]> {
  const { rows } = await sql<UseRecord>`
    select id, kind, name, size, moved, address, at, ended_at as "endedAt",
           ended_at is null and active_at > greatest(${startedAt}, now() - make_interval(secs => ${SILENT_SECONDS})) as active
      from share_uses
     where share_id = ${shareId} and ${before === undefined ? sql`true` : sql`id < ${before}`}
     order by id desc limit ${limit}`.execute(db);
  return rows;
}

/** Where a user receives mails; null when they have no address. */
export async function mailAddressOf(
  db: Kysely<Database>,
  userId: number,
): Promise<{ receiver: string; locale: 'en-US' | 'zh-CN'; userName: string } | null> {
  const user = await db
    .selectFrom('users')
    .select(['email', 'locale', 'user_name as userName'])
    .where('id', '=', userId)
    .executeTakeFirst();
  return user?.email ? { receiver: user.email, locale: user.locale, userName: user.userName } : null;
}
