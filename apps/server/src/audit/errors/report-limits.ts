import { addressGroup } from '../../platform/guess-limit.ts';

/** Reports in a minute: of one session, of one address without a session, and of all pages without one. */
const OF_SESSION = 60;
const OF_ADDRESS = 10;
const OF_ALL_ANONYMOUS = 120;
const MINUTE_MS = 60_000;
/** Sessions and addresses that are counted. With more, those that came first in the minute are forgotten. */
const COUNTED = 5_000;

/** Who reports: a session, or an address without one. */
export type Reporter = { sessionId: string } | { address: string };

/** Limits the reports of browsers. A minute begins with the first report in it. */
export function reportLimits() {
  let minute = 0;
  let counts = new Map<string, number>();

  function take(key: string, wanted: number, most: number): number {
    const used = counts.get(key) ?? 0;
    const taken = Math.max(0, Math.min(wanted, most - used));
    counts.set(key, used + taken);
    for (const oldest of counts.keys()) {
      if (counts.size <= COUNTED) break;
      counts.delete(oldest);
    }
    return taken;
  }

  return {
    /** How many of the wanted reports are accepted, and the limit that refuses the others. */
    accept(from: Reporter, wanted: number, now: number): { accepted: number; limit: 'session' | 'address' | 'all' } {
      const current = Math.floor(now / MINUTE_MS);
      if (current !== minute) {
        minute = current;
        counts = new Map();
      }
      if ('sessionId' in from) {
        return { accepted: take(`session ${from.sessionId}`, wanted, OF_SESSION), limit: 'session' };
      }
      const ofAddress = take(addressGroup(from.address), wanted, OF_ADDRESS);
      if (ofAddress === 0) return { accepted: 0, limit: 'address' };
      const accepted = take('anonymous', ofAddress, OF_ALL_ANONYMOUS);
      return { accepted, limit: accepted < ofAddress ? 'all' : 'address' };
    },
  };
}
