import { randomUUID } from 'node:crypto';
import { COMMAND_KINDS, isBusyFor, nextExecution, QUEUE_TIMEOUT_MS } from '@chargehand/domain';
import { Problem } from '../platform/http/problem.ts';
import type { LinkCommands } from '../ports/devices/links.ts';
import type { Events } from '../ports/events.ts';
import { insertCommand, lockCommandsOf, waitingCommands } from './commands/commands.store.ts';
import { lockExecutions, queryOf, writeConfirmed } from './executions.store.ts';

/** Controls 7 and 8 of links. Their parameters are added when they are sent, so no ticket is stored with a command. */
export function linkCommands(parts: {
  /** sends the waiting commands of a device */
  dispatcher: { wake(deviceId: number): Promise<unknown> };
  events: Events;
}): LinkCommands {
  const { dispatcher, events } = parts;
  return {
    async begin(transaction, by, device, kind) {
      await lockCommandsOf(transaction, device);
      const command = { kind, connector: 0, params: {} };
      if (isBusyFor(command, await waitingCommands(transaction, device.id))) throw new Problem('deviceBusy');
      const executionId = randomUUID();
      await insertCommand(transaction, {
        ...{ ...command, executionId, deviceId: device.id, controlType: COMMAND_KINDS[kind] },
        ...{ requestedBy: by, timeoutMs: QUEUE_TIMEOUT_MS, waits: false, precondition: null },
      });
      return executionId;
    },
    async settle(transaction, executionId, connected) {
      const client = queryOf(transaction);
      const [execution] = await lockExecutions(client, [executionId]);
      if (!execution || (!connected && execution.state !== 'accepted')) return;
      const next = nextExecution(
        execution,
        connected ? { type: 'confirmed', by: 'linkOpened' } : { type: 'deadlinePassed', connection: 'kept' },
      );
      if (next) await writeConfirmed(client, [{ executionId, execution: next }]);
    },
    async send(deviceId) {
      events.publish('device.executions', { id: deviceId });
      await dispatcher.wake(deviceId);
    },
  };
}
