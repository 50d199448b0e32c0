import type { Transaction } from 'kysely';
import { lockRequest } from '../../platform/database/request-lock.ts';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';

/** A command of a request: the key of the request, and which of its commands it is. */
export interface RequestPart {
  key: string;
  part: string;
}

/** The part of a request that is a command to a device; `place` counts the commands of the request to that device. */
export function devicePart(key: string | undefined, deviceId: number, place: number): RequestPart | null {
  return key === undefined ? null : { key, part: `device ${deviceId}.${place}` };
}

/** The execution that a user requested before with the same key. Requests with the same key wait for each other. */
export async function executionRequestedWith(
  transaction: Transaction<Database>,
  { userId }: Pick<Caller, 'userId'>,
  { key, part }: RequestPart,
): Promise<string | null> {
  await lockRequest(transaction, key);
  const found = await transaction
    .selectFrom('commands')
    .innerJoin('executions', 'executions.command_id', 'commands.id')
    .select('executions.id')
    .where('commands.requested_by', '=', userId)
    .where('commands.request_key', '=', key)
    .where('commands.request_part', '=', part)
    .executeTakeFirst();
  return found?.id ?? null;
}

/** The operation that a user requested before with the same key; null if none. Requests with the same key wait for each other. */
export async function batchRequestedWith(
  transaction: Transaction<Database>,
  { userId }: Pick<Caller, 'userId'>,
  key: string | undefined,
): Promise<number | null> {
  if (key === undefined) return null;
  await lockRequest(transaction, key);
  const found = await transaction
    .selectFrom('commands')
    .innerJoin('command_batches', 'command_batches.command_id', 'commands.id')
    .select('command_batches.operation_id as id')
    .where('commands.requested_by', '=', userId)
    .where('commands.request_key', '=', key)
    .limit(1)
    .executeTakeFirst();
  return found?.id ?? null;
}
