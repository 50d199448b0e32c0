import { addressGroup } from '../../../platform/guess-limit.ts';
import type { KnownDevice } from '../../../ports/devices/device-directory.ts';

/** So many refused handshakes an address may have at once, and how many it regains per second. */
const BURST = 60;
const PER_SECOND = 1;
/** Addresses that are remembered; a flood from more of them forgets the oldest. */
const ADDRESSES = 10_000;

export interface AddressLimit {
  /** True while the address has not used up its refusals. */
  admits(address: string, now: number): boolean;
  /** Counts a refused handshake. */
  refused(address: string, now: number): void;
}

/** Limits the unregistered names that an address may try, so that made-up ones do not fill the lists. */
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

/** True when a device was let in from this address last. */
export function isLastAddress({ lastAddress }: Pick<KnownDevice, 'lastAddress'>, address: string): boolean {
  return lastAddress !== null && addressGroup(lastAddress) === addressGroup(address);
}
