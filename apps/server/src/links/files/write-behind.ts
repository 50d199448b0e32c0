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
  const waiting: { bytes: number; answer: Promise<void> }[] = [];
  let sent = 0;
  let failure: WriteEnd = null;
  const confirm = async () => {
    const first = waiting.shift();
    if (!first || failure?.by === 'device') return;
    try {
      await first.answer;
      onBytes(first.bytes);
    } catch (error) {
      failure = { by: 'device', error };
    }
  };
  try {
    for await (const chunk of body) {
      for (let at = 0; at < chunk.length && sent < most; at += WRITE_BYTES) {
        const data = chunk.subarray(at, Math.min(at + WRITE_BYTES, at + most - sent));
        const answer = sftp.write(path, handle, data, from + sent);
        // It is awaited later.
        answer.catch(() => undefined);
        waiting.push({ bytes: data.length, answer });
        sent += data.length;
        if (waiting.length >= WRITES) await confirm();
      }
      if (failure !== null) break;
    }
  } catch (error) {
    failure = { by: 'sender', error };
  }
  while (waiting.length > 0) await confirm();
  return failure;
}
