import ssh2 from 'ssh2';
import { expect, test } from 'vitest';
import { newKeyPair } from './key-pair.ts';

test('all of 2,000 keys can be read, and have a public key of 32 bytes', () => {
  for (let count = 0; count < 2_000; count += 1) {
    const pair = newKeyPair('chargehand-1');
    expect(ssh2.utils.parseKey(pair.private)).not.toBeInstanceOf(Error);
    expect(Buffer.from(pair.public.split(' ')[1]!, 'base64')).toHaveLength(4 + 11 + 4 + 32);
  }
});
