import { OPEN_EVENT_TYPES, OPEN_EVENTS, OPEN_OPERATIONS, type OpenEventType } from '@chargehand/contract';
import { applicationState, inScope, mayCall, type Scope, seesWholeCustomer } from '@chargehand/domain';
import type { Pool } from 'pg';
import { boundUserRights } from '../../access/index.ts';
import type { CallingApplication } from '../requests/callers.store.ts';

/** Which events an application may receive now: those that its user sees, by operations that it may call. */
export interface EventRights {
  scope: Scope;
  types: ReadonlySet<OpenEventType>;
}

type Receiver = Pick<CallingApplication, 'enabled' | 'expiresAt' | 'userId' | 'allowedOperations'>;

/**
 * The rights of an application to receive events of these types; null if it or its user cannot be used. Only what is needed
 * for the types is read, because it is checked for each delivery.
 */
export async function eventRights(
  pool: Pool,
  application: Receiver,
  now: Date,
  wanted: readonly OpenEventType[] = OPEN_EVENT_TYPES,
): Promise<EventRights | null> {
  const { userId, allowedOperations } = application;
  if (userId === null || applicationState(application, now) !== 'enabled') return null;
  const types = new Set<OpenEventType>();
  let scope: Scope = { customers: [], sites: [] };
  for (const id of new Set(wanted.map((type) => OPEN_EVENTS[type]))) {
    const operation = OPEN_OPERATIONS[id];
    const rights = operation ? await boundUserRights(pool, userId, operation.like) : 'unreachable';
    if (rights === 'unusable') return null;
    if (rights === 'unreachable' || !mayCall(id, allowedOperations, true)) continue;
    ({ scope } = rights);
    for (const type of OPEN_EVENT_TYPES) if (OPEN_EVENTS[type] === id) types.add(type);
  }
  return { scope, types };
}

/** True if an event may be received. Its place is the one at the time of the event. */
export function mayReceive(
  { scope, types }: EventRights,
  { type, customerId, siteId }: { type: OpenEventType; customerId: number; siteId: number | null },
): boolean {
  if (!types.has(type)) return false;
  return siteId === null ? seesWholeCustomer(scope, customerId) : inScope(scope, { customerId, siteId });
}
