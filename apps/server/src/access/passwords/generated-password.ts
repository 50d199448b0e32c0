import { randomInt } from 'node:crypto';
import { passwordLacks } from '@chargehand/domain';

/** Letters and digits that look like no other, so that a person can type what a screen shows. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';

/** A password of four groups of four, 93 bits, which obeys spec §5. */
export function inventPassword(): string {
  for (;;) {
    const groups = Array.from({ length: 4 }, () =>
      Array.from({ length: 4 }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join(''),
    );
    const password = groups.join('-');
    if (passwordLacks(password).length === 0) return password;
  }
}
