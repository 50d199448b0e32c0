/**
 * Encrypts for the owner of an RSA key (design §4): a new AES-256-GCM key, wrapped with RSA-OAEP-SHA256.
 * @param content the secret, of any length; a text as UTF-8
 * @param publicKey the RSA public key, SPKI in base64
 * @returns `<base64 wrapped key>.<base64 iv>.<base64 ciphertext and tag>`
 */
export async function encryptFor(publicKey: string, content: string | Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const rsa = await crypto.subtle.importKey(
    'spki',
    fromBase64(publicKey),
    { name: 'RSA-OAEP', hash: 'SHA-256' },
    false,
    ['wrapKey'],
  );
  const aes = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, true, ['encrypt']);
  // NIST SP 800-38D §8.2.2: a random IV of 96 bits. The key is used for this text only.
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, aes, bytes);
  const wrapped = await crypto.subtle.wrapKey('raw', aes, rsa, { name: 'RSA-OAEP' });
  return [new Uint8Array(wrapped), iv, new Uint8Array(sealed)].map(toBase64).join('.');
}

/**
 * A key with which the server encrypts its response: the encrypted key for the request, and a function to decrypt the
 * response.
 */
export async function answerKey(publicKey: string): Promise<{ sealed: string; open(answer: string): Promise<string> }> {
  const raw = crypto.getRandomValues(new Uint8Array(32));
  const aes = await crypto.subtle.importKey('raw', raw, 'AES-GCM', false, ['decrypt']);
  return {
    sealed: await encryptFor(publicKey, toBase64(raw)),
    async open(answer) {
      const [iv, body] = answer.split('.').map(fromBase64);
      if (!iv || !body) throw new Error('The response is not encrypted.');
      return new TextDecoder().decode(await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, aes, body));
    },
  };
}

/** The SHA-256 of a text (UTF-8), in lowercase hex. */
export async function sha256Hex(text: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Browsers provide the Web Crypto API only to pages with HTTPS or on localhost. */
export function canEncrypt(): boolean {
  return globalThis.isSecureContext && crypto.subtle !== undefined;
}

function toBase64(bytes: Uint8Array): string {
  let text = '';
  // The number of arguments of a call is limited.
  for (let start = 0; start < bytes.length; start += 32_768) {
    text += String.fromCharCode(...bytes.subarray(start, start + 32_768));
  }
  return btoa(text);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
