import { accessEndpoints, recoveryEndpoints } from '@chargehand/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { client } from '../testing/client.ts';
import type { TestDatabase } from '../testing/database/database.ts';
import { type Killable, killable } from '../testing/faults/killable.ts';
import { freePort } from '../testing/free-port.ts';
import { type MailServer, startMailServer, tokenIn } from '../testing/mails/mail-server.ts';
import { mailsTo } from '../testing/mails/outbox.ts';
import type { Program } from '../testing/program.ts';

const PORT = await freePort();
const RECEIVER = 'admin@example.org';

let ground: Killable;
let database: TestDatabase;
let post: MailServer;
let program: Program;

beforeAll(async () => {
  post = await startMailServer();
  const from = 'Chargehand <no-reply@example.org>';
  ground = await killable(PORT, {
    settings: { CHARGEHAND_CAPTCHA: 'off', SMTP_URL: post.url, MAIL_FROM: from },
  });
  database = ground.database;
  const { users } = ground.world;
  await database.db.updateTable('users').set({ email: RECEIVER }).where('id', '=', users.northAdmin).execute();
  program = await ground.start();
});
afterAll(async () => {
  await ground.end();
  await post.stop();
});

test('when the program is killed while it sends a mail, it sends the mail after its next start', async () => {
  // The mail server accepts the text without confirming it.
  post.hold = new Promise(() => undefined);
  const anonymous = client(program.url);
  const { captchaId } = await anonymous.data(accessEndpoints.captcha);
  await anonymous.data(recoveryEndpoints.sendPasswordLink, { body: { email: RECEIVER, captchaId } });
  const stored = async () => (await mailsTo(database.db, RECEIVER))[0]!;
  await expect.poll(() => post.texts, { timeout: 30_000 }).toBe(1);

  await program.kill();
  post.hold = null;
  expect(await stored()).toMatchObject({ state: 'waiting', attempts: 1, sent_at: null });
  program = await ground.start();
  // Moves the end of the dead process's lock on the mail into the past.
  await database.pool.query(`update outgoing_mails set next_attempt_at = now()`);
  await database.pool.query(`select pg_notify('outgoing_mails', '')`);

  const { email } = await post.newest(RECEIVER);
  await expect.poll(stored, { timeout: 30_000 }).toMatchObject({ state: 'sent', attempts: 2 });
  expect(email.messageId).toContain((await stored()).message_id);
  const link = { body: { token: tokenIn(email.text) } };
  expect(await client(program.url).data(recoveryEndpoints.checkPasswordLink, link)).toMatchObject({
    userName: 'north_admin',
  });
}, 240_000);
