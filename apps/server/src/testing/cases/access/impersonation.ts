import { type EndpointCase, onUser } from '../ground.ts';

export const impersonationCases: Record<string, EndpointCase> = {
  'viewing.start': {
    // Whoever saw as somebody else in the call before is themselves again.
    call: async (ground, site) => {
      await ground.db.deleteFrom('viewings').execute();
      return await onUser(ground, site);
    },
  },
  'viewing.stop': {},
};
