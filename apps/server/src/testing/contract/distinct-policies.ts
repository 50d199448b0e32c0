import { ENDPOINTS, type Endpoint, type Policy } from '@chargehand/contract';

/** A policy without its permission keys, of which the database decides whether a role has one. */
function shapeOf(policy: Policy): string {
  return JSON.stringify(typeof policy.route === 'object' ? { ...policy, route: 'keys' } : policy);
}

/** One endpoint for each different policy among some endpoints; of several with the same one, the first that changes something. */
export function distinctPolicies(among: (endpoint: Endpoint) => boolean = () => true): Endpoint[] {
  const found = new Map<string, Endpoint>();
  for (const endpoint of Object.values<Endpoint>(ENDPOINTS).filter(among)) {
    const shape = shapeOf(endpoint.policy);
    const known = found.get(shape);
    if (!known || (known.method === 'GET' && endpoint.method !== 'GET')) found.set(shape, endpoint);
  }
  return [...found.values()];
}
