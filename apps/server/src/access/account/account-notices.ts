import { randomUUID } from 'node:crypto';
import type { AccountEvent } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import { announce } from '../../ports/notices.ts';

/** Announces what happened to an account to its user, in the transaction of its cause. Each is a message of its own. */
export async function announceAccount(
  trx: Kysely<Database>,
  userId: number,
  event: AccountEvent,
  data: Readonly<Record<string, string>> = {},
): Promise<void> {
  await announce(trx, {
    ...{ type: 'accountSecurity', key: randomUUID(), subject: { kind: 'user', id: userId }, userIds: [userId] },
    ...{ customerId: null, siteId: null, deviceId: null, data: { ...data, event } },
  });
}
