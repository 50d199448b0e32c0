import { levelSuffices, type ShareEnd, shareEnd } from '@chargehand/domain';
import type { Pool } from 'pg';
import type { UserRights } from '../access/index.ts';
import type { FindRows } from '../ports/policy-rows.ts';
import type { ShareRecord } from './shares.store.ts';

/** A share, whether it can be used, and the rights of its creator, which limit what it gives. */
export interface CheckedShare {
  share: ShareRecord;
  end: ShareEnd | null;
  /** null when its creator may not give the object any more */
  creator: UserRights | null;
}

export interface ShareChecks {
  pool: Pool;
  /** The rights of an enabled user who may still call an endpoint; null for others. */
  rightsOf(userId: number, endpointId: string): Promise<UserRights | null>;
  finders: Record<'attachment' | 'folder' | 'issue' | 'link', FindRows>;
  /** A terminal is open, so that guests can join it. */
  terminalIsOpen(terminalId: number): boolean;
  /** The web pages of a link are open, so that guests can join. */
  pagesAreOpen(linkId: number): boolean;
}

/**
 * Decides whether shares can be used. A share works as long as its creator could create it again: it ends when their
 * account is disabled, when they may no longer see or download the object, and when the object is deleted. It works
 * again when that is undone.
 */
export async function checkShares(
  { pool, rightsOf, finders, terminalIsOpen, pagesAreOpen }: ShareChecks,
  shares: readonly ShareRecord[],
  now: Date,
): Promise<CheckedShare[]> {
  // One round for each creator and kind of object, not for each share.
  const groups = Map.groupBy(shares, (share) => `${share.createdBy} ${endpointOf(share)}`);
  const found = new Map<number, UserRights>();
  for (const group of groups.values()) {
    const [first] = group;
    if (!first) continue;
    const creator = await rightsOf(first.createdBy, endpointOf(first));
    if (!creator) continue;
    const { kind: object } = sharedObject(first);
    const verb = first.kind === 'upload' ? 'write' : 'download';
    const rows = await finders[object](pool, creator, [...new Set(group.map((share) => sharedObject(share).id))]);
    // An issue has no levels: who sees it may give it. Links end when their user loses the permission.
    const isGiven = ({ own }: (typeof rows)[number]) =>
      own ? levelSuffices(creator.levels[own.area][verb], own[verb]) : object === 'issue' || object === 'link';
    const given = new Set(rows.filter(isGiven).map(({ id }) => id));
    for (const share of group) if (given.has(sharedObject(share).id)) found.set(share.id, creator);
  }
  return shares.map((share) => {
    const creator = found.get(share.id) ?? null;
    const { terminalId, pagesOf, objectDeletedAt } = share;
    const isOpen = (terminalId === null || terminalIsOpen(terminalId)) && (pagesOf === null || pagesAreOpen(pagesOf));
    const exists = objectDeletedAt === null && isOpen;
    const permitted = creator !== null && exists;
    return { share, creator, end: shareEnd({ ...share, permitted }, now) };
  });
}

/** What a share gives, or where it asks for files. */
export function sharedObject({ attachmentId, folderId, issueId, linkId }: ShareRecord): {
  kind: 'attachment' | 'folder' | 'issue' | 'link';
  id: number;
} {
  if (attachmentId !== null) return { kind: 'attachment', id: attachmentId };
  if (linkId !== null) return { kind: 'link', id: linkId };
  return issueId === null ? { kind: 'folder', id: folderId ?? 0 } : { kind: 'issue', id: issueId };
}

/** The endpoint that creates such a share. */
function endpointOf({ kind, attachmentId }: ShareRecord): string {
  if (kind === 'upload') return 'shares.requestUploads';
  if (kind === 'issue') return 'shares.createForIssue';
  if (kind === 'terminal') return 'links.inviteGuest';
  if (kind === 'page') return 'links.invitePageGuest';
  return attachmentId === null ? 'shares.createForFolder' : 'shares.createForFile';
}
