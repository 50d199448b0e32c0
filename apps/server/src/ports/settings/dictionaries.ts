import type { Dictionary } from '@chargehand/domain';

declare module '../../platform/bus/bus.ts' {
  interface BusMessages {
    'dictionaries.changed': { dictionary: Dictionary };
  }
}

/** The subject for a changed entry of a dictionary, published after its commit. */
export const DICTIONARY_CHANGED = 'dictionaries.changed';
