import {
  accessEndpoints,
  CODES,
  type ENDPOINTS,
  fleetEndpoints,
  messageOf,
  peopleEndpoints,
  recoveryEndpoints,
} from '@chargehand/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Client, client, openSession } from '../../testing/client.ts';
import { tokenIn } from '../../testing/mails/mail-server.ts';
import { mailsTo } from '../../testing/mails/outbox.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { answerKey, seal, signIn } from '../../testing/sign-in.ts';

const { createUser, inviteUser, readUser, resetPassword, updateUser, disableUser, enableUser } = peopleEndpoints;
const { chooseFirstPassword, checkPasswordLink, usePasswordLink, sendPasswordLink } = recoveryEndpoints;
const GIVEN = 'Given-pass.1';
const OWN = 'Own-pass.1';

let server: TestServer;
let admin: Client;
let publicKey: string;
let roleId: number;
let counter = 0;
let userName: string;
let email: string;

beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  admin = await server.as('northAdmin');
  ({ publicKey } = await admin.data(accessEndpoints.publicKey));
  const role = server.database.db.selectFrom('roles').select('id').where('name', '=', 'Assigned sites');
  roleId = (await role.executeTakeFirstOrThrow()).id;
});
afterAll(() => server.stop());
beforeEach(() => {
  counter += 1;
  userName = `newcomer_${counter}`;
  email = `newcomer${counter}@example.org`;
});

const newcomer = (more: object = {}) => ({ userName, customerId: server.world.customers.north, roleId, ...more });
const given = () => newcomer({ password: seal(publicKey, GIVEN) });

async function signedIn(password: string): Promise<Client> {
  const { session, envelope } = await signIn(server.url, userName, password);
  if (!session) throw new Error(envelope.message);
  return client(server.url, session);
}

const choose = (who: Client, password: string) =>
  who.call(chooseFirstPassword, { body: { password: seal(publicKey, password) } });
const accept = async (who: Client) => {
  const { privacy } = await who.data(accessEndpoints.info);
  await who.data(accessEndpoints.acceptPrivacy, { body: { version: privacy.newPrivacyPolicyVersion as number } });
};

describe('a password that an administrator set', () => {
  test('only allows its user to read their account, choose a password, and sign out', async () => {
    const { id } = await admin.data(createUser, { body: given() });
    expect(await admin.data(readUser, { params: { id } })).toMatchObject({ passwordState: 'given', invitation: null });
    const user = await signedIn(GIVEN);
    expect((await user.data(accessEndpoints.info)).user).toMatchObject({ userName, passwordGiven: true });
    for (const endpoint of [
      fleetEndpoints.listDevices,
      accessEndpoints.acceptPrivacy,
      recoveryEndpoints.readOwnEmail,
    ]) {
      const answer = await user.call(endpoint as (typeof ENDPOINTS)['listDevices']);
      expect(answer.code).toBe(CODES.passwordGiven.code);
    }
    expect(await user.call(accessEndpoints.logout)).toMatchObject({ code: 0 });
    expect((await user.call(fleetEndpoints.listDevices)).code).toBe(CODES.notSignedIn.code);
  });

  test('is replaced once, with a different strong one', async () => {
    const { id } = await admin.data(createUser, { body: given() });
    const user = await signedIn(GIVEN);
    expect(await choose(user, GIVEN)).toMatchObject({ code: CODES.passwordSame.code, field: 'password' });
    expect(await choose(user, 'weak')).toMatchObject({ code: CODES.passwordWeak.code, field: 'password' });
    expect(await choose(user, OWN)).toMatchObject({ code: 0 });
    expect((await user.data(accessEndpoints.info)).user.passwordGiven).toBe(false);
    await accept(user);
    expect(await user.call(fleetEndpoints.listDevices)).toMatchObject({ code: 0 });
    expect((await choose(user, 'Another-pass.1')).code).toBe(CODES.passwordOwn.code);
    expect((await signIn(server.url, userName, GIVEN)).envelope.code).toBe(CODES.credentialsWrong.code);
    expect(await admin.data(readUser, { params: { id } })).toMatchObject({ passwordState: 'own' });
  });

  test('the change ends the other sessions and is in the action log without any password', async () => {
    const { id } = await admin.data(createUser, { body: given() });
    const many = await server.as('root');
    const user = await signedIn(GIVEN);
    const other = client(server.url, await openSession(server.database.db, id));
    expect(await choose(user, OWN)).toMatchObject({ code: 0 });
    expect((await other.call(fleetEndpoints.listDevices)).code).toBe(CODES.signedOutElsewhere.code);
    expect((await user.call(accessEndpoints.info)).code).toBe(0);
    const logged = await server.database.db
      .selectFrom('action_logs')
      .selectAll()
      .where('object_id', '=', String(id))
      .where('user_id', '=', id)
      .execute();
    expect(logged).toMatchObject([{ operation: 'edit', object_type: 'user', after: { passwordState: 'own' } }]);
    expect(JSON.stringify(logged)).not.toContain(OWN);
    expect(await many.call(fleetEndpoints.listDevices)).toMatchObject({ code: 0 });
  });

  test('must also be replaced after a reset', async () => {
    const { id } = await admin.data(createUser, { body: given() });
    const first = await signedIn(GIVEN);
    await choose(first, OWN);
    const { open, ...body } = answerKey(publicKey);
    const answer = await admin.data(resetPassword, { params: { id }, body });
    const user = await signedIn(open(answer.password));
    expect((await user.call(fleetEndpoints.listDevices)).code).toBe(CODES.passwordGiven.code);
    expect(await choose(user, OWN)).toMatchObject({ code: 0 });
  });

  test('of two concurrent changes one succeeds', async () => {
    await admin.data(createUser, { body: given() });
    const user = await signedIn(GIVEN);
    const answers = await Promise.all(['First-pass.1', 'Second-pass.2'].map((password) => choose(user, password)));
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1);
    const won = answers.findIndex(({ code }) => code === 0) === 0 ? 'First-pass.1' : 'Second-pass.2';
    expect((await signIn(server.url, userName, won)).envelope.code).toBe(0);
  });

  test('the request to choose a password is in the language of the user', async () => {
    await admin.data(createUser, { body: given() });
    const { session } = await signIn(server.url, userName, GIVEN);
    const chinese = client(server.url, session, 'zh-CN');
    expect((await chinese.call(fleetEndpoints.listDevices)).message).toBe(messageOf('passwordGiven', 'zh-CN'));
  });
});

describe('an invitation', () => {
  const invited = () => newcomer({ email, nickName: 'New <b>Comer</b>', locale: 'zh-CN' });
  const newestToken = async (address = email) => tokenIn((await mailsTo(server.database.db, address))[0]?.body_text);
  const acceptIt = (token: string) =>
    server.anonymous.call(usePasswordLink, { body: { token, password: seal(publicKey, OWN) } });

  test('allows a new user to choose their own password and sign in', async () => {
    const { id } = await admin.data(createUser, { body: invited() });
    const detail = await admin.data(readUser, { params: { id } });
    expect(detail).toMatchObject({ passwordState: 'invited', locale: 'zh-CN' });
    const hours = (Date.parse(detail.invitation!.expiresAt) - Date.parse(detail.invitation!.sentAt)) / 3_600_000;
    expect(hours).toBeCloseTo(72, 1);
    const [mail] = await mailsTo(server.database.db, email);
    expect(mail).toMatchObject({ locale: 'zh-CN', subject: '您的 Chargehand 账号已开通' });
    // The mail contains no text that the inviting user can choose freely.
    expect(mail?.body_text).toContain(`${userName}，您好：`);
    expect(`${mail?.body_text}${mail?.body_html}`).not.toContain('Comer');
    expect(mail?.body_text).toContain(userName);
    expect(mail?.body_text).toContain(`${server.url}/find-password/reset?lang=zh-CN#`);
    const token = await newestToken();
    expect(await server.anonymous.data(checkPasswordLink, { body: { token } })).toMatchObject({
      purpose: 'invitation',
      userName,
    });
    expect(await acceptIt(token)).toMatchObject({ code: 0 });
    expect((await acceptIt(token)).code).toBe(CODES.linkExpired.code);
    const user = await signedIn(OWN);
    await accept(user);
    expect(await user.call(fleetEndpoints.listDevices)).toMatchObject({ code: 0 });
    expect(await admin.data(readUser, { params: { id } })).toMatchObject({ passwordState: 'own', invitation: null });
  });

  test('is sent to one address five times an hour, and by one user sixty times', async () => {
    const { id } = await admin.data(createUser, { body: invited() });
    const again = () => admin.call(inviteUser, { params: { id }, body: {} });
    for (let count = 1; count < 5; count += 1) expect(await again()).toMatchObject({ code: 0 });
    expect(await again()).toMatchObject({ code: CODES.mailsTooOften.code });
    expect(await mailsTo(server.database.db, email)).toHaveLength(5);
    const { pool } = server.database;
    await pool.query(`delete from sign_in_failures where key like 'invited:%'`);
    await pool.query(`update sign_in_failures set points = 60 where key like 'inviter:%'`);
    expect(await again()).toMatchObject({ code: CODES.mailsTooOften.code });
    const other = { ...invited(), userName: `${userName}_x`, email: `x.${email}` };
    expect(await admin.call(createUser, { body: other })).toMatchObject({ code: CODES.mailsTooOften.code });
    await pool.query('delete from sign_in_failures');
  });

  test.each([`${'Passw0rd'}1!`, 'Welcome-2026'])('is not accepted with %s', async (password) => {
    await admin.data(createUser, { body: invited() });
    const answer = await server.anonymous.call(usePasswordLink, {
      body: { token: await newestToken(), password: seal(publicKey, password) },
    });
    expect(answer).toMatchObject({ code: CODES.passwordGuessable.code, field: 'password' });
  });

  test('before it is accepted, no sign-in succeeds', async () => {
    await admin.data(createUser, { body: invited() });
    for (const password of ['', GIVEN, OWN]) {
      expect((await signIn(server.url, userName, password)).envelope.code).toBe(CODES.credentialsWrong.code);
    }
  });

  test('requires an address; without one neither user nor mail is created', async () => {
    const answer = await admin.call(createUser, { body: newcomer() });
    expect(answer).toMatchObject({ code: CODES.invitationNeedsEmail.code, field: 'email' });
    const taken = await admin.call(createUser, { body: { ...invited(), customerId: server.world.customers.south } });
    expect(taken.code).toBe(CODES.userCustomerUnknown.code);
    expect(await mailsTo(server.database.db, email)).toEqual([]);
  });

  test('can be sent again, and only the newest is valid', async () => {
    const { id } = await admin.data(createUser, { body: invited() });
    const older = await newestToken();
    await admin.data(inviteUser, { params: { id }, body: {} });
    const newer = await newestToken();
    expect((await acceptIt(older)).code).toBe(CODES.linkExpired.code);
    expect((await acceptIt(newer)).code).toBe(0);
    expect((await admin.call(inviteUser, { params: { id }, body: {} })).code).toBe(CODES.notInvited.code);
  });

  test('becomes invalid when the address changes, and is sent to the new one', async () => {
    const { id } = await admin.data(createUser, { body: invited() });
    const older = await newestToken();
    await admin.data(updateUser, { params: { id }, body: { email: `right.${email}` } });
    expect((await acceptIt(older)).code).toBe(CODES.linkExpired.code);
    expect((await acceptIt(await newestToken(`right.${email}`))).code).toBe(0);
  });

  test('of a disabled user is not sent', async () => {
    const { id } = await admin.data(createUser, { body: invited() });
    await admin.data(disableUser, { params: { id }, body: {} });
    expect((await admin.call(inviteUser, { params: { id }, body: {} })).code).toBe(CODES.userDisabled.code);
    await admin.data(enableUser, { params: { id }, body: {} });
    expect((await admin.call(inviteUser, { params: { id }, body: {} })).code).toBe(0);
  });

  test('that was lost can be replaced by requesting a forgotten password', async () => {
    const { id } = await admin.data(createUser, { body: invited() });
    const { captchaId } = await server.anonymous.data(accessEndpoints.captcha);
    await server.anonymous.data(sendPasswordLink, { body: { email, captchaId } });
    const invitation = await newestToken();
    expect(await acceptIt(invitation)).toMatchObject({ code: 0 });
    expect(await admin.data(readUser, { params: { id } })).toMatchObject({ passwordState: 'own', invitation: null });
  });
});
