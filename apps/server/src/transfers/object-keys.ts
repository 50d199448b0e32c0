import type { StorageCredential, WithDates } from '@chargehand/contract';
import type { Grant, ObjectStore } from '../platform/objects/store.ts';

/** How long credentials are valid (spec §9, signed URL). Seconds. */
const SECONDS = 3_600;

/** Temporary credentials for objects, as browsers receive them. */
export async function issueKeys(store: ObjectStore, grant: Grant): Promise<WithDates<StorageCredential>> {
  const keys = await store.credentials(grant, SECONDS);
  return {
    accessKeyId: keys.accessKeyId,
    accessKeySecret: keys.secretAccessKey,
    securityToken: keys.sessionToken,
    expiration: keys.expiration.toISOString(),
    bucket: grant.bucket,
    region: store.region,
    endpoint: store.endpoint,
    prefixes: [...grant.prefixes],
  };
}
