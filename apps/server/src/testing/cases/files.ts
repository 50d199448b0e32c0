import { CUSTOMER_OF, type EndpointCase } from './ground.ts';

export const FILES_CASES: Record<string, EndpointCase> = {
  'storage.read': {
    call: ({ world }, site) => ({ query: { customerId: world.customers[CUSTOMER_OF[site]] } }),
  },
  'storage.write': {},
  'storage.readAnonymous': { anonymous: 0 },
  'storage.writeAnonymous': { anonymous: 0 },
  'users.setOwnAvatar': { call: () => ({ body: { avatar: null } }) },
};
