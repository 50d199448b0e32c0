import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { accessEndpoints, recoveryEndpoints } from '@chargehand/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { client } from '../testing/client.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { type MailServer, startMailServer, tokenIn } from '../testing/mails/mail-server.ts';
import { mailsTo } from '../testing/mails/outbox.ts';
import { type Program, startProgram } from '../testing/program.ts';
import { seedWorld } from '../testing/world.ts';

/** Below the range of ephemeral ports, so that no client socket takes it. */
const PORT = 19_704;
const RECEIVER = 'admin@example.org';

let database: TestDatabase;
let dataFolder: string;
let post: MailServer;
let program: Program;
const start = () =>
  startProgram({
    PORT: String(PORT),
    HOST: '127.0.0.1',
    DATABASE_URL: database.url,
    CHARGEHAND_DATA: dataFolder,
    CHARGEHAND_CAPTCHA: 'off',
    SMTP_URL: post.url,
    MAIL_FROM: 'Chargehand <no-reply@example.org>',
  });

beforeAll(async () => {
  database = await createTestDatabase({ max: 2 });
  dataFolder = await mkdtemp(join(tmpdir(), 'chargehand-mail-'));
  post = await startMailServer();
  const { users } = await seedWorld(database.db);
  await database.db.updateTable('users').set({ email: RECEIVER }).where('id', '=', users.northAdmin).execute();
  program = await start();
});
afterAll(async () => {
  await program.stop();
  await post.stop();
  await database.drop();
  await rm(dataFolder, { recursive: true, force: true });
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
  program = await start();
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
