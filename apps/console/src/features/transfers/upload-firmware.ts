import type { StorageCredential } from '@chargehand/contract';
import { isNearDeadline } from '@chargehand/domain';
import { call } from '../../shared/api/client.ts';
import { clientOf, type StoreClient } from '../../shared/storage/store.ts';
import { put } from '../../shared/storage/upload.ts';

/**
 * Uploads a firmware file directly to the object store and returns its key. @throws UploadProblem; the signal's reason
 */
export async function uploadFirmware(
  file: File,
  options: { signal: AbortSignal; onProgress(part: number): void },
): Promise<string> {
  let credential: StorageCredential | undefined;
  const client = async (): Promise<StoreClient> => {
    if (credential === undefined || isNearDeadline(credential.expiration, Date.now()))
      credential = await call('firmwareCredentials', {}, { quiet: true });
    return clientOf(credential);
  };
  return await put(file, 'incoming/', { ...options, client });
}
