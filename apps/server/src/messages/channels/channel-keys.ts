import { randomBytes } from 'node:crypto';
import { secretBox } from '../../platform/secret-box.ts';
import { createPushKeys, type PushKeys } from './push/push-driver.ts';

/** The keys of the channels of this installation, created at the first start; that of pushes is stored encrypted. */
export async function channelKeys(
  findOrCreate: (name: string, make: () => Promise<string>) => Promise<string>,
): Promise<{ channelKey: string; pushKeys: PushKeys }> {
  const channelKey = await findOrCreate('message-channels-key', async () => randomBytes(32).toString('base64'));
  const box = secretBox(channelKey);
  const stored = await findOrCreate('push-keys', async () => box.close(JSON.stringify(createPushKeys())));
  return { channelKey, pushKeys: JSON.parse(box.open(stored)) as PushKeys };
}
