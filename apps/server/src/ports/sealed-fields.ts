/** Decrypts values that a browser encrypted for this server, and encrypts for that browser (design §4). */
export interface SealedFields {
  /** The key with which browsers currently encrypt: SPKI in base64, and its id. */
  publicKey(): { keyId: string; publicKey: string };
  /**
   * The text in an encrypted value, checked like every text.
   * @throws {Problem} decryptionFailed for any error in it; fieldCharacters
   */
  open(field: string, sealed: string): Promise<string>;
  /** The bytes in an encrypted value. @throws {Problem} decryptionFailed */
  openBytes(field: string, sealed: string): Promise<Buffer>;
  /**
   * Encrypts a text for the browser that sent an encrypted AES-256 key (base64 inside).
   * @returns `<base64 iv>.<base64 ciphertext and tag>`
   * @throws {Problem} decryptionFailed
   */
  answer(field: string, sealedKey: string, text: string): Promise<string>;
}
