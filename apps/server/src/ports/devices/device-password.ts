import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * The hash of a device's password as it is stored: `sha256:<salt>:<digest>`. An AuthorizationKey (OCPP 1.6 security
 * whitepaper) has 16 to 40 characters and is made by chance, not remembered: it cannot be guessed from its hash however
 * fast the hash is. A slow hash (Argon2id takes about 50 ms) would only let a thousand piles that reconnect at once
 * stall the server for a minute.
 */
export function hashDevicePassword(password: string): string {
  const salt = randomBytes(16);
  return `sha256:${salt.toString('base64url')}:${digest(salt, password).toString('base64url')}`;
}

/** True when a password is the one of a stored hash; takes the same time wherever they differ. A malformed hash fits nothing. */
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
