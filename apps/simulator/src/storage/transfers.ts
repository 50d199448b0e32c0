import { download, type Trust, upload } from '../files.ts';

/** The content of a command to download firmware or to upload a log. */
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

/** Downloads a firmware file over HTTP or FTP; true when the whole file has arrived. */
export async function fetchFirmware({ location = '', size, checksum }: TransferCommand, way: Way): Promise<boolean> {
  try {
    const { bytes, sha256 } = await download(location, way);
    return (size ?? bytes) === bytes && (checksum ?? sha256) === sha256;
  } catch {
    // Whatever the reason, the device only knows that the download failed.
    return false;
  }
}

/** Uploads a log over HTTP or FTP into the folder of `location`; true when the server accepted it. */
export async function sendLog(
  { location = '' }: TransferCommand,
  sn: string,
  text: string,
  way: Way,
): Promise<boolean> {
  try {
    await upload(location, `${sn}.log`, Buffer.from(text), way);
    return true;
  } catch {
    return false;
  }
}
