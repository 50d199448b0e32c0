import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import type { Locale } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import type { Database } from '../../platform/database/schema.ts';
import { findOrCreateSecret } from '../secrets.store.ts';
import { findFactor, takeRecoveryCode, takeStep } from './second-factor.store.ts';

/** RFC 4226 §4: a shared secret of 160 bits. */
const SECRET_BYTES = 20;
/** RFC 6238 §5.2: 30 s a step, and one step before and after for clocks that differ. */
const PERIOD_SECONDS = 30;
const WINDOW = 1;

const RECOVERY_CODES = 10;
/** Letters and digits that are not easily confused: 16 of them are 78 bits. */
const ALPHABET = 'ABCDEFGHJKMNPQRSTVWXYZ23456789';

export type SecondFactorCodes = Awaited<ReturnType<typeof secondFactorCodes>>;

/**
 * Creates and checks the codes of two-factor authentication. Secrets are encrypted with a key that is not stored in
 * their table.
 */
export async function secondFactorCodes(db: Kysely<Database>, productName: (locale: Locale) => string) {
  const key = Buffer.from(
    await findOrCreateSecret(db, 'second-factor-key', async () => randomBytes(32).toString('base64')),
    'base64',
  );
  return {
    /**
     * A new secret as it is stored, and as an authenticator app reads it. The app keeps the name that the product has now.
     */
    make(userName: string, locale: Locale): { stored: string; uri: string } {
      const secret = new Secret({ size: SECRET_BYTES });
      const issuer = issuerOf(productName(locale));
      return { stored: encrypted(key, secret.base32), uri: totpOf(secret, { label: userName, issuer }).toString() };
    },

    /** The time step of a six-digit code; null when it is not currently valid. */
    stepOf(stored: string, code: string): number | null {
      const totp = totpOf(Secret.fromBase32(decrypted(key, stored)));
      const delta = totp.validate({ token: code, window: WINDOW });
      return delta === null ? null : totp.counter() + delta;
    },

    /** True when the sign-in of an account requires a code. */
    async areRequired(userId: number): Promise<boolean> {
      return ((await findFactor(db, userId))?.confirmedAt ?? null) !== null;
    },

    /** Uses a code of the app or a recovery code; null when it is invalid or was used already. */
    async take(userId: number, entered: string): Promise<'app' | 'recovery' | null> {
      const factor = await findFactor(db, userId);
      if (!factor?.confirmedAt) return null;
      const code = bare(entered);
      if (!/^[0-9]{6}$/.test(code)) return (await takeRecoveryCode(db, userId, hashOf(code))) ? 'recovery' : null;
      const step = this.stepOf(factor.secret, code);
      return step !== null && (await takeStep(db, userId, step)) ? 'app' : null;
    },
  };
}

/** New recovery codes, and the hashes to store. */
export function makeRecoveryCodes(): { codes: string[]; hashes: Buffer[] } {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    Array.from({ length: 4 }, () => Array.from({ length: 4 }, randomSign).join('')).join('-'),
  );
  return { codes, hashes: codes.map((code) => hashOf(bare(code))) };
}

function randomSign(): string {
  for (;;) {
    // Bytes beyond the last whole multiple would make the first characters more likely.
    const byte = randomBytes(1)[0]!;
    if (byte < 256 - (256 % ALPHABET.length)) return ALPHABET[byte % ALPHABET.length]!;
  }
}

/** A code without the blanks and dashes that users enter. */
export function bare(code: string): string {
  return code.replace(/[\s-]/g, '').toUpperCase();
}

/** Recovery codes are random and long, so a fast hash cannot be reversed. */
function hashOf(code: string): Buffer {
  return createHash('sha256').update(code).digest();
}

function totpOf(secret: Secret, named: { label?: string; issuer?: string } = {}): TOTP {
  return new TOTP({ ...named, secret, period: PERIOD_SECONDS, digits: 6, algorithm: 'SHA1' });
}

/** Apps read the part before the first colon of an entry as its issuer, so the issuer has none. */
function issuerOf(name: string): string {
  return name.replaceAll(':', ' ').replaceAll(/ +/g, ' ').trim();
}

/** `<iv>.<ciphertext and tag>`, each in base64 (AES-256-GCM). */
function encrypted(key: Buffer, text: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `${iv.toString('base64')}.${body.toString('base64')}`;
}

/** @throws when the text was encrypted with another key, or changed */
function decrypted(key: Buffer, stored: string): string {
  const [iv = Buffer.alloc(0), body = Buffer.alloc(0)] = stored.split('.').map((part) => Buffer.from(part, 'base64'));
  const decipher = createDecipheriv('aes-256-gcm', key, iv);
  decipher.setAuthTag(body.subarray(-16));
  return Buffer.concat([decipher.update(body.subarray(0, -16)), decipher.final()]).toString('utf8');
}
