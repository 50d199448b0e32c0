import { createHash } from 'node:crypto';

/** SHA-256 of a random token, by which it is found. Sufficient without salt, because nobody can try all random tokens. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
