import { createPrivateKey, createPublicKey, type KeyObject, webcrypto } from 'node:crypto';
import { forbiddenCharacter } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import { Problem } from '../platform/http/problem.ts';
import { keptSecret, keptSecrets } from './secrets.store.ts';

const { subtle } = webcrypto;

/** Secrets under this prefix are private keys (PKCS #8, PEM); what follows it is the key's id. */
const KEY_PREFIX = 'sealing-key:';

/** NIST SP 800-57 part 1 rev. 5, table 2: 3072-bit RSA equals 128 bits of security. */
const MODULUS_BITS = 3072;

/** Opens the fields that a browser encrypted for this server (design §4). */
export interface SealedFields {
  /** The key for which browsers encrypt now: SPKI in base64, and its id. */
  publicKey(): { keyId: string; publicKey: string };
  /**
   * The text inside a sealed value, which is held to what every text is held to.
   * @throws {Problem} decryptionFailed, the same whatever was wrong with it; fieldCharacters
   */
  open(field: string, sealed: string): Promise<string>;
}

interface SealingKey {
  keyId: string;
  publicKey: string;
  decrypt: webcrypto.CryptoKey;
}

/**
 * Loads the kept keys, making the first one at the first start. To rotate, add a newer `sealing-key:<id>`: browsers get
 * the newest, and what was encrypted for an older one still opens as long as that one is kept.
 */
export async function sealedFields(db: Kysely<Database>): Promise<SealedFields> {
  if ((await keptSecrets(db, KEY_PREFIX)).length === 0) await keptSecret(db, `${KEY_PREFIX}1`, makePrivateKey);
  const kept = await keptSecrets(db, KEY_PREFIX);
  const keys = await Promise.all(kept.map(({ name, value }) => loadKey(name.slice(KEY_PREFIX.length), value)));
  const newest = keys[0];
  if (!newest) throw new Error('There is no sealing key although one was just made.');
  return {
    publicKey: () => ({ keyId: newest.keyId, publicKey: newest.publicKey }),
    async open(field, sealed) {
      for (const key of keys) {
        const text = await unseal(key, sealed);
        if (text === null) continue;
        const character = forbiddenCharacter(text);
        if (character !== null) throw new Problem('fieldCharacters', { field, values: { character } });
        return text;
      }
      throw new Problem('decryptionFailed', { field });
    },
  };
}

async function makePrivateKey(): Promise<string> {
  const { privateKey } = await subtle.generateKey(
    { name: 'RSA-OAEP', modulusLength: MODULUS_BITS, publicExponent: new Uint8Array([1, 0, 1]), hash: 'SHA-256' },
    true,
    ['encrypt', 'decrypt'],
  );
  const der = Buffer.from(await subtle.exportKey('pkcs8', privateKey));
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
    .export({ format: 'pem', type: 'pkcs8' })
    .toString();
}

async function loadKey(keyId: string, pem: string): Promise<SealingKey> {
  const privateKey: KeyObject = createPrivateKey(pem);
  return {
    keyId,
    publicKey: createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).toString('base64'),
    decrypt: await subtle.importKey(
      'pkcs8',
      privateKey.export({ format: 'der', type: 'pkcs8' }),
      { name: 'RSA-OAEP', hash: 'SHA-256' },
      false,
      ['decrypt'],
    ),
  };
}

/** GCM's standard nonce (NIST SP 800-38D §8.2.1) and tag lengths, in bytes. */
const IV_BYTES = 12;
const TAG_BYTES = 16;
const AES_KEY_BYTES = 32;

/** Null when the value was not sealed for this key or was changed on its way. */
async function unseal(key: SealingKey, sealed: string): Promise<string | null> {
  const [wrapped, iv, body, ...more] = sealed.split('.').map((part) => Buffer.from(part, 'base64'));
  if (!wrapped || !iv || !body || more.length > 0 || iv.length !== IV_BYTES || body.length < TAG_BYTES) return null;
  try {
    const raw = await subtle.decrypt({ name: 'RSA-OAEP' }, key.decrypt, wrapped);
    if (raw.byteLength !== AES_KEY_BYTES) return null;
    const aes = await subtle.importKey('raw', raw, 'AES-GCM', false, ['decrypt']);
    const plain = await subtle.decrypt({ name: 'AES-GCM', iv }, aes, body);
    return new TextDecoder('utf-8', { fatal: true }).decode(plain);
  } catch {
    // A wrong key, a wrong tag and a wrong text must look alike from outside, or the answer would help to guess.
    return null;
  }
}
