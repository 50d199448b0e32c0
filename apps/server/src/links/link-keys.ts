import { TICKET_SECONDS } from '@chargehand/domain';
import { type Bus, NoResponder, RequestTimeout, type Stop } from '../platform/bus/bus.ts';
import type { Cancel, Clock } from '../platform/clock.ts';
import type { SecretBox } from '../platform/secret-box.ts';
import { newKeyPair } from './gateway/key-pair.ts';

declare module '../platform/bus/bus.ts' {
  interface BusRequests {
    /** The encrypted private key of a link, from the process that created it. */
    [key: `link.key.${number}`]: { request: null; answer: string };
  }
}

/** How long a key waits for its device after the ticket has expired, and how long a process may take to answer. */
const EXTRA_MS = 60_000;
const ANSWER_MS = 2_000;

/**
 * The key pairs with which terminals sign in to devices that support it. They are only in memory: of the process that sends
 * control 7, and then of the one to which the device connects.
 */
export type LinkKeys = ReturnType<typeof linkKeys>;

export function linkKeys(parts: { bus: Bus; clock: Clock; box: SecretBox }) {
  const { bus, clock, box } = parts;
  const keys = new Map<number, { private: string; unserve: Stop; keep: Cancel }>();
  const forget = (linkId: number) => {
    keys.get(linkId)?.unserve();
    keys.get(linkId)?.keep();
    keys.delete(linkId);
  };
  return {
    /** Creates the key pair of a link. Returns the public key as in `authorized_keys`, without a comment. */
    create(linkId: number): string {
      const pair = newKeyPair();
      forget(linkId);
      keys.set(linkId, {
        private: pair.private,
        unserve: bus.serve(`link.key.${linkId}`, async () => box.close(pair.private)),
        keep: clock.after(TICKET_SECONDS * 1_000 + EXTRA_MS, () => forget(linkId)),
      });
      return pair.public.split(' ').slice(0, 2).join(' ');
    },
    /** Keeps the key of a link in this process, to which its device has connected. */
    async take(linkId: number): Promise<void> {
      const own = keys.get(linkId);
      own?.keep();
      own?.unserve();
      if (own) return;
      try {
        const sealed = await bus.request(`link.key.${linkId}`, null, ANSWER_MS);
        keys.set(linkId, { private: box.open(sealed), unserve: () => undefined, keep: () => undefined });
      } catch (error) {
        // Without it, users enter the password of the device.
        if (!(error instanceof NoResponder || error instanceof RequestTimeout)) throw error;
      }
    },
    /** The private key of a link; null when it has none. */
    find: (linkId: number): string | null => keys.get(linkId)?.private ?? null,
    forget,
  };
}
