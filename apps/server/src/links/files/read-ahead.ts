import { Problem } from '../../platform/http/problem.ts';
import type { DeviceSftp } from './device-sftp.ts';

/**
 * The size of one request. Every SFTP server answers as much at once, in one packet of the tunnel (`write-behind.ts`).
 */
const READ_BYTES = 32_000;
/** Requests that wait for their answers: 2 MB, as much as the window of an SSH channel. */
const READS = 64;

/** A range of a file of a device. It is read ahead of its consumer by 2 MB at most. */
export async function* readAhead(
  sftp: Pick<DeviceSftp, 'read'>,
  path: string,
  handle: Buffer,
  { from, to }: { from: number; to: number },
): AsyncGenerator<Buffer> {
  const waiting: { position: number; length: number; answer: Promise<Buffer> }[] = [];
  let next = from;
  for (;;) {
    while (next < to && waiting.length < READS) {
      const length = Math.min(READ_BYTES, to - next);
      const answer = sftp.read(path, handle, length, next);
      // It is awaited later.
      answer.catch(() => undefined);
      waiting.push({ position: next, length, answer });
      next += length;
    }
    const first = waiting.shift();
    if (!first) return;
    let read = 0;
    while (read < first.length) {
      const rest = first.length - read;
      const data = read === 0 ? await first.answer : await sftp.read(path, handle, rest, first.position + read);
      // The file became shorter.
      if (data.length === 0) throw new Problem('deviceFileFailed', { values: { path } });
      read += data.length;
      yield data;
    }
  }
}

/** A file without a known size, such as those of `/proc`. */
export async function* readToEnd(sftp: Pick<DeviceSftp, 'read'>, path: string, handle: Buffer): AsyncGenerator<Buffer> {
  let position = 0;
  for (;;) {
    const data = await sftp.read(path, handle, READ_BYTES, position);
    if (data.length === 0) return;
    position += data.length;
    yield data;
  }
}
