import { randomBytes } from 'node:crypto';
import { posix } from 'node:path';
import type { DeviceSftp } from './device-sftp.ts';

const PART = /^\.chargehand-[0-9a-f]{12}\.part$/;
/** Links end after eight hours at most, so nothing writes to a file that is older. */
const STALE_MS = 9 * 3_600_000;
const MAX_ENTRIES = 2_000;

/** The name of an upload in a folder until it is complete. */
export function newPart(folder: string): string {
  return posix.join(folder, `.chargehand-${randomBytes(6).toString('hex')}.part`);
}

/**
 * Removes the incomplete uploads in the folder of a new one whose connection to the device was lost. Their age is that by
 * the clock of the device.
 */
export async function removeStaleParts(
  device: Pick<DeviceSftp, 'list' | 'remove' | 'stat'>,
  newest: string,
): Promise<void> {
  const folder = posix.dirname(newest);
  const [{ modified }, { files }] = await Promise.all([device.stat(newest), device.list(folder, MAX_ENTRIES)]);
  for (const { name, kind, link, modifiedAt } of files) {
    const isOwn = PART.test(name) && kind === 'file' && !link && modifiedAt !== null;
    if (isOwn && Date.parse(modifiedAt) < modified * 1_000 - STALE_MS) await device.remove(posix.join(folder, name));
  }
}
