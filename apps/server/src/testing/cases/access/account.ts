import { randomBytes } from 'node:crypto';
import { CODES } from '@chargehand/contract';
import { sql } from 'kysely';
import { currentPolicy } from '../../../access/privacy/privacy.store.ts';
import { openSession } from '../../client.ts';
import { textsOfXlsx } from '../../files/xlsx.ts';
import { seal } from '../../sign-in.ts';
import { PEOPLE, type Person, type SiteName, userNameOf, WORLD_PASSWORD } from '../../world.ts';
import { byPerson, type EndpointCase, fresh, type Ground, onUser, publicKeyOf } from '../ground.ts';

/** A session of a user of the site. */
const onSession = async (ground: Ground, site: SiteName) => {
  const { params } = await onUser(ground, site);
  const { id } = await openSession(ground.db, params.id);
  return { params: { id: await numberOf(ground, id) } };
};

async function numberOf({ db }: Ground, id: string): Promise<number> {
  const session = db.selectFrom('sessions').select('number').where('id', '=', id);
  return (await session.executeTakeFirstOrThrow()).number;
}

/** Another session of the caller. The own account is never out of scope. */
const onOwnSession = async (ground: Ground, _: unknown, who: Person) => {
  const { id } = await openSession(ground.db, ground.world.users[who]);
  return { params: { id: await numberOf(ground, id) } };
};

/** Gives a user confirmed two-factor authentication. */
export async function withSecondFactor({ db }: Ground, userId: number): Promise<void> {
  await db
    .insertInto('second_factors')
    .values({ user_id: userId, secret: 'any', confirmed_at: new Date() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** The users of the test data who are signed in during all cases. */
const SIGNED_IN = PEOPLE.filter((person) => person !== 'northDisabled' && person !== 'closedAdmin').map(userNameOf);

/** The own account. Each user of the test data changes their password at most once. */
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
  'secondFactor.read': {},
  'secondFactor.begin': {
    call: () => ({ body: { currentPassword: 'plain', answerKey: 'plain' } }),
    everybody: CODES.decryptionFailed.code,
  },
  'secondFactor.confirm': {
    call: async ({ db }) => {
      const key = await publicKeyOf(db);
      return { body: { code: seal(key, '000000'), answerKey: seal(key, randomBytes(32).toString('base64')) } };
    },
    everybody: CODES.secondFactorNotBegun.code,
  },
  'secondFactor.renewRecoveryCodes': {
    call: async ({ db }) => {
      const key = await publicKeyOf(db);
      const answer = seal(key, randomBytes(32).toString('base64'));
      return {
        body: { currentPassword: seal(key, WORLD_PASSWORD), code: seal(key, '000000'), answerKey: answer },
      };
    },
    everybody: CODES.secondFactorOff.code,
  },
  'secondFactor.disable': {
    call: async ({ db }) => {
      const key = await publicKeyOf(db);
      return { body: { currentPassword: seal(key, WORLD_PASSWORD), code: seal(key, '000000') } };
    },
    everybody: CODES.secondFactorOff.code,
  },
  'account.sessions': {},
  'account.endSession': { call: onOwnSession },
  'account.endOtherSessions': {},
};

/** Online users. */
export const ONLINE_CASES: Record<string, EndpointCase> = {
  'sessions.list': {},
  'sessions.export': {
    scoped: {
      shown: ({ bytes }) => ({ names: [...new Set(textsOfXlsx(bytes).filter((text) => SIGNED_IN.includes(text)))] }),
      visible(_, person) {
        const of = (customer: string) => SIGNED_IN.filter((name) => name.startsWith(customer));
        const seen = { all: SIGNED_IN, north: of('north_'), assigned: ['north_assigned'], south: of('south_') };
        return { names: byPerson(person, { ...seen, readOnly: of('read_only') }) };
      },
    },
  },
  'sessions.kick': {
    call: async (ground, site) => ({ ...(await onSession(ground, site)), body: { cause: 'maintenance' } }),
  },
};

/** Everyone accepts the newest policy, so that a published one does not block the following calls. */
const acceptForAll = async ({ db }: Ground) => {
  await sql`
    insert into privacy_acceptances (user_id, version)
    select u.id, max(p.version) from users u, privacy_policies p group by u.id on conflict do nothing`.execute(db);
};

/** The privacy policy: written by users of the platform vendor, accepted by everyone. */
export const PRIVACY_CASES: Record<string, EndpointCase> = {
  'session.acceptPrivacy': {
    call: async ({ db }) => ({ body: { version: (await currentPolicy(db))?.version ?? 1 } }),
  },
  'privacyPolicies.list': {},
  'privacyPolicies.read': { call: () => ({ params: { id: 1 } }) },
  'privacyPolicies.readDraft': {},
  'privacyPolicies.saveDraft': {
    call: () => ({ body: { contentEn: fresh('Text'), contentZh: fresh('文本') } }),
    longTexts: ['contentEn', 'contentZh'],
  },
  'privacyPolicies.publish': {
    call: () => ({ body: { contentEn: fresh('Text'), contentZh: fresh('文本') } }),
    longTexts: ['contentEn', 'contentZh'],
    undo: acceptForAll,
  },
  'privacyAcceptances.list': {},
  'privacyAcceptances.export': {},
};
