/** Opens what a browser encrypted for this server, and encrypts for that browser (design §4). */
export interface SealedFields {
  /** The key for which browsers encrypt now: SPKI in base64, and its id. */
  publicKey(): { keyId: string; publicKey: string };
  /**
   * The text inside a sealed value, which is held to what every text is held to.
   * @throws {Problem} decryptionFailed, the same whatever was wrong with it; fieldCharacters
   */
  open(field: string, sealed: string): Promise<string>;
  /** The bytes inside a sealed value. @throws {Problem} decryptionFailed */
  openBytes(field: string, sealed: string): Promise<Buffer>;
  /**
   * Encrypts a text for the browser that sent a sealed AES-256 key (base64 inside).
   * @returns `<base64 iv>.<base64 ciphertext and tag>`
   * @throws {Problem} decryptionFailed
   */
  answer(field: string, sealedKey: string, text: string): Promise<string>;
}
