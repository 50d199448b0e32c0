import { randomBytes, randomInt } from 'node:crypto';
import type { BodyOf, QueryOf, ResultOf, ShareRow, shareEndpoints, WithDates } from '@chargehand/contract';
import { mayOverseeShares, newShareCode, type ShareKind, shareExpiry } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { logAction } from '../audit/index.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/schema.ts';
import type { Caller } from '../platform/http/caller.ts';
import type { PolicyRow } from '../platform/http/policy-row.ts';
import { notFound, Problem } from '../platform/http/problem.ts';
import { listOrder, pageOf, searchOf } from '../platform/http/serve/list-queries.ts';
import type { SecretBox } from '../platform/secret-box.ts';
import { tokenHash } from '../platform/token-hash.ts';
import type { GuestPlace } from '../ports/devices/link-guests.ts';
import type { RunningUses } from './running-uses.ts';
import type { ShareChanges } from './share-changes.ts';
import { type CheckedShare, checkShares, type ShareChecks, sharedObject } from './share-checks.ts';
import { mayPassOn, type SharedFiles } from './shared-files.ts';
import {
  findShare,
  insertShare,
  listShares,
  listUses,
  lockShare,
  type ShareRecord,
  updateShare,
} from './shares.store.ts';

type Endpoints = typeof shareEndpoints;
export type SharesService = ReturnType<typeof sharesService>;

/** Uses in one part of the log. */
const USES = 50;
const TOKEN_BYTES = 24;
const RANDOM_STEPS = 2 ** 32;

/** The shares of users: creating, listing, changing and ending them. */
export function sharesService(parts: {
  db: Kysely<Database>;
  clock: Clock;
  checks: ShareChecks;
  files: SharedFiles;
  running: Pick<RunningUses, 'startedAt'>;
  changes: ShareChanges;
  /** encrypts links and codes for storage */
  box: SecretBox;
}) {
  const { db, clock, checks, files, running, changes, box } = parts;

  async function rowsOf(caller: Caller, shares: readonly ShareRecord[]): Promise<WithDates<ShareRow>[]> {
    return (await checkShares(checks, shares, clock.now())).map((one) => rowOf(caller, one, box));
  }

  async function row(caller: Caller, id: number): Promise<WithDates<ShareRow>> {
    const share = await findShare(db, id, caller);
    const [shown] = share ? await rowsOf(caller, [share]) : [];
    if (!shown) throw notFound('share');
    return shown;
  }

  /** Changes a share that is not destroyed, and logs the differences. */
  async function change(
    caller: Caller,
    id: number,
    make: (share: ShareRecord) => { values: Partial<Values>; before: object; after: object },
  ): Promise<WithDates<ShareRow>> {
    const changed = await db.transaction().execute(async (trx) => {
      const share = await lockShare(trx, id);
      if (!share) throw notFound('share');
      if (share.destroyedAt) throw new Problem('shareOver');
      const { values, before, after } = make(share);
      if (Object.keys(values).length === 0) return null;
      await updateShare(trx, id, values);
      await record(trx, caller, 'edit', share, { before, after });
      return share;
    });
    if (changed) changes.changed(changed);
    return await row(caller, id);
  }

  return {
    /** Creates a share of an object that the policy has checked. */
    async create(
      caller: Caller,
      kind: ShareKind,
      object: { attachmentId: number } | { folderId: number } | { issueId: number } | GuestPlace,
      customerId: PolicyRow['customerId'],
      entered: BodyOf<Endpoints['requestUploads']> & {
        comments?: boolean;
        earlier?: boolean | undefined;
        interactive?: boolean;
        hostSession?: boolean;
        until?: Date;
      },
    ): Promise<WithDates<ShareRow>> {
      if ('attachmentId' in object) {
        const file = await files.file(object.attachmentId);
        if (!file) throw notFound('attachment');
        if (!mayPassOn(caller, file)) throw new Problem('noPermission');
      }
      const { days, code, recipient = '', note = '', useLimit = null, byteLimit = null, comments = false } = entered;
      const {
        earlier = false,
        interactive = false,
        hostSession = false,
        until = shareExpiry(days, clock.now()),
      } = entered;
      const token = randomBytes(TOKEN_BYTES).toString('base64url');
      const made = await db.transaction().execute(async (trx) => {
        const values = {
          ...{ kind, recipient: recipient.trim(), note: note.trim(), use_limit: useLimit, byte_limit: byteLimit },
          ...{ sealed_token: box.close(token), token_hash: tokenHash(token) },
          sealed_code: code ? box.close(newCode()) : null,
          attachment_id: 'attachmentId' in object ? object.attachmentId : null,
          folder_id: 'folderId' in object ? object.folderId : null,
          issue_id: 'issueId' in object ? object.issueId : null,
          terminal_id: 'terminalId' in object ? object.terminalId : null,
          pages_of: 'pagesOf' in object ? object.pagesOf : null,
          ...{ comments, earlier, interactive, host_session: hostSession },
          customer_id: customerId,
          created_by: caller.userId,
          expires_at: until,
        };
        const share = await findShare(trx, await insertShare(trx, values));
        if (!share || share.objectDeletedAt) throw notFound('folder');
        const after = {
          kind,
          until: share.expiresAt,
          accessCode: share.sealedCode !== null,
          recipient: share.recipient,
          note: share.note,
          ...(kind === 'issue' ? { comments, earlier } : {}),
          ...(invites(kind) ? { interactive } : {}),
          ...(kind === 'page' ? { hostSession } : {}),
        };
        await record(trx, caller, 'new', share, { after: { ...after, useLimit, byteLimit } });
        return share;
      });
      changes.used(made);
      return await row(caller, made.id);
    },

    async list(caller: Caller, query: QueryOf<Endpoints['listShares']>): Promise<ResultOf<Endpoints['listShares']>> {
      const { search, kind, ended = false, own = false, attachmentId, folderId, issueId } = query;
      const oversees = mayOverseeShares(caller);
      const { items, total } = await listShares(
        db,
        { ...caller, oversees },
        { search: searchOf(search), kind, ended, own, attachmentId, folderId, issueId },
        listOrder(query.sort, '-createdAt'),
        pageOf(query),
      );
      return { items: await rowsOf(caller, items), total, oversees };
    },

    read: row,

    async uses(id: number, before: number | undefined): Promise<ResultOf<Endpoints['listShareUses']>> {
      const uses = await listUses(db, id, running.startedAt(), before, USES);
      return {
        items: uses.map(({ at, endedAt, active, ...use }) => ({
          ...use,
          at,
          endedAt,
          state: active ? 'running' : endedAt && use.moved >= use.size ? 'complete' : 'brokenOff',
        })),
        next: uses.length === USES ? (uses.at(-1)?.id ?? null) : null,
      };
    },

    async update(caller: Caller, id: number, entered: BodyOf<Endpoints['updateShare']>): Promise<WithDates<ShareRow>> {
      const { days, useLimit, byteLimit, recipient, note, comments } = entered;
      return await change(caller, id, (share) => {
        const next: Partial<Values> = {
          // An invitation ends with its link.
          ...(days === undefined || invites(share.kind) ? {} : { expires_at: shareExpiry(days, clock.now()) }),
          ...(useLimit === undefined ? {} : { use_limit: useLimit }),
          ...(byteLimit === undefined || share.kind !== 'upload' ? {} : { byte_limit: byteLimit }),
          ...(comments === undefined || share.kind !== 'issue' ? {} : { comments }),
          ...(recipient === undefined ? {} : { recipient: recipient.trim() }),
          ...(note === undefined ? {} : { note: note.trim() }),
        };
        const before = limitsOf(share);
        const after = {
          ...(next.expires_at === undefined ? {} : { until: next.expires_at }),
          ...(next.use_limit === undefined ? {} : { useLimit: next.use_limit }),
          ...(next.byte_limit === undefined ? {} : { byteLimit: next.byte_limit }),
          ...(next.comments === undefined ? {} : { comments: next.comments }),
          ...(next.recipient === undefined ? {} : { recipient: next.recipient }),
          ...(next.note === undefined ? {} : { note: next.note }),
        };
        return { values: next, before, after };
      });
    },

    /** Lets guests type or make changes, or only watch. */
    async setInteractive(caller: Caller, id: number, interactive: boolean): Promise<void> {
      await change(caller, id, (share) =>
        share.interactive === interactive || !invites(share.kind)
          ? { values: {}, before: {}, after: {} }
          : { values: { interactive }, before: { interactive: share.interactive }, after: { interactive } },
      );
    },

    /** Forgets the wrong codes. The code is a new one, because the old one was guessed at. */
    async unlock(caller: Caller, id: number): Promise<WithDates<ShareRow>> {
      return await change(caller, id, ({ lockedAt, wrongCodes }) => {
        if (!lockedAt) throw new Problem('shareNotLocked');
        return {
          values: { locked_at: null, wrong_codes: 0, sealed_code: box.close(newCode()) },
          before: { locked: true, wrongCodes },
          after: { locked: false },
        };
      });
    },

    /** Ends a share for good. Ending it again changes nothing. */
    async destroy(caller: Caller, id: number): Promise<void> {
      const destroyed = await db.transaction().execute(async (trx) => {
        const share = await lockShare(trx, id);
        if (!share) throw notFound('share');
        if (share.destroyedAt) return null;
        await updateShare(trx, id, { destroyed_at: clock.now() });
        const { kind, recipient, note, expiresAt, uses } = share;
        await record(trx, caller, 'delete', share, { before: { kind, recipient, note, until: expiresAt, uses } });
        return share;
      });
      if (destroyed) changes.changed(destroyed);
    },
  };
}

/** True for invitations of guests into a link. */
function invites(kind: ShareKind): boolean {
  return kind === 'terminal' || kind === 'page';
}

/** What its creator can change, as it is logged. */
function limitsOf({ expiresAt, useLimit, byteLimit, recipient, note, kind, comments }: ShareRecord) {
  return { until: expiresAt, useLimit, byteLimit, recipient, note, ...(kind === 'issue' ? { comments } : {}) };
}

interface Values {
  expires_at: Date | null;
  use_limit: number | null;
  byte_limit: number | null;
  comments: boolean;
  interactive: boolean;
  recipient: string;
  note: string;
  locked_at: null;
  wrong_codes: number;
  sealed_code: string;
}

function newCode(): string {
  return newShareCode(() => randomInt(RANDOM_STEPS) / RANDOM_STEPS);
}

/** What users see instead of the name of an object that they may not read. */
const OTHERS = {
  attachment: { 'en-US': 'another file', 'zh-CN': '其他文件' },
  folder: { 'en-US': 'another folder', 'zh-CN': '其他目录' },
  issue: { 'en-US': 'another issue', 'zh-CN': '其他问题' },
  link: { 'en-US': 'another device', 'zh-CN': '其他设备' },
} as const;

function rowOf(caller: Caller, { share, end }: CheckedShare, box: SecretBox): WithDates<ShareRow> {
  const own = share.createdBy === caller.userId;
  const object = sharedObject(share);
  const { id, kind, recipient, note, uses, useLimit, bytes, byteLimit, wrongCodes, comments, interactive } = share;
  return {
    ...{ id, kind, recipient, note, uses, useLimit, bytes, byteLimit, wrongCodes, own, comments, interactive },
    object: { ...object, name: share.objectName || OTHERS[object.kind][caller.locale] },
    state: end ?? 'open',
    createdBy: share.createdByName,
    createdAt: share.createdAt,
    expiresAt: share.expiresAt,
    hasCode: share.sealedCode !== null,
    token: own ? box.open(share.sealedToken) : null,
    code: own && share.sealedCode !== null ? box.open(share.sealedCode) : null,
    lastUsedAt: share.lastUsedAt,
  };
}

async function record(
  trx: Kysely<Database>,
  caller: Caller,
  operation: 'new' | 'edit' | 'delete',
  share: ShareRecord,
  values: { before?: object; after?: object },
): Promise<void> {
  await logAction(trx, caller, {
    ...{ operation, objectType: 'share', objectId: String(share.id), objectName: share.objectName },
    ...{ customerId: share.customerId, siteId: null },
    ...values,
  });
}
