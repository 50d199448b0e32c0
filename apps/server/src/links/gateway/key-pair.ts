import ssh2 from 'ssh2';

/**
 * A new pair of Ed25519 keys, in the formats of OpenSSH. One of 256 pairs of ssh2 cannot be read: it removes a zero at
 * the beginning of the public key. Such a pair is created again.
 */
export function newKeyPair(comment = ''): { private: string; public: string } {
  for (;;) {
    const pair = ssh2.utils.generateKeyPairSync('ed25519', { comment });
    if (!(ssh2.utils.parseKey(pair.private) instanceof Error)) return pair;
  }
}
