import { newKeyPair } from './gateway/key-pair.ts';

/** The key pairs with which terminals sign in to devices that support it. They are only in memory. */
export type LinkKeys = ReturnType<typeof linkKeys>;

export function linkKeys() {
  const keys = new Map<number, string>();
  return {
    /** Creates the key pair of a link. Returns the public key as in `authorized_keys`, without a comment. */
    create(linkId: number): string {
      const pair = newKeyPair();
      keys.set(linkId, pair.private);
      return pair.public.split(' ').slice(0, 2).join(' ');
    },
    /** The private key of a link; null when it has none. */
    find: (linkId: number): string | null => keys.get(linkId) ?? null,
    forget(linkId: number): void {
      keys.delete(linkId);
    },
  };
}
