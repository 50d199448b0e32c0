import type { Clock } from '../../platform/clock.ts';
import { Problem } from '../../platform/http/problem.ts';

/** Refused signatures and tokens of one address in a minute. Far more than a wrong clock or secret causes. */
export const REFUSED_A_MINUTE = 120;
/** The addresses that are remembered. Beyond it the oldest is forgotten. */
const REMEMBERED = 20_000;

/** Limits refused requests by address, so that signatures are not computed without end. Accepted requests never count. */
export function refusals(clock: Clock) {
  const counts = new Map<string, { minute: number; refused: number }>();
  const minuteOf = () => Math.floor(clock.now().getTime() / 60_000);
  return {
    /** @throws {Problem} if too many requests of the address were refused in this minute */
    check(address: string): void {
      const known = counts.get(address);
      if (!known || known.minute !== minuteOf() || known.refused < REFUSED_A_MINUTE) return;
      const seconds = 60 - Math.floor((clock.now().getTime() % 60_000) / 1_000);
      throw new Problem('applicationGuesses', { status: 429, values: { seconds } });
    },
    add(address: string): void {
      const known = counts.get(address);
      const minute = minuteOf();
      counts.delete(address);
      counts.set(address, { minute, refused: known?.minute === minute ? known.refused + 1 : 1 });
      for (const oldest of counts.keys()) {
        if (counts.size <= REMEMBERED) break;
        counts.delete(oldest);
      }
    },
  };
}
