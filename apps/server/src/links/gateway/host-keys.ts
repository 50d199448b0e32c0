import { promisify } from 'node:util';
import ssh2, { type ParsedKey } from 'ssh2';
import { newKeyPair } from './key-pair.ts';

/** Kinds of keys besides Ed25519, which dropbear before 2020.79 does not have. */
export const OTHER_KEY_KINDS = ['ecdsa', 'rsa'] as const;
export type OtherKeyKind = (typeof OTHER_KEY_KINDS)[number];

const generate: (kind: OtherKeyKind, options: { bits: number }) => Promise<{ private: string }> = promisify(
  ssh2.utils.generateKeyPair as never,
);
/** ECDSA with the curve nistp256; RSA as long as clients of small devices compute it in a second. */
const BITS: Readonly<Record<OtherKeyKind, number>> = { ecdsa: 256, rsa: 2_048 };

/** A new private Ed25519 key for the server, in the format of OpenSSH. */
export function newHostKey(): string {
  return newKeyPair().private;
}

/** A new private key of another kind for the server. */
export async function newOtherHostKey(kind: OtherKeyKind): Promise<string> {
  const { private: key } = await generate(kind, { bits: BITS[kind] });
  return key;
}

/**
 * Private keys as the server of ssh2 takes them. It would offer RSA with SHA-1 too: a key with the type of one signature is
 * offered with that only.
 */
export function offeredHostKeys(keys: readonly ParsedKey[]): { key: ParsedKey }[] {
  return keys.flatMap((key) =>
    key.type === 'ssh-rsa'
      ? ['rsa-sha2-512', 'rsa-sha2-256'].map((type) => ({ key: Object.create(key, { type: { value: type } }) }))
      : [{ key }],
  );
}

/** A public key as in `known_hosts`, without the name of the host. */
export function publicLine(key: ParsedKey): string {
  return `${key.type} ${key.getPublicSSH().toString('base64')}`;
}
