import type { FtpFolder } from './port.ts';

/** The one file of a folder. */
export type FtpFile = NonNullable<FtpFolder['file']>;

/** A time in the format of RFC 3659 §2.3. */
export function stamp(at: Date): string {
  return at.toISOString().replace(/\D/g, '').slice(0, 14);
}

/** A line in the format of `ls -l`, which clients can parse. */
export function longLine({ name, size, modifiedAt }: FtpFile): string {
  const month = modifiedAt.toLocaleString('en-US', { month: 'short', timeZone: 'UTC' });
  const day = String(modifiedAt.getUTCDate()).padStart(2);
  return `-r--r--r-- 1 ftp ftp ${String(size).padStart(12)} ${month} ${day}  ${modifiedAt.getUTCFullYear()} ${name}`;
}

/** RFC 3659 §7. */
export function factLine({ name, size, modifiedAt }: FtpFile): string {
  return `type=file;size=${size};modify=${stamp(modifiedAt)}; ${name}`;
}
