import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { type Challenge, createChallenge, type Solution, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { Kysely } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/schema.ts';
import { findOrCreateSecret } from '../secrets.store.ts';
import { spend } from './spent-tokens.store.ts';

/** Long enough to enter a user name and a password. */
const VALID_MS = 10 * 60_000;

/**
 * The work of one captcha: PBKDF2 with a number of iterations for each counter that is tried, up to the hidden counter.
 * Measured at 0.7 ms per counter on one core, it takes 0.5 to 0.9 s there, and about a second in a browser on an
 * ordinary machine. The server needs one derivation to create a challenge and none to check it.
 */
const WORK = { iterations: 5_000, leastCounter: 700, mostCounter: 1_300 } as const;

export interface Captcha {
  /** A new one-time id with its challenge; null when captchas are disabled. */
  make(): Promise<{ captchaId: string; expiresAt: Date; challenge: Challenge | null }>;
  /** True when the id was signed by this server and has not expired, whether or not it was used. */
  isCurrent(captchaId: string): boolean;
  /**
   * Checks the solution and marks the id as used; false when it is wrong, expired, for another id, or was used before.
   */
  redeem(captchaId: string, solution: string | undefined): Promise<boolean>;
}

/**
 * A captcha is a signed one-time id and, unless captchas are disabled, a signed proof of work bound to it. Nothing is
 * stored before it is used, so requesting captchas fills no table.
 */
export async function captcha(db: Kysely<Database>, options: { required: boolean; clock: Clock }): Promise<Captcha> {
  const { required, clock } = options;
  const secret = await findOrCreateSecret(db, 'captcha-key', async () => randomBytes(32).toString('hex'));
  const keys = { hmacSignatureSecret: derive(secret, 'challenge'), hmacKeySignatureSecret: derive(secret, 'solution') };
  const idKey = derive(secret, 'id');

  return {
    async make() {
      const expiresAt = new Date(Math.ceil((clock.now().getTime() + VALID_MS) / 1_000) * 1_000);
      const unsigned = `${randomBytes(16).toString('base64url')}.${expiresAt.getTime() / 1_000}`;
      const captchaId = `${unsigned}.${sign(idKey, unsigned)}`;
      if (!required) return { captchaId, expiresAt, challenge: null };
      const challenge = await createChallenge({
        algorithm: 'PBKDF2/SHA-256',
        cost: WORK.iterations,
        counter: randomInt(WORK.leastCounter, WORK.mostCounter + 1),
        data: { captchaId },
        expiresAt,
        deriveKey,
        ...keys,
      });
      return { captchaId, expiresAt, challenge };
    },
    isCurrent: (captchaId) => expiryOf(idKey, captchaId, clock) !== null,
    async redeem(captchaId, solution) {
      const expiresAt = expiryOf(idKey, captchaId, clock);
      if (expiresAt === null) return false;
      if (required && !(await isSolution(solution, captchaId, keys))) return false;
      return await spend(db, captchaId, expiresAt);
    },
  };
}

/** The expiry of an id; null when this server did not sign it or it has expired. */
function expiryOf(idKey: string, captchaId: string, clock: Clock): Date | null {
  const [nonce, seconds, signature, ...more] = captchaId.split('.');
  if (!nonce || !seconds || !signature || more.length > 0) return null;
  const expected = Buffer.from(sign(idKey, `${nonce}.${seconds}`));
  const given = Buffer.from(signature);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  const expiresAt = new Date(Number(seconds) * 1_000);
  return expiresAt > clock.now() ? expiresAt : null;
}

/** `text` is the value of the widget: base64 of `{ challenge, solution }`. */
async function isSolution(
  text: string | undefined,
  captchaId: string,
  keys: { hmacSignatureSecret: string; hmacKeySignatureSecret: string },
): Promise<boolean> {
  const payload = readPayload(text ?? '');
  if (payload?.challenge.parameters.data?.captchaId !== captchaId) return false;
  // The library throws on malformed parameters before the signature is checked.
  const { verified } = await verifySolution({ ...payload, deriveKey, ...keys }).catch(() => ({ verified: false }));
  return verified;
}

function readPayload(text: string): { challenge: Challenge; solution: Solution } | null {
  try {
    const payload: unknown = JSON.parse(Buffer.from(text, 'base64').toString('utf8'));
    return isPayload(payload) ? payload : null;
  } catch {
    // Text that is not JSON is not a solution.
    return null;
  }
}

function isPayload(value: unknown): value is { challenge: Challenge; solution: Solution } {
  const { challenge, solution } = (value ?? {}) as Partial<{ challenge: Challenge; solution: Solution }>;
  return (
    typeof challenge?.parameters === 'object' &&
    challenge.parameters !== null &&
    typeof challenge.signature === 'string' &&
    typeof solution?.counter === 'number' &&
    typeof solution.derivedKey === 'string'
  );
}

function derive(secret: string, purpose: string): string {
  return createHmac('sha256', secret).update(purpose).digest('hex');
}

function sign(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}
