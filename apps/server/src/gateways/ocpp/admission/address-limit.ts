import { addressGroup } from '../../../platform/guess-limit.ts';
import type { KnownDevice } from '../../../ports/devices/device-directory.ts';

/** The number of refused handshakes that an address may have at once, and how many it regains per second. */
const BURST = 60;
const PER_SECOND = 1;
/** The number of addresses that are remembered. When more addresses connect, the oldest ones are forgotten. */
const ADDRESSES = 10_000;

export interface AddressLimit {
  /** True while the address has not used up its refusals. */
  admits(address: string, now: number): boolean;
  /** Counts a refused handshake. */
  refused(address: string, now: number): void;
}

/** Limits the unregistered names that an address may try, so that invented names do not fill the lists. */
export function addressLimit(): AddressLimit {
  const states = new Map<string, { left: number; at: number }>();
  const leftOf = (address: string, now: number): number => {
    const state = states.get(address);
    return state ? Math.min(BURST, state.left + ((now - state.at) / 1_000) * PER_SECOND) : BURST;
  };
  return {
    admits: (address, now) => leftOf(addressGroup(address), now) >= 1,
    refused(from, now) {
      const address = addressGroup(from);
      const left = Math.max(0, leftOf(address, now) - 1);
      states.delete(address);
      states.set(address, { left, at: now });
      const [oldest] = states.keys();
      if (states.size > ADDRESSES && oldest !== undefined) states.delete(oldest);
    },
  };
}

/** True when a device was last admitted from this address. */
export function isLastAddress({ lastAddress }: Pick<KnownDevice, 'lastAddress'>, address: string): boolean {
  return lastAddress !== null && addressGroup(lastAddress) === addressGroup(address);
}
