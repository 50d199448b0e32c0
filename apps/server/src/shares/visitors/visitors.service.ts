import { timingSafeEqual } from 'node:crypto';
import type { CodeName, OpenedShare, SharedFolder, WithDates } from '@chargehand/contract';
import { type ShareEnd, shareCodeOf, shareEnd, sharePreviewOf, WRONG_SHARE_CODES } from '@chargehand/domain';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Kysely } from 'kysely';
import type { UserRights } from '../../access/index.ts';
import { logAction } from '../../audit/index.ts';
import { filesOfSharedIssue } from '../../issues/index.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import { announce } from '../../ports/notices.ts';
import type { ShareChanges } from '../share-changes.ts';
import { checkShares, type ShareChecks } from '../share-checks.ts';
import type { SharedFile } from '../shared-files.store.ts';
import { mayPassOn, type SharedFiles, unavailability } from '../shared-files.ts';
import { commentsSince, findShareByToken, lockShare, type ShareRecord, updateShare } from '../shares.store.ts';
import type { Visitor, VisitorPasses } from './visitor-pass.ts';

/** Why a share cannot be used, as its visitors read it. */
const ANSWERS: Record<ShareEnd, CodeName> = {
  destroyed: 'shareDestroyed',
  expired: 'shareExpired',
  withdrawn: 'shareWithdrawn',
  locked: 'shareLocked',
  usedUp: 'shareUsedUp',
};

/** A share that a visitor may use. */
export interface Visit {
  share: ShareRecord;
  /** the creator, whose rights limit what the share gives */
  creator: UserRights;
  visitor: Visitor;
  /** no further use is allowed; begun ones may be finished */
  usedUp: boolean;
}

export type VisitorsService = ReturnType<typeof visitorsService>;

/** Opens shares for visitors: checks the share and its code on every request, and shows what it contains. */
export function visitorsService(parts: {
  db: Kysely<Database>;
  clock: Clock;
  checks: ShareChecks;
  files: SharedFiles;
  passes: VisitorPasses;
  changes: ShareChanges;
  /** opens stored codes */
  box: SecretBox;
}) {
  const { db, clock, checks, files, passes, changes, box } = parts;

  /** A share that can be used, or was used up. @throws {Problem} why it cannot */
  async function usable(token: string): Promise<Omit<Visit, 'visitor'>> {
    const share = await findShareByToken(db, token);
    if (!share) throw new Problem('shareUnknown');
    // Before anything that depends on its object, its creator or its code: an ended share costs what an unknown one does.
    const end = shareEnd({ ...share, permitted: true }, clock.now());
    if (end !== null && end !== 'usedUp') throw new Problem(ANSWERS[end]);
    const [found] = await checkShares(checks, [share], clock.now());
    if (!found || (found.end !== null && found.end !== 'usedUp')) throw new Problem(ANSWERS[found?.end ?? 'withdrawn']);
    if (!found.creator) throw new Problem('shareWithdrawn');
    return { share, creator: found.creator, usedUp: found.end === 'usedUp' };
  }

  /** @throws {Problem} shareCodeNeeded, and why the share cannot be used */
  async function visit(token: string, request: FastifyRequest): Promise<Visit> {
    const found = await usable(token);
    const visitor = passes.find(found.share, request);
    if (!visitor && found.share.sealedCode !== null) throw new Problem('shareCodeNeeded');
    return { ...found, visitor: visitor ?? passes.unknown(request) };
  }

  async function contentOf({
    share,
    creator,
  }: Omit<Visit, 'visitor'>): Promise<NonNullable<WithDates<OpenedShare['content']>>> {
    const file = share.attachmentId === null ? null : await files.file(share.attachmentId);
    const { kind, objectName: name, note, useLimit, byteLimit, interactive } = share;
    const unavailable = file && unavailability(file);
    const isShown = useLimit === null && file !== null && unavailable === null && mayPassOn(creator, file);
    return {
      ...{ kind, name, note, interactive, isFolder: share.folderId !== null, owner: share.createdByName },
      size: file?.size ?? null,
      preview: isShown ? (sharePreviewOf(file.name)?.kind ?? null) : null,
      unavailable,
      expiresAt: share.expiresAt,
      usesLeft: useLimit === null ? null : Math.max(0, useLimit - share.uses),
      bytesLeft: byteLimit === null ? null : Math.max(0, byteLimit - share.bytes),
    };
  }

  /** Counts a wrong code. The row is locked, so that guesses at the same time are counted one after the other. */
  async function checkCode({ id, createdBy, customerId }: ShareRecord, typed: string, address: string): Promise<void> {
    const wrong = await db.transaction().execute(async (trx) => {
      const share = await lockShare(trx, id);
      if (!share) return 'shareUnknown';
      if (share.lockedAt) return 'shareLocked';
      const code = shareCodeOf(typed);
      if (share.sealedCode === null || (code !== null && isSame(code, box.open(share.sealedCode)))) return null;
      // What cannot be a code of any share is a typing error, not a guess.
      if (code === null) return 'shareCodeWrong';
      const wrongCodes = share.wrongCodes + 1;
      const locked = wrongCodes >= WRONG_SHARE_CODES;
      const values = { wrong_codes: wrongCodes, ...(locked ? { locked_at: clock.now() } : {}) };
      await updateShare(trx, id, values);
      if (!locked) return 'shareCodeWrong';
      await announce(trx, {
        type: 'shareLocked',
        key: String(id),
        subject: { kind: 'share', id },
        ...{ customerId: null, siteId: null, deviceId: null, userIds: [share.createdBy] },
        data: { name: share.objectName },
      });
      await logAction(
        trx,
        { userId: null, userName: '', address },
        {
          ...{ operation: 'edit', objectType: 'share', objectId: String(id), objectName: share.objectName },
          ...{ customerId: share.customerId, siteId: null },
          before: { locked: false, wrongCodes: share.wrongCodes },
          after: { locked: true, wrongCodes },
        },
      );
      return 'shareLocked';
    });
    if (wrong === 'shareLocked') changes.changed({ id, createdBy, customerId });
    else if (wrong) changes.used({ id, createdBy, customerId });
    if (wrong) throw new Problem(wrong, wrong === 'shareCodeWrong' ? { field: 'accessCode' } : {});
  }

  return {
    visit,

    /** What the page shows. Nothing is revealed before the right code. */
    async open(token: string, request: FastifyRequest, reply: FastifyReply): Promise<WithDates<OpenedShare>> {
      const found = await usable(token);
      if (found.usedUp) throw new Problem('shareUsedUp');
      const visitor = passes.find(found.share, request);
      if (!visitor && found.share.sealedCode !== null) return { codeNeeded: true, content: null };
      if (!visitor) passes.give(found.share, request, reply);
      return { codeNeeded: false, content: await contentOf(found) };
    },

    /** @throws {Problem} shareCodeWrong, shareLocked, and why the share cannot be used */
    async enterCode(
      token: string,
      typed: string,
      request: FastifyRequest,
      reply: FastifyReply,
    ): Promise<WithDates<OpenedShare>> {
      const found = await usable(token);
      if (found.usedUp) throw new Problem('shareUsedUp');
      await checkCode(found.share, typed, request.ip);
      passes.give(found.share, request, reply);
      return { codeNeeded: false, content: await contentOf(found) };
    },

    /** The files and folders in a shared folder that its creator may see and download. @throws {Problem} shareUsedUp */
    async entries({ share, creator, usedUp }: Visit, folderId: number | undefined): Promise<WithDates<SharedFolder>> {
      if (usedUp) throw new Problem('shareUsedUp');
      const path = await pathOf(share, creator, folderId);
      const { folders, files: found } = await files.entries(creator, path.at(-1)?.id ?? 0);
      return {
        path: path.map(({ id, name }) => ({ id, name })),
        items: [
          ...folders
            .filter((folder) => mayPassOn(creator, folder))
            .map(({ id, name }) => ({
              kind: 'folder' as const,
              id,
              name,
              size: null,
              preview: null,
              unavailable: null,
            })),
          ...found
            .filter((file) => mayPassOn(creator, file))
            .map((file) => {
              const { id, name, size } = file;
              const unavailable = unavailability(file);
              const isShown = share.useLimit === null && unavailable === null;
              const preview = isShown ? (sharePreviewOf(name)?.kind ?? null) : null;
              return { kind: 'file' as const, id, name, size, preview, unavailable };
            }),
        ],
      };
    },

    /** A file of a share. @throws {Problem} shareFileGone if it is not part of it */
    async file({ share, creator }: Visit, fileId: number | undefined): Promise<SharedFile> {
      if (share.kind === 'upload') throw new Problem('shareUploadOnly');
      if (share.linkId !== null) throw new Problem('shareFileGone');
      if (share.issueId !== null) return await fileOfIssue(share.issueId, share, fileId);
      const id = share.attachmentId ?? fileId;
      const file = id === undefined ? null : await files.file(id, creator);
      if (!file || !mayPassOn(creator, file)) throw new Problem('shareFileGone');
      if (share.folderId !== null) await pathOf(share, creator, file.folderId ?? 0);
      return file;
    },

    pathOf,
  };

  /** A file in the text or in a public comment of a shared issue. Who may read an issue may read its files. */
  async function fileOfIssue(issueId: number, share: ShareRecord, fileId: number | undefined): Promise<SharedFile> {
    const isShared = fileId !== undefined && (await filesOfSharedIssue(db, issueId, commentsSince(share))).has(fileId);
    const file = isShared ? await files.file(fileId) : null;
    if (!file) throw new Problem('shareFileGone');
    return file;
  }

  /** The folders from the shared one down to another one. @throws {Problem} shareFileGone if it is not below */
  async function pathOf(share: ShareRecord, creator: UserRights, folderId: number | undefined) {
    if (share.kind === 'upload') throw new Problem('shareUploadOnly');
    if (share.folderId === null) throw new Problem('shareFileGone');
    const path = await files.pathBetween(creator, share.folderId, folderId ?? share.folderId);
    if (!path?.length || !path.every((folder) => mayPassOn(creator, folder))) throw new Problem('shareFileGone');
    return path;
  }
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
