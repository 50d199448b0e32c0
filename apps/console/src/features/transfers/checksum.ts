/** The SHA-256 of a file, in small hexadecimal digits. */
export async function checksumOf(file: File): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The version that a file name tells, as makers write it: `hs-9.8.7.bin` is 9.8.7; empty when it tells none. */
export function versionIn(fileName: string): string {
  return /\d+(?:\.\d+)+/.exec(fileName.replace(/\.[a-z]\w*$/i, ''))?.[0] ?? '';
}
