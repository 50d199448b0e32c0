import { createHmac, hkdfSync } from 'node:crypto';

/**
 * The seal of a recording: a hash with a key of the installation over the seal before it and what was added. The
 * database has only the last one, so rows cannot be changed, removed or added without the key.
 */
export interface Sealer {
  start(recording: { linkId: number; userName: string; cols: number; rows: number; startedAt: Date }): Buffer;
  part(before: Buffer, part: { number: number; output: Buffer; input: string | null }): Buffer;
  end(before: Buffer, end: { reason: string; at: Date }): Buffer;
}

/** Seals with a key that is derived from the key of the recordings, 32 bytes in base64. */
export function sealer(recordingKey: string): Sealer {
  const key = Buffer.from(hkdfSync('sha256', Buffer.from(recordingKey, 'base64'), '', 'link-recording-seal', 32));
  const hash = (before: Buffer, fields: readonly (string | number | null)[], output?: Buffer) => {
    const hmac = createHmac('sha256', key).update(before).update(JSON.stringify(fields));
    return (output ? hmac.update(output) : hmac).digest();
  };
  return {
    start: ({ linkId, userName, cols, rows, startedAt }) =>
      hash(Buffer.alloc(0), ['start', linkId, userName, cols, rows, startedAt.getTime()]),
    part: (before, { number, output, input }) => hash(before, ['part', number, input, output.length], output),
    end: (before, { reason, at }) => hash(before, ['end', reason, at.getTime()]),
  };
}
