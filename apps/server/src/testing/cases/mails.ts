import { CODES } from '@chargehand/contract';
import { seal } from '../sign-in.ts';
import { WORLD_PASSWORD, WORLD_PASSWORD_HASH } from '../world.ts';
import { type EndpointCase, editsUser, fresh, type Ground, onUser, publicKeyOf } from './ground.ts';

const newMail = async ({ db }: Ground) => {
  const mail = db.insertInto('outgoing_mails').values({
    receiver: `${fresh('case')}@example.org`,
    locale: 'en-US',
    subject: 'Case',
    body_text: 'Case',
    body_html: '<p>Case</p>',
    next_attempt_at: null,
  });
  return { params: { id: (await mail.returning('id').executeTakeFirstOrThrow()).id } };
};

/** Outgoing mails, and the actions of the links in them. */
export const MAIL_CASES: Record<string, EndpointCase> = {
  'mails.list': {},
  'mails.read': { call: newMail },
  'mails.sendAgain': { call: newMail },

  'password.email': {
    call: () => ({ body: { email: 'nobody@example.org', captchaId: 'x' } }),
    anonymous: CODES.captchaWrong.code,
  },
  'password.valid': { call: () => ({ body: { token: 'x' } }), anonymous: CODES.linkExpired.code },
  'password.reset': { call: () => ({ body: { token: 'x', password: 'x' } }), anonymous: CODES.linkExpired.code },
  'email.confirm': { call: () => ({ body: { token: 'x' } }), anonymous: CODES.linkExpired.code },

  'session.chooseFirstPassword': {
    call: async ({ db }) => ({ body: { password: seal(await publicKeyOf(db), 'Chosen-pass.1') } }),
    everybody: CODES.passwordOwn.code,
    givenPassword: 0,
  },
  'ownEmail.read': {},
  'ownEmail.change': {
    call: async ({ world, db }, _, who) => {
      // Restores the password of the test data for a user who has changed it.
      const hash = { password_hash: WORLD_PASSWORD_HASH };
      await db.updateTable('users').set(hash).where('id', '=', world.users[who]).execute();
      const currentPassword = seal(await publicKeyOf(db), WORLD_PASSWORD);
      return { body: { email: `${fresh('case')}@example.org`, currentPassword } };
    },
  },
  'ownEmail.keep': {},

  'users.invite': {
    ...editsUser,
    call: async (ground, site) => {
      const user = await onUser(ground, site);
      const values = { password_state: 'invited' as const, email: `${fresh('case')}@example.org` };
      await ground.db.updateTable('users').set(values).where('id', '=', user.params.id).execute();
      return user;
    },
  },
};
