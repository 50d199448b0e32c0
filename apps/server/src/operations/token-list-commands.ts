import { COMMAND_KINDS, EXECUTION_RESULTS, QUEUE_TIMEOUT_MS } from '@chargehand/domain';
import { sql } from 'kysely';
import type { TokenListCommands } from '../ports/devices/token-lists.ts';
import { insertCommand, lockCommandsOf, waitingCommands } from './commands/commands.store.ts';

/** The product itself: its commands are sent after those of users. */
const SYSTEM_USER = { userId: null, userName: '' };
const KIND = 'updateTokenList';

/** Messages that keep the local lists of devices equal. Their content is added when they are sent. */
export function tokenListCommands(parts: {
  /** sends the waiting commands of a device */
  dispatcher: { wake(deviceId: number): Promise<unknown> };
}): TokenListCommands {
  return {
    async begin(transaction, device, executionId) {
      await lockCommandsOf(transaction, device);
      const waiting = await waitingCommands(transaction, device.id);
      if (waiting.length > 0) return false;
      await insertCommand(transaction, {
        ...{ kind: KIND, connector: 0, params: {}, executionId, deviceId: device.id },
        ...{ controlType: COMMAND_KINDS[KIND], requestedBy: SYSTEM_USER, timeoutMs: QUEUE_TIMEOUT_MS },
        ...{ waits: false, precondition: null },
      });
      return true;
    },
    async endOf(transaction, executionId) {
      const found = await transaction
        .selectFrom('executions')
        .select(['state', 'result', 'reason', 'detail'])
        .where('id', '=', executionId)
        .executeTakeFirst();
      if (!found) return 'gone';
      return found.state === 'ended' && found.result !== EXECUTION_RESULTS.waiting ? found : null;
    },
    async forget(transaction, executionId) {
      await sql`
        delete from commands c using executions e
         where e.id = ${executionId}::uuid and c.id = e.command_id and c.kind = ${KIND}`.execute(transaction);
    },
    async send(deviceId) {
      await parts.dispatcher.wake(deviceId);
    },
  };
}
