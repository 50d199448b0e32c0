import { constants, createDecipheriv, createHash, generateKeyPairSync, privateDecrypt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { encryptFor, sha256Hex } from './encrypt.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const spki = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');

/** Decrypts a text with node:crypto, only according to the contract. */
function open(sealed: string): string {
  const [wrapped, iv, body] = sealed.split('.').map((part) => Buffer.from(part, 'base64'));
  if (!wrapped || !iv || !body) throw new Error('A sealed text has three parts');
  const key = privateDecrypt(
    { key: privateKey, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' },
    wrapped,
  );
  expect(key).toHaveLength(32);
  const decipher = createDecipheriv('aes-256-gcm', key, iv);
  decipher.setAuthTag(body.subarray(-16));
  return Buffer.concat([decipher.update(body.subarray(0, -16)), decipher.final()]).toString('utf8');
}

describe('a text encrypted for the server', () => {
  it.each(['admin', '', '密码 ünïcode 🔌', 'x'.repeat(5_000)])(
    'can be decrypted with node:crypto: %.20s',
    async (text) => {
      expect(open(await encryptFor(spki, text))).toBe(text);
    },
  );

  it('is different each time', async () => {
    const [one, two] = [await encryptFor(spki, 'admin'), await encryptFor(spki, 'admin')];
    const parts = (sealed: string) => sealed.split('.');
    for (const index of [0, 1, 2]) expect(parts(one)[index]).not.toBe(parts(two)[index]);
  });

  it('cannot be decrypted after a change', async () => {
    const sealed = await encryptFor(spki, 'admin');
    const [wrapped, iv, body] = sealed.split('.');
    const bytes = Buffer.from(body ?? '', 'base64');
    bytes[0] = (bytes[0] ?? 0) ^ 1;
    expect(() => open(`${wrapped}.${iv}.${bytes.toString('base64')}`)).toThrow();
  });
});

it('hashes a password like node:crypto', async () => {
  expect(await sha256Hex('Secret-密码')).toBe(createHash('sha256').update('Secret-密码').digest('hex'));
});
