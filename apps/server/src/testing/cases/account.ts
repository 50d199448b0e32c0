import { openSession } from '../client.ts';
import { seal } from '../sign-in.ts';
import { type Person, WORLD_PASSWORD } from '../world.ts';
import { type EndpointCase, fresh, type Ground, publicKeyOf } from './ground.ts';

/** Another session of the caller; nothing of an own account is ever out of scope. */
const onOwnSession = async ({ world, db }: Ground, _: unknown, who: Person) => {
  const { id } = await openSession(db, world.users[who]);
  const { number } = await db.selectFrom('sessions').select('number').where('id', '=', id).executeTakeFirstOrThrow();
  return { params: { id: number } };
};

/** One's own account. Each person of the world changes their password once at most. */
export const ACCOUNT_CASES: Record<string, EndpointCase> = {
  'account.read': {},
  'account.update': { call: () => ({ body: { contact: fresh('Contact') } }) },
  'account.changePassword': {
    call: async ({ db }) => {
      const key = await publicKeyOf(db);
      return { body: { currentPassword: seal(key, WORLD_PASSWORD), password: seal(key, 'Case-pass.1') } };
    },
  },
  'account.setPreferences': { call: () => ({ body: { theme: 'dark' } }) },
  'account.sessions': {},
  'account.endSession': { call: onOwnSession },
  'account.endOtherSessions': {},
};
