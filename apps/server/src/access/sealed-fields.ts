import { createPrivateKey, createPublicKey, type KeyObject, randomBytes, webcrypto } from 'node:crypto';
import { forbiddenCharacter } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import { Problem } from '../platform/http/problem.ts';
import type { SealedFields } from '../ports/sealed-fields.ts';
import { findOrCreateSecret, listSecrets } from './secrets.store.ts';

const { subtle } = webcrypto;

/** Secrets with this prefix are private keys (PKCS #8, PEM). The key's id follows it. */
const KEY_PREFIX = 'sealing-key:';

/** NIST SP 800-57 part 1 rev. 5, table 2: 3072-bit RSA corresponds to 128 bits of security. */
const MODULUS_BITS = 3072;

interface SealingKey {
  keyId: string;
  publicKey: string;
  decrypt: webcrypto.CryptoKey;
}

/**
 * Loads the stored keys, and creates the first one at the first start. To rotate, add a newer `sealing-key:<id>`:
 * browsers get the newest, and values encrypted with an older one can be decrypted as long as that one is stored.
 */
export async function sealedFields(db: Kysely<Database>): Promise<SealedFields> {
  if ((await listSecrets(db, KEY_PREFIX)).length === 0) await findOrCreateSecret(db, `${KEY_PREFIX}1`, makePrivateKey);
  const kept = await listSecrets(db, KEY_PREFIX);
  const keys = await Promise.all(kept.map(({ name, value }) => loadKey(name.slice(KEY_PREFIX.length), value)));
  const newest = keys[0];
  if (!newest) throw new Error('There is no sealing key although one was just made.');
  const openBytes = async (field: string, sealed: string): Promise<Buffer> => {
    for (const key of keys) {
      const bytes = await unseal(key, sealed);
      if (bytes !== null) return bytes;
    }
    throw new Problem('decryptionFailed', { field });
  };
  const open = async (field: string, sealed: string): Promise<string> => {
    const text = textOf(await openBytes(field, sealed));
    if (text === null) throw new Problem('decryptionFailed', { field });
    const character = forbiddenCharacter(text);
    if (character !== null) throw new Problem('fieldCharacters', { field, values: { character } });
    return text;
  };
  return {
    publicKey: () => ({ keyId: newest.keyId, publicKey: newest.publicKey }),
    openBytes,
    open,
    async answer(field, sealedKey, text) {
      const key = Buffer.from(await open(field, sealedKey), 'base64');
      if (key.length !== AES_KEY_BYTES) throw new Problem('decryptionFailed', { field });
      const aes = await subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt']);
      const iv = randomBytes(IV_BYTES);
      const body = await subtle.encrypt({ name: 'AES-GCM', iv }, aes, Buffer.from(text));
      return `${iv.toString('base64')}.${Buffer.from(body).toString('base64')}`;
    },
  };
}

/** Null when the bytes are not valid UTF-8. */
function textOf(bytes: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
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

/** GCM's standard lengths of nonce (NIST SP 800-38D §8.2.1) and tag, in bytes. */
const IV_BYTES = 12;
const TAG_BYTES = 16;
const AES_KEY_BYTES = 32;

/** Null when the value was not encrypted for this key, or was changed in transit. */
async function unseal(key: SealingKey, sealed: string): Promise<Buffer | null> {
  const [wrapped, iv, body, ...more] = sealed.split('.', 4).map((part) => Buffer.from(part, 'base64'));
  if (!wrapped || !iv || !body || more.length > 0 || iv.length !== IV_BYTES || body.length < TAG_BYTES) return null;
  try {
    const raw = await subtle.decrypt({ name: 'RSA-OAEP' }, key.decrypt, wrapped);
    if (raw.byteLength !== AES_KEY_BYTES) return null;
    const aes = await subtle.importKey('raw', raw, 'AES-GCM', false, ['decrypt']);
    return Buffer.from(await subtle.decrypt({ name: 'AES-GCM', iv }, aes, body));
  } catch {
    // A wrong key, a wrong tag and an invalid text must give the same answer, so that it does not help an attacker.
    return null;
  }
}
