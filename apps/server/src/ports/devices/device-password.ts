import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * The stored hash of a device's password: `sha256:<salt>:<digest>`. An AuthorizationKey (OCPP 1.6 security whitepaper)
 * has 16 to 40 characters and is random: it cannot be guessed from its hash, even with a fast hash. A slow hash
 * (Argon2id takes about 50 ms) would only let a thousand reconnecting charge points block the server for a minute.
 */
export function hashDevicePassword(password: string): string {
  const salt = randomBytes(16);
  return `sha256:${salt.toString('base64url')}:${digest(salt, password).toString('base64url')}`;
}

/** True when a password matches a stored hash, in constant time. A malformed hash matches nothing. */
export function fitsDevicePassword(password: string, hash: string): boolean {
  const [scheme, salt, expected] = hash.split(':');
  if (scheme !== 'sha256' || !salt || !expected) return false;
  const wanted = Buffer.from(expected, 'base64url');
  const given = digest(Buffer.from(salt, 'base64url'), password);
  return wanted.length === given.length && timingSafeEqual(wanted, given);
}

function digest(salt: Buffer, password: string): Buffer {
  return createHash('sha256').update(salt).update(password, 'utf8').digest();
}
