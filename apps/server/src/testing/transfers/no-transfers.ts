import type { TransferDesk } from '../../ports/transfers.ts';

/** For parts that are tested without firmware and logs: nothing moves. */
export const NO_TRANSFERS: TransferDesk = {
  plan: async (_transaction, { inputs }) => ({ params: inputs, refusals: new Map(), begin: async () => undefined }),
  prepare: async () => null,
};
