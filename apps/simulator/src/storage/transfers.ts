import { download, type Trust, upload } from '../files.ts';

/** What a command to fetch firmware or to hand in a log says. */
export interface TransferCommand {
  id?: string;
  location?: string;
  requestId?: number;
  version?: string;
  size?: number;
  checksum?: string;
}

interface Way {
  trust: Trust;
  signal: AbortSignal;
}

/** Fetches a firmware file over HTTP or FTP; true when it came whole. */
export async function fetchFirmware({ location = '', size, checksum }: TransferCommand, way: Way): Promise<boolean> {
  try {
    const { bytes, sha256 } = await download(location, way);
    return (size ?? bytes) === bytes && (checksum ?? sha256) === sha256;
  } catch {
    // Whatever the reason, a device knows only that the file did not come.
    return false;
  }
}

/** Hands in a log over HTTP or FTP, into the folder of `location`; true when it was taken. */
export async function handInLog(
  { location = '' }: TransferCommand,
  sn: string,
  text: string,
  way: Way,
): Promise<boolean> {
  try {
    await upload(location, `${sn}.log`, Buffer.from(text), way);
    return true;
  } catch {
    // As above.
    return false;
  }
}
