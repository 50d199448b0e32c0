import type { DeviceSftp } from './device-sftp.ts';

const WRITE_BYTES = 32 * 1024;
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
    for await (const chunk of body) {
      for (let at = 0; at < chunk.length && sent < most && !failure; at += WRITE_BYTES) {
        write(chunk.subarray(at, Math.min(at + WRITE_BYTES, at + most - sent)));
        if (waiting.length >= WRITES) await waiting[0]?.answer;
      }
      if (failure) break;
    }
  } catch (error) {
    failure ??= { by: 'sender', error };
  }
  await Promise.all(waiting.map(({ answer }) => answer));
  return failure;
}
