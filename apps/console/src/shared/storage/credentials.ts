import type { StorageCredential } from '@chargehand/contract';
import { isNearDeadline } from '@chargehand/domain';

/** The user and purpose of credentials (spec §4: cached per bucket and per mode). */
export interface CredentialMode {
  mode: 'read' | 'write';
  /** the signed-in user, null for nobody: credentials must not be used by the next user */
  userId: number | null;
  /** for one customer, when the scope is too large for one set of keys */
  customerId?: number | undefined;
}

interface Kept {
  requested: Promise<StorageCredential>;
  /** null while loading */
  expiration: string | null;
}

/**
 * Caches temporary credentials until shortly before they expire, and requests each once, however many callers there
 * are. Failed requests are repeated.
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
