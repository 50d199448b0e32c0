import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts texts for storage. */
export interface SecretBox {
  /** AES-256-GCM: nonce, tag and text in base64 */
  close(text: string): string;
  /** @throws {Error} for a text of another key */
  open(closed: string): string;
}

/** A box with a key of 32 bytes in base64. */
export function secretBox(base64Key: string): SecretBox {
  const key = Buffer.from(base64Key, 'base64');
  return {
    close(text) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, iv);
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64');
    },
    open(closed) {
      const bytes = Buffer.from(closed, 'base64');
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES));
      decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
      return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
    },
  };
}
