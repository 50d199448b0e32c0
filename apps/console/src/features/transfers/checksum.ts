/** The SHA-256 of a file, in lowercase hexadecimal. */
export async function checksumOf(file: File): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The version in a file name in the usual notation: `hs-9.8.7.bin` is 9.8.7; empty when there is none. */
export function versionIn(fileName: string): string {
  return /\d{1,9}(?:\.\d{1,9})+/.exec(fileName.replace(/\.[a-z]\w*$/i, ''))?.[0] ?? '';
}
