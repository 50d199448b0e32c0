import { sql } from 'kysely';
import type { SiteName } from '../../world.ts';
import { CUSTOMER_OF, type EndpointCase, type Ground, onRole } from '../ground.ts';

const DAY_MS = 86_400_000;
let days = 0;
const daysFromNow = (count: number) => new Date(Date.now() + count * DAY_MS).toISOString();

/** A shift of the root account at a time when it has no other one. */
const shift = ({ world }: Ground) => {
  days += 2;
  return {
    ...{ siteId: null, userId: world.users.root, substituteId: null },
    // Half a day: shifts of different cases never touch, not even when one is copied to another week.
    ...{ from: daysFromNow(days), to: daysFromNow(days + 0.5) },
  };
};
/** Users whom the callers see. */
const ADMIN_OF = { north: 'northAdmin', south: 'southAdmin', readOnly: 'readOnlyAdmin' } as const;
const onCustomer = ({ world }: Ground, site: SiteName) => ({ params: { id: world.customers[CUSTOMER_OF[site]] } });
const onShift = async (ground: Ground, site: SiteName) => {
  const { params } = onCustomer(ground, site);
  const { userId, from, to } = shift(ground);
  const { rows } = await sql<{ id: number }>`
    insert into on_call_shifts (customer_id, user_id, begins_at, ends_at)
    values (${params.id}, ${userId}, ${from}, ${to}) returning id`.execute(ground.db);
  return { params: { ...params, shiftId: rows[0]!.id }, from };
};

export const ON_CALL_CASES: Record<string, EndpointCase> = {
  'roleMessages.read': { call: onRole },
  'roleMessages.save': { call: async (ground) => ({ ...(await onRole(ground)), body: { types: [] } }) },
  'onCall.list': { call: () => ({ query: { from: daysFromNow(0), to: daysFromNow(7) } }) },
  'onCall.settings': { call: onCustomer },
  'onCall.saveSettings': {
    call: (ground, site) => ({ ...onCustomer(ground, site), body: { escalateMinutes: 20 } }),
  },
  'onCall.create': {
    call: (ground, site) => {
      const userId = ground.world.users[ADMIN_OF[CUSTOMER_OF[site]]];
      return { ...onCustomer(ground, site), body: { ...shift(ground), userId } };
    },
  },
  'onCall.update': {
    call: async (ground, site) => ({ params: (await onShift(ground, site)).params, body: shift(ground) }),
  },
  'onCall.delete': { call: async (ground, site) => ({ params: (await onShift(ground, site)).params }) },
  'onCall.copyWeek': {
    call: async (ground, site) => {
      const { params, from } = await onShift(ground, site);
      return { params: { id: params.id }, body: { siteId: null, from, weeks: 1 } };
    },
  },
};
