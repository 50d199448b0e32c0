import type { Generated } from 'kysely';

export interface RequestsTables {
  request_keys: RequestKeysTable;
}

interface RequestKeysTable {
  /** SHA-256 of the user, the application and the key */
  key_hash: Buffer;
  /** SHA-256 of the endpoint and its inputs */
  fingerprint: Buffer;
  /** the answer as JSON, encrypted with the key; null until the request has ended, and for large answers */
  answer: string | null;
  created_at: Generated<Date>;
}
