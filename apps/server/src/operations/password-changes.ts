import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto';
import { COMMAND_KINDS, conflicts, MAX_QUEUE_MINUTES } from '@chargehand/domain';
import { type Kysely, sql } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import { Problem } from '../platform/http/problem.ts';
import { hashDevicePassword } from '../ports/devices/device-password.ts';
import type { PasswordChanges } from '../ports/devices/password-changes.ts';
import type { Events } from '../ports/events.ts';
import { insertCommand, lockCommandsOf, waitingCommands } from './commands/commands.store.ts';

const COMMAND = { kind: 'changePassword', connector: 0, params: {} } as const;

/**
 * Changes of gateway passwords: persistent commands whose secret is stored separately and encrypted until it is sent.
 */
export function passwordChanges(parts: {
  /** sends the waiting commands of a device */
  dispatcher: { wake(deviceId: number): Promise<unknown> };
  events: Events;
}): PasswordChanges {
  const { dispatcher, events } = parts;
  return {
    async begin(transaction, caller, device, password) {
      await lockCommandsOf(transaction, device);
      const waiting = await waitingCommands(transaction, device.id);
      if (waiting.some((one) => conflicts(one, COMMAND))) throw new Problem('deviceBusy', { field: 'gatewayPassword' });
      const executionId = randomUUID();
      await insertCommand(transaction, {
        ...COMMAND,
        ...{ executionId, deviceId: device.id, controlType: COMMAND_KINDS.changePassword, requestedBy: caller },
        ...{ timeoutMs: MAX_QUEUE_MINUTES * 60_000, waits: true, precondition: null },
      });
      // Earlier failed changes are no longer shown once there is a new one.
      await sql`delete from password_changes p using executions e
                 where p.device_id = ${device.id} and e.id = p.execution_id and e.state = 'ended' and e.result in (3, 5)`.execute(
        transaction,
      );
      await transaction
        .insertInto('password_changes')
        .values({
          execution_id: executionId,
          device_id: device.id,
          password_hash: hashDevicePassword(password),
          secret: encrypt(await secretKey(transaction), password),
        })
        .execute();
    },
    send(deviceId) {
      events.publish('device.executions', { id: deviceId });
      void dispatcher.wake(deviceId);
    },
  };
}

/** The password for an execution to send; null when the device uses it already. */
export async function passwordOf(db: Kysely<Database>, executionId: string): Promise<string | null> {
  const row = await db
    .selectFrom('password_changes')
    .select('secret')
    .where('execution_id', '=', executionId)
    .executeTakeFirst();
  return row?.secret ? decrypt(await secretKey(db), row.secret) : null;
}

/** A password that was sent, or will not be sent any more, is removed. */
export async function forgetPasswords(db: Kysely<Database>): Promise<void> {
  await sql`
    update password_changes p set secret = null from executions e
     where e.id = p.execution_id and p.secret is not null
       and (e.state = 'ended' or e.sent_at < now() - interval '1 minute')`.execute(db);
}

const SECRET_NAME = 'device-password-changes';

/** The encryption key of this installation. The first change creates it. */
async function secretKey(db: Kysely<Database>): Promise<Buffer> {
  await db
    .insertInto('server_secrets')
    .values({ name: SECRET_NAME, value: randomBytes(32).toString('base64') })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { value } = await db
    .selectFrom('server_secrets')
    .select('value')
    .where('name', '=', SECRET_NAME)
    .executeTakeFirstOrThrow();
  return Buffer.from(value, 'base64');
}

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM: nonce, tag and text in base64. */
function encrypt(key: Buffer, text: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64');
}

function decrypt(key: Buffer, sealed: string): string {
  const bytes = Buffer.from(sealed, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES));
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString('utf8');
}
