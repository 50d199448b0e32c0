import { type Level, levelSuffices, type RequiredLevel } from '../access/levels.ts';
import type { Scope } from '../access/scope.ts';
import { shownType } from '../attachments/file-names.ts';
import { withoutEnd } from '../text/scan/scan.ts';

/** The validity of a share in days (spec §3); without one it is permanent. */
export const SHARE_DAYS = [1, 7, 30] as const;
export type ShareDays = (typeof SHARE_DAYS)[number];

const DAY_MS = 24 * 60 * 60_000;

/** When a share ends; null for a permanent one. */
export function shareExpiry(days: ShareDays | null, from: Date): Date | null {
  return days === null ? null : new Date(from.getTime() + days * DAY_MS);
}

/** Letters and digits that are not mistaken for each other: without 0, O, 1, I and L. */
export const SHARE_CODE_CHARACTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
/** The length of an access code (spec §5). */
export const SHARE_CODE_LENGTH = 4;
/** So many wrong codes lock a share, until its owner unlocks it. */
export const WRONG_SHARE_CODES = 10;

/**
 * An access code as a person types it, in the form in which it is stored: in upper case, without spaces, full-width
 * characters as plain ones. Null when no share can have this code.
 */
export function shareCodeOf(typed: string): string | null {
  const code = typed.normalize('NFKC').replace(/[\s-]/g, '').toUpperCase();
  const known = [...code].every((character) => SHARE_CODE_CHARACTERS.includes(character));
  return code.length === SHARE_CODE_LENGTH && known ? code : null;
}

/** Makes an access code from random numbers of 0 to 1. */
export function newShareCode(random: () => number): string {
  const character = () => SHARE_CODE_CHARACTERS[Math.floor(random() * SHARE_CODE_CHARACTERS.length)] ?? 'A';
  return Array.from({ length: SHARE_CODE_LENGTH }, character).join('');
}

/**
 * `download` gives a file or folder; `upload` is a request for files; `issue` shows an issue; `terminal` and `page` invite
 * a guest into a terminal, and to the web pages of a device.
 */
export type ShareKind = 'download' | 'upload' | 'issue' | 'terminal' | 'page';

/** Why a share cannot be used; the first that applies is shown. */
export const SHARE_ENDS = ['destroyed', 'expired', 'withdrawn', 'locked', 'usedUp'] as const;
export type ShareEnd = (typeof SHARE_ENDS)[number];

/** What decides whether a share can be used. */
export interface ShareFacts {
  destroyedAt: Date | null;
  expiresAt: Date | null;
  lockedAt: Date | null;
  /** finished or begun downloads, or uploaded files */
  uses: number;
  /** the maximum number of uses; null: any number */
  useLimit: number | null;
  /** its creator is enabled and may still give the object away; the object exists */
  permitted: boolean;
}

/** Why a share cannot be used at a time; null when it can. */
export function shareEnd(share: ShareFacts, now: Date): ShareEnd | null {
  if (share.destroyedAt !== null) return 'destroyed';
  if (share.expiresAt !== null && share.expiresAt <= now) return 'expired';
  if (!share.permitted) return 'withdrawn';
  if (share.lockedAt !== null) return 'locked';
  return share.useLimit !== null && share.uses >= share.useLimit ? 'usedUp' : null;
}

/** True when running downloads and uploads of a share end with it. A used up share finishes them. */
export function endsRunning(end: ShareEnd | null): boolean {
  return end !== null && end !== 'usedUp';
}

/**
 * Users with this write level or a higher one, who see all sites of their customers, see and end the shares of others: a
 * share may be of any site.
 */
const OVERSEE_LEVEL: Level = 2;

/** The level with which users see the shares of others in their scope. */
export const OVERSEE_SHARES = {
  area: 'attachment',
  verb: 'write',
  level: OVERSEE_LEVEL,
} as const satisfies RequiredLevel;

/** May a user see and change the shares of other users of the customers in their scope? */
export function mayOverseeShares(user: {
  levels: { attachment: { write: Level } };
  scope: Pick<Scope, 'sites'>;
}): boolean {
  return user.scope.sites === 'all' && levelSuffices(user.levels.attachment.write, OVERSEE_LEVEL);
}

/** How long a broken download can be resumed. Milliseconds. */
const RESUME_MS = DAY_MS;

/** A download of a file by one visitor. */
export interface ShareDownload {
  startedAt: Date;
  size: number;
  /** bytes sent so far, in all its requests */
  sent: number;
}

/**
 * Does a request belong to an earlier download of the same file by the same visitor, so that it does not count again?
 * Resuming and reading in ranges do, for a day, until twice the file was sent. Otherwise a limit would be meaningless.
 */
export function continuesDownload(download: ShareDownload, firstByte: number, now: Date): boolean {
  const isRecent = now.getTime() - download.startedAt.getTime() < RESUME_MS;
  return firstByte > 0 && isRecent && download.sent < 2 * download.size;
}

/** How a browser shows a file on the page of a share. */
export type SharePreview = 'image' | 'pdf' | 'text' | 'video';

/** The preview of a file by its name, with its media type; null when there is none. Nothing in it can run a script. */
export function sharePreviewOf(name: string): { kind: SharePreview; type: string } | null {
  const type = shownType(name);
  if (type === null) return null;
  if (type.startsWith('image/')) return { kind: 'image', type };
  if (type.startsWith('video/')) return { kind: 'video', type };
  return { kind: type === 'application/pdf' ? 'pdf' : 'text', type };
}

/** Gives each path of an archive a name that unpacks below its folder on every system, and that no other path has. */
export function archivePaths(paths: readonly (readonly string[])[]): string[] {
  const used = new Set<string>();
  return paths.map((path) => {
    const parts = path.map(archiveName);
    const name = parts.pop() ?? '_';
    const dot = name.lastIndexOf('.');
    const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
    for (let count = 1; ; count += 1) {
      const whole = [...parts, count === 1 ? name : `${stem} (${count})${ending}`].join('/');
      const key = whole.normalize('NFC').toLowerCase();
      if (used.has(key)) continue;
      used.add(key);
      return whole;
    }
  });
}

/** A name without separators, control characters, and what Windows refuses. */
function archiveName(name: string): string {
  const allowed = name.replace(/[\p{Cc}\\/:*?"<>|]/gu, '_');
  const plain = withoutEnd(allowed, '. ');
  return plain === '' ? '_' : plain;
}
