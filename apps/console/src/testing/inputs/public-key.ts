import type { Answer } from '../../shared/api/client.ts';

/** A new public key of the server, for encryption by the page. */
export async function publicKeyAnswer(): Promise<Answer<'publicKey'>> {
  const algorithm = {
    name: 'RSA-OAEP',
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
    hash: 'SHA-256',
  };
  const { publicKey } = await crypto.subtle.generateKey(algorithm, true, ['wrapKey', 'unwrapKey']);
  const bytes = new Uint8Array(await crypto.subtle.exportKey('spki', publicKey));
  return { keyId: 'test', publicKey: btoa(String.fromCharCode(...bytes)) };
}
