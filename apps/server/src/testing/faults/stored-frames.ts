import type { Pool } from 'pg';
import { unpackFrames } from '../../audit/frames/packing/batches.ts';

/** The received frames of all devices, packed or not. */
export async function receivedFrames(pool: Pool): Promise<{ deviceId: number; messageId: string | null }[]> {
  const { rows } = await pool.query<{
    deviceId: number;
    messageId: string | null;
    dictionary: number;
    data: Buffer | null;
  }>(
    `select device_id as "deviceId", message_id as "messageId", null::smallint as dictionary, null::bytea as data
       from protocol_frames where type = 2
      union all select device_id, null, dictionary, data from frame_batches`,
  );
  const frames = rows.map(async ({ deviceId, messageId, dictionary, data }) => {
    if (data === null) return [{ deviceId, messageId }];
    const unpacked = await unpackFrames({ dictionary, data });
    return unpacked.filter(({ type }) => type === 2).map((frame) => ({ deviceId, messageId: frame.messageId }));
  });
  return (await Promise.all(frames)).flat();
}
