import { type EndpointCase, onUser, readsUser } from '../ground.ts';

export const explainCases: Record<string, EndpointCase> = {
  'users.abilities': readsUser,
  'users.explain': {
    ...readsUser,
    call: async (ground, site) => ({ ...(await onUser(ground, site)), query: { endpoint: 'devices.list' } }),
  },
  'interfaces.choices': {},
};
