import { accessEndpoints, CODES, peopleEndpoints, recoveryEndpoints } from '@chargehand/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Client } from '../../testing/client.ts';
import { tokenIn } from '../../testing/mails/mail-server.ts';
import { mailsTo } from '../../testing/mails/outbox.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { answerKey, seal } from '../../testing/sign-in.ts';
import { WORLD_PASSWORD } from '../../testing/world.ts';

const { changeOwnEmail, confirmEmail, keepOwnEmail, readOwnEmail } = recoveryEndpoints;

let server: TestServer;
let person: Client;
let publicKey: string;
let counter = 0;
let present: string;
let wanted: string;

beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  person = await server.as('northReader');
  ({ publicKey } = await person.data(accessEndpoints.publicKey));
});
afterAll(() => server.stop());
beforeEach(async () => {
  counter += 1;
  present = `present${counter}@example.org`;
  wanted = `wanted${counter}@example.org`;
  await server.database.pool.query(`delete from sign_in_failures`);
  await server.database.db
    .updateTable('users')
    .set({ email: present })
    .where('id', '=', server.world.users.northReader)
    .execute();
});

const change = (email = wanted, password = WORLD_PASSWORD) =>
  person.call(changeOwnEmail, { body: { email, currentPassword: seal(publicKey, password) } });
const tokenTo = async (address: string) => tokenIn((await mailsTo(server.database.db, address))[0]?.body_text);
const confirm = (token: string) => server.anonymous.call(confirmEmail, { body: { token } });

describe('a new email address', () => {
  test('counts once its link is used; the current address gets a notice', async () => {
    expect(await change()).toMatchObject({ code: 0 });
    expect(await person.data(readOwnEmail)).toEqual({
      email: present,
      pending: { email: wanted, expiresAt: expect.any(String) },
    });
    const [notice] = await mailsTo(server.database.db, present);
    expect(notice?.body_text).toContain(wanted);
    expect(() => tokenIn(notice?.body_text)).toThrow('There is no link');
    const token = await tokenTo(wanted);
    expect(await confirm(token)).toMatchObject({ code: 0, data: { email: wanted } });
    expect(await person.data(readOwnEmail)).toEqual({ email: wanted, pending: null });
    expect(await confirm(token)).toMatchObject({ code: CODES.linkExpired.code });
    const logged = server.database.db.selectFrom('action_logs').select(['before', 'after']).orderBy('id', 'desc');
    expect(await logged.limit(1).execute()).toEqual([{ before: { email: present }, after: { email: wanted } }]);
  });

  test('requires the password, and wrong ones count as failed sign-ins', async () => {
    for (const left of [4, 3, 2, 1]) {
      const answer = await change(wanted, 'Wrong-pass.1');
      expect(answer).toMatchObject({ code: CODES.currentPasswordWrong.code, field: 'currentPassword' });
      expect(answer.message).toContain(String(left));
    }
    expect(await change(wanted, 'Wrong-pass.1')).toMatchObject({ code: CODES.accountLocked.code });
    expect(await change()).toMatchObject({ code: CODES.accountLocked.code });
    expect(await mailsTo(server.database.db, wanted)).toEqual([]);
  });

  test('that equals the current one is refused', async () => {
    expect(await change(present.toUpperCase())).toMatchObject({ code: CODES.emailSame.code, field: 'email' });
  });

  test('of another account is only reported to its reader, and both accounts keep theirs', async () => {
    await server.database.db
      .updateTable('users')
      .set({ email: wanted })
      .where('id', '=', server.world.users.southAdmin)
      .execute();
    expect(await change()).toMatchObject({ code: 0 });
    const token = await tokenTo(wanted);
    expect(await confirm(token)).toMatchObject({ code: CODES.userEmailExists.code });
    expect(await person.data(readOwnEmail)).toMatchObject({ email: present });
  });

  test('can be cancelled', async () => {
    await change();
    const token = await tokenTo(wanted);
    await person.data(keepOwnEmail);
    expect(await person.data(readOwnEmail)).toEqual({ email: present, pending: null });
    expect(await confirm(token)).toMatchObject({ code: CODES.linkExpired.code });
  });

  test('that replaces an unconfirmed one invalidates the previous link', async () => {
    await change();
    const older = await tokenTo(wanted);
    await change(`other.${wanted}`);
    expect(await confirm(older)).toMatchObject({ code: CODES.linkExpired.code });
    expect(await confirm(await tokenTo(`other.${wanted}`))).toMatchObject({ code: 0 });
  });

  test('cannot be confirmed once the link has expired, or the password was changed meanwhile', async () => {
    await change();
    const token = await tokenTo(wanted);
    await server.database.pool.query(`update account_links set expires_at = now() - interval '1 ms'`);
    expect(await confirm(token)).toMatchObject({ code: CODES.linkExpired.code });
    expect(await person.data(readOwnEmail)).toEqual({ email: present, pending: null });

    await change();
    const next = await tokenTo(wanted);
    const root = await server.as('root');
    const { northReader } = server.world.users;
    const { password_hash } = await server.database.db
      .selectFrom('users')
      .select('password_hash')
      .where('id', '=', northReader)
      .executeTakeFirstOrThrow();
    await root.data(peopleEndpoints.resetPassword, {
      params: { id: northReader },
      body: { answerKey: answerKey(publicKey).answerKey },
    });
    expect(await confirm(next)).toMatchObject({ code: CODES.linkExpired.code });
    const restored = { password_hash, password_state: 'own' } as const;
    await server.database.db.updateTable('users').set(restored).where('id', '=', northReader).execute();
    person = await server.as('northReader');
  });

  test('confirmed twice concurrently is confirmed once', async () => {
    await change();
    const token = await tokenTo(wanted);
    const codes = (await Promise.all([confirm(token), confirm(token), confirm(token)])).map(({ code }) => code);
    expect(codes.toSorted()).toEqual([0, CODES.linkExpired.code, CODES.linkExpired.code]);
  });

  test('with more than an address in it is refused with the name of the field', async () => {
    expect(await change('ada@example.org\r\nBcc: eve@example.org')).toMatchObject({ field: 'email' });
    expect(await change('ada@example.org,eve@example.org')).toMatchObject({ field: 'email' });
  });
});
