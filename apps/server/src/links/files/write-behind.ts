import type { DeviceSftp } from './device-sftp.ts';

/**
 * A write with its SFTP header, in a packet of the inner connection, must fit into one packet of the tunnel: both have
 * at most 32 KiB of data. A longer write would become four packets instead of two.
 */
const WRITE_BYTES = 32_000;
/** Writes that wait for their answers: 2 MB, as much as the window of an SSH channel. */
const WRITES = 64;

/** Why a part of an upload stopped: the device refused a write, or the sender left. */
export type WriteEnd = { by: 'device' | 'sender'; error: unknown } | null;

/**
 * Writes a body to a file of a device, with 2 MB at most that the device has not confirmed. Returns when all writes are
 * confirmed. `onBytes` counts the bytes that the device has, from the first one without a gap.
 */
export async function writeBehind(
  sftp: Pick<DeviceSftp, 'write'>,
  path: string,
  handle: Buffer,
  body: AsyncIterable<Buffer>,
  { from, most, onBytes }: { from: number; most: number; onBytes(bytes: number): void },
): Promise<WriteEnd> {
  const waiting: { bytes: number; done: boolean; answer: Promise<void> }[] = [];
  let sent = 0;
  let failure: WriteEnd = null;
  const write = (data: Buffer) => {
    const one = { bytes: data.length, done: false, answer: sftp.write(path, handle, data, from + sent) };
    sent += data.length;
    waiting.push(one);
    one.answer = one.answer.then(
      () => {
        one.done = true;
        while (waiting[0]?.done) onBytes(waiting.shift()?.bytes ?? 0);
      },
      (error) => {
        if (failure?.by !== 'device') failure = { by: 'device', error };
      },
    );
  };
  try {
    let rest: Buffer = Buffer.alloc(0);
    for await (const chunk of body) {
      let left: Buffer = chunk;
      while (rest.length + left.length >= WRITE_BYTES && sent < most && !failure) {
        const missing = left.subarray(0, WRITE_BYTES - rest.length);
        const data = rest.length === 0 ? missing : Buffer.concat([rest, missing]);
        left = left.subarray(missing.length);
        rest = rest.subarray(rest.length);
        write(data.subarray(0, most - sent));
        if (waiting.length >= WRITES) await waiting[0]?.answer;
      }
      if (failure) break;
      // What is sent beyond the file is ignored.
      rest = sent >= most ? rest.subarray(rest.length) : rest.length === 0 ? left : Buffer.concat([rest, left]);
    }
    if (!failure && rest.length > 0 && sent < most) write(rest.subarray(0, most - sent));
  } catch (error) {
    failure ??= { by: 'sender', error };
  }
  await Promise.all(waiting.map(({ answer }) => answer));
  return failure;
}
