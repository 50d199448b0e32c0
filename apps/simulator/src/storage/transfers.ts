import { createHash } from 'node:crypto';

/** What a command to fetch firmware or to hand in a log says. */
export interface TransferCommand {
  id?: string;
  location?: string;
  requestId?: number;
  version?: string;
  size?: number;
  checksum?: string;
}

/** Fetches a firmware file over HTTP; true when it came whole. */
export async function fetchFirmware({ location = '', size, checksum }: TransferCommand): Promise<boolean> {
  try {
    const response = await fetch(location);
    if (!response.ok) return false;
    const bytes = Buffer.from(await response.arrayBuffer());
    if (size !== undefined && bytes.length !== size) return false;
    return checksum === undefined || createHash('sha256').update(bytes).digest('hex') === checksum;
  } catch {
    // Whatever the reason, a device knows only that the file did not come.
    return false;
  }
}

/** Hands in a log over HTTP, into the folder of `location`; true when it was taken. */
export async function handInLog({ location = '' }: TransferCommand, sn: string, text: string): Promise<boolean> {
  try {
    const response = await fetch(`${location.replace(/\/$/, '')}/${sn}.log`, { method: 'PUT', body: text });
    return response.ok;
  } catch {
    // As above.
    return false;
  }
}
