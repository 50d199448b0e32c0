import { Problem } from '../../platform/http/problem.ts';
import type { DeviceSftp } from './device-sftp.ts';

/**
 * The size of one request. Every SFTP server answers as much at once, in one packet of the tunnel (`write-behind.ts`).
 */
const READ_BYTES = 32_000;
/** Requests that wait for their answers: 2 MB, as much as the window of an SSH channel. */
const READS = 64;
/** Answers that are passed on together: writing 32 kB to a socket takes nearly as long as writing 256 kB. */
const TOGETHER = 8;

/** A range of a file of a device. It is read ahead of its consumer by 2 MB at most. */
export async function* readAhead(
  sftp: Pick<DeviceSftp, 'read'>,
  path: string,
  handle: Buffer,
  { from, to }: { from: number; to: number },
): AsyncGenerator<Buffer> {
  interface Read {
    position: number;
    length: number;
    buffer: Buffer;
    /** bytes that have arrived */
    received: number;
    answer: Promise<void>;
  }
  const waiting: Read[] = [];
  // Buffers for requests are used again. New ones for each would live until the answer, and cause full garbage
  // collections, which took more time than the encryption.
  const unused: Buffer[] = [];
  let next = from;

  async function receive(read: Read): Promise<void> {
    const { position, length, buffer, received } = read;
    const data = await sftp.read(path, handle, buffer.subarray(received, length), position + received);
    // The file became shorter.
    if (data.length === 0) throw new Problem('deviceFileFailed', { values: { path } });
    read.received += data.length;
  }

  function request(): void {
    while (next < to && waiting.length < READS) {
      const length = Math.min(READ_BYTES, to - next);
      const buffer = unused.pop() ?? Buffer.allocUnsafeSlow(READ_BYTES);
      const read: Read = { position: next, length, buffer, received: 0, answer: Promise.resolve() };
      read.answer = receive(read);
      // It is awaited later.
      read.answer.catch(() => undefined);
      waiting.push(read);
      next += length;
    }
  }

  for (;;) {
    request();
    const [first] = waiting;
    if (!first) return;
    await first.answer;
    while (first.received < first.length) await receive(first);
    const incomplete = waiting.findIndex(({ received, length }) => received < length);
    const complete = waiting.splice(0, Math.min(incomplete === -1 ? waiting.length : incomplete, TOGETHER));
    const data = Buffer.concat(complete.map(({ buffer, length }) => buffer.subarray(0, length)));
    unused.push(...complete.map(({ buffer }) => buffer));
    request();
    yield data;
  }
}

/** A file without a known size, such as those of `/proc`. */
export async function* readToEnd(sftp: Pick<DeviceSftp, 'read'>, path: string, handle: Buffer): AsyncGenerator<Buffer> {
  let position = 0;
  for (;;) {
    const data = await sftp.read(path, handle, Buffer.allocUnsafe(READ_BYTES), position);
    if (data.length === 0) return;
    position += data.length;
    yield data;
  }
}
