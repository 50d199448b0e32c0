import type { TransferCalls } from '../../ports/transfers.ts';

/** For modules that are tested without firmware and logs: no transfers. */
export const NO_TRANSFERS: TransferCalls = {
  plan: async (_transaction, { inputs }) => ({ params: inputs, refusals: new Map(), begin: async () => undefined }),
  prepare: async () => null,
  statusMessage: async () => null,
  versionsOf: async () => new Map(),
};
