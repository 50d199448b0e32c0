import { type EndpointCase, onUser } from '../ground.ts';

export const impersonationCases: Record<string, EndpointCase> = {
  'viewing.start': {
    // Ends the impersonation of the previous call.
    call: async (ground, site) => {
      await ground.db.deleteFrom('viewings').execute();
      return await onUser(ground, site);
    },
  },
  'viewing.stop': {},
};
