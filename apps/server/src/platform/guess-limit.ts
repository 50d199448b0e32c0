import { isIPv6 } from 'node:net';

/** The number of checks that are allowed at once; one more is allowed each `everyMs`. */
interface Rate {
  burst: number;
  everyMs: number;
}

/** Wrong credentials for one name from one address. */
const PAIR: Rate = { burst: 10, everyMs: 1_000 };
/** Wrong credentials of one address for all names, and of all addresses for one name. */
const ADDRESS: Rate = { burst: 60, everyMs: 500 };
const NAME: Rate = { burst: 60, everyMs: 1_000 };
/**
 * Wrong credentials for one name from an address where it was not last admitted: after each two bursts, the next ones take
 * twice as long to regain, up to this many times.
 */
const MOST_GROWTH = 64;
/** Wrong credentials are forgotten when none followed for so long. Milliseconds. */
const FORGET_MS = 3_600_000;
/** The maximum time that a check waits. A check that would wait longer is refused. */
const MOST_WAIT_MS = 5_000;
/** The maximum number of counters. The least recently used one is removed. */
const REMEMBERED = 20_000;

/** The permission to check one credential. */
export interface Check {
  /** how long to wait before the check */
  delayMs: number;
  /** Returns the permission: the credential was correct, so it was not a guess. */
  right(): void;
}

export interface GuessLimit {
  /**
   * The permission to check a credential for `name` from `address`; null when too many checks are waiting. `known`:
   * this name was last admitted from this address, so attempts from other addresses or for other names do not delay it.
   */
  check(address: string, name: string, known: boolean, now: number): Check | null;
}

/**
 * Limits guesses of credentials by address and name. Only wrong ones count. Above the limit a check waits, as do all
 * other checks from there: a correct credential is accepted a little later, and an attacker can test about one
 * credential per second.
 */
export function guessLimit(): GuessLimit {
  /**
   * by key: the time when everything that was used is regained (generic cell rate algorithm), and the number of wrong
   * credentials
   */
  const regained = new Map<string, { until: number; wrong: number }>();
  return {
    check(address, name, known, now) {
      const from = addressGroup(address);
      const lowerName = name.toLowerCase();
      const limits: [key: string, rate: Rate][] = [[`${from} ${lowerName}`, PAIR]];
      if (!known) limits.push([`${from} *`, ADDRESS], [`* ${lowerName}`, NAME]);
      const taken = limits.map(([key, rate]) => {
        const { until: before = 0, wrong: counted = 0 } = regained.get(key) ?? {};
        const wrong = now - before > FORGET_MS ? 0 : counted;
        const grows = rate === PAIR && !known;
        const everyMs = rate.everyMs * (grows ? Math.min(MOST_GROWTH, 2 ** Math.floor(wrong / (2 * rate.burst))) : 1);
        const regainedAt = Math.max(before, now);
        // Growth delays the next ones: the first one after a pause is checked at once.
        const delayMs = Math.max(0, regainedAt - now - (rate.burst - 1) * rate.everyMs);
        return { key, everyMs, until: regainedAt + everyMs, wrong: wrong + 1, delayMs };
      });
      const delayMs = Math.max(...taken.map((one) => one.delayMs));
      if (delayMs > MOST_WAIT_MS) return null;
      for (const { key, until, wrong } of taken) {
        regained.delete(key);
        regained.set(key, { until, wrong });
      }
      for (const key of regained.keys()) {
        if (regained.size <= REMEMBERED) break;
        regained.delete(key);
      }
      return {
        delayMs,
        right() {
          for (const { key, everyMs } of taken) {
            const counted = regained.get(key);
            if (counted) regained.set(key, { until: counted.until - everyMs, wrong: counted.wrong - 1 });
          }
        },
      };
    },
  };
}

/** What counts as one address. For IPv6 the 64-bit network, because its owner has all of its addresses. */
export function addressGroup(address: string): string {
  const plain = address.replace(/^::ffff:(\d{1,3}\.)/i, '$1').split('%', 1)[0]!;
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.toLowerCase().split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - first.length - last.length)).fill('0');
  return `${[...first, ...zeros, ...last].slice(0, 4).join(':')}::/64`;
}
