import { endpoints } from 'virtual:more-endpoints';
import { wholeText } from '@chargehand/domain';
import { addressOf } from '../../../shared/api/address.ts';
import { ApiProblem } from '../../../shared/api/problem.ts';
import { i18n } from '../../../shared/i18n/i18n.ts';

/** How much of a text is loaded at once. Bytes. */
const PART_BYTES = 1024 * 1024;

/** The URL of the content of a file. The server authorizes each request. */
export function contentUrl(id: number, download = false): string {
  const [, path] = endpoints.attachmentContent!;
  return addressOf(path, { params: { id }, query: { download: download || undefined } });
}

/** Lets the browser save a file with its name. It is not loaded into the page, however large it is. */
export function downloadFile(id: number): void {
  const link = document.createElement('a');
  link.href = contentUrl(id, true);
  link.download = '';
  link.click();
}

/** A part of a text, up to the end of a line. */
export interface TextPart {
  text: string;
  /** where the next part begins, in bytes; null at the end */
  next: number | null;
  /** of the whole file, bytes */
  size: number;
}

/** Loads a part of a text. @throws ApiProblem with the message of the server */
export async function readText(id: number, from: number, signal: AbortSignal): Promise<TextPart> {
  const read = await readBytes(id, `${from}-${from + PART_BYTES - 1}`, signal);
  if (read === null) return { text: '', next: null, size: from };
  const { bytes, size } = read;
  const atEnd = from + bytes.length >= size;
  const part = atEnd ? bytes : bytes.subarray(0, wholeText(bytes));
  return { text: new TextDecoder().decode(part), next: atEnd ? null : from + part.length, size };
}

/** Loads the whole content of a file, whose size must be limited. @throws ApiProblem with the message of the server */
export async function readWhole(id: number, signal: AbortSignal): Promise<ArrayBuffer> {
  const read = await readBytes(id, '0-', signal);
  return read?.bytes.buffer ?? new ArrayBuffer(0);
}

/** Loads a range of a file; null when it is beyond its end. */
async function readBytes(
  id: number,
  range: string,
  signal: AbortSignal,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; size: number } | null> {
  const headers = { range: `bytes=${range}`, 'accept-language': i18n.language };
  const response = await fetch(contentUrl(id), { headers, signal }).catch((error: unknown) => {
    throw signal.aborted ? error : new ApiProblem('network', i18n.t('com_error_net'));
  });
  if (response.status === 416) return null;
  // The envelope of an error has no range.
  const size = /\/(\d+)$/.exec(response.headers.get('content-range') ?? '')?.[1];
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (size === undefined) throw new ApiProblem('business', messageIn(bytes), { status: response.status });
  return { bytes, size: Number(size) };
}

function messageIn(body: Uint8Array): string {
  try {
    const { message } = JSON.parse(new TextDecoder().decode(body)) as { message?: string };
    return message ?? i18n.t('com_error_system');
  } catch {
    // Not from the server, but from a proxy before it.
    return i18n.t('com_error_system');
  }
}
