import type { StorageCredential } from '@chargehand/contract';
import { isNearDeadline } from '@chargehand/domain';

/** Whose credentials, and for what (spec §4: cached per bucket and per mode). */
export interface CredentialMode {
  mode: 'read' | 'write';
  /** who is signed in, null for nobody: what one may open is not the next one's */
  userId: number | null;
  /** for one customer, where the scope is too wide for one set of keys */
  customerId?: number | undefined;
}

interface Kept {
  requested: Promise<StorageCredential>;
  /** null while they are on their way */
  expiration: string | null;
}

/**
 * Keeps temporary credentials until they are near their end, and asks for each once, however many want them. Those that
 * could not be had are asked for again.
 */
export function credentialCache(fetch: (wanted: CredentialMode) => Promise<StorageCredential>, now: () => number) {
  const kept = new Map<string, Kept>();
  return function credentialsFor(wanted: CredentialMode): Promise<StorageCredential> {
    const name = [wanted.mode, wanted.userId, wanted.customerId].join('|');
    const known = kept.get(name);
    if (known && (known.expiration === null || !isNearDeadline(known.expiration, now()))) return known.requested;
    const entry: Kept = { requested: fetch(wanted), expiration: null };
    kept.set(name, entry);
    entry.requested.then(
      ({ expiration }) => {
        entry.expiration = expiration;
      },
      () => kept.delete(name),
    );
    return entry.requested;
  };
}
