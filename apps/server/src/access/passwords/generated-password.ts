import { randomInt } from 'node:crypto';
import { passwordLacks } from '@chargehand/domain';

/** Letters and digits that are easy to tell apart when typed from a screen. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789';

/** A password of four groups of four characters, 93 bits, which meets spec §5. */
export function inventPassword(): string {
  for (;;) {
    const groups = Array.from({ length: 4 }, () =>
      Array.from({ length: 4 }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join(''),
    );
    const password = groups.join('-');
    if (passwordLacks(password).length === 0) return password;
  }
}
