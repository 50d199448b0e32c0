import type { ExecutionRow, NewCommand, OfferedControl, WithDates } from '@chargehand/contract';
import {
  COMMAND_RULES,
  type Command,
  type CommandKind,
  controlOf,
  mayReadTokens,
  meets,
  nextExecution,
  valueWithoutTokens,
} from '@chargehand/domain';
import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { notFound, Problem } from '../../platform/http/problem.ts';
import { type Events, inTransaction } from '../../ports/events.ts';
import { withdrawSeen } from '../../ports/notices.ts';
import { lockExecutions, queryOf, writeEnds } from '../executions.store.ts';
import { viewParameters } from '../parameters/parameter-view.ts';
import {
  answerOf,
  type CommandedDevice,
  devicesCharging,
  findCommandedDevice,
  findExecution,
  listExecutions,
  readExecution,
} from './commands.store.ts';
import { levelsFor } from './control-rules.ts';
import { mayReadValue, rowOf } from './execution-rows.ts';
import { offeredControls } from './offered-controls.ts';
import { type CommandSender, logControl, visibleDevice } from './send-command.ts';

export interface CommandsService {
  /**
   * Creates a command and sends it if the device is free. Returns the execution: in progress, queued behind another
   * one, or ended because the device is offline. Throws the `Problem` that prevents it.
   * @param ahead how many commands of the same request wait before it; it is queued behind them and may wait longer
   * @param place which command to this device it is in the request
   */
  send(
    caller: Caller,
    deviceId: number,
    wanted: NewCommand,
    order?: { ahead: number; place: number },
  ): Promise<WithDates<ExecutionRow>>;
  /** The commands sent to a device. Parameter values are left out for callers who may not read parameters. */
  executions(
    caller: Caller,
    deviceId: number,
    page: { page: number; pageSize: number; sort?: string },
  ): Promise<{ items: WithDates<ExecutionRow>[]; total: number }>;
  /** One execution. Throws `notFound` if it belongs to another device. */
  execution(
    caller: Caller,
    deviceId: number,
    executionId: string,
  ): Promise<WithDates<ExecutionRow> & { answer: unknown }>;
  /** The controls of a device, and which of them the caller may use. */
  controls(caller: Caller, deviceId: number): Promise<OfferedControl[]>;
  /** Cancels a queued execution. Throws `executionNotQueued` if it was sent or has ended. */
  cancel(caller: Caller, executionId: string): Promise<WithDates<ExecutionRow>>;
}

/** Commands to single devices and their results. */
export function commandsService(parts: {
  db: Kysely<Database>;
  sender: CommandSender;
  events: Events;
}): CommandsService {
  const { db, sender } = parts;
  return {
    async send(caller, deviceId, wanted, order) {
      const executionId = await sender.send(caller, deviceId, wanted, order);
      return rowOf(await readExecution(db, executionId), true, mayReadTokens(caller.levels));
    },

    async executions(caller, deviceId, { page, pageSize, sort }) {
      const device = await visibleDevice(db, caller, deviceId);
      const view = await viewParameters(db, caller, device);
      const { items, total } = await listExecutions(caller.scope, db, deviceId, {
        offset: (page - 1) * pageSize,
        limit: pageSize,
        oldestFirst: sort === 'queuedAt',
      });
      await withdrawSeen(db, caller.userId, deviceId);
      const tokens = mayReadTokens(caller.levels);
      return { items: items.map((item) => rowOf(item, mayReadValue(caller, device, view, item), tokens)), total };
    },

    async execution(caller, deviceId, executionId) {
      const device = await visibleDevice(db, caller, deviceId);
      const found = await findExecution(caller.scope, db, deviceId, executionId);
      if (!found) throw notFound('execution');
      const reads = mayReadValue(caller, device, await viewParameters(db, caller, device), found);
      const tokens = mayReadTokens(caller.levels);
      const answer = found.kind === 'sendMessage' && reads ? await answerOf(db, executionId) : null;
      return { ...rowOf(found, reads, tokens), answer: tokens ? answer : valueWithoutTokens(answer) };
    },

    async controls(caller, deviceId) {
      const device = await visibleDevice(db, caller, deviceId);
      const view = await viewParameters(db, caller, device);
      const session = (await devicesCharging(db, [deviceId], 0)).has(deviceId);
      return offeredControls(caller, device, view.description, { session, maintenance: device.maintenance });
    },

    async cancel(caller, executionId) {
      await inTransaction(parts, async (transaction, committed) => {
        const client = queryOf(transaction);
        const [execution] = EXECUTION_ID.test(executionId) ? await lockExecutions(client, [executionId]) : [];
        const device = execution && (await findCommandedDevice(transaction, caller.scope, execution.deviceId));
        if (!execution || !device) throw notFound('execution');
        const { kind, params } = await readExecution(transaction, executionId);
        await requireGiver(transaction, caller, device, kind as CommandKind, params as Command['params']);
        const next = nextExecution(execution, { type: 'cancelled', reason: 'cancelled' });
        if (!next) throw new Problem('executionNotQueued');
        await writeEnds(client, [{ executionId, execution: next, at: null, detail: null, answer: null }]);
        await logControl(transaction, caller, device, { kind, cancelled: true, executionId });
        committed.publish('device.executions', { id: device.id });
      });
      return rowOf(await readExecution(db, executionId), false, mayReadTokens(caller.levels));
    },
  };
}

const EXECUTION_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A caller who may send a command may cancel it, even if the model has changed. @throws Problem `noPermission` */
async function requireGiver(
  transaction: Transaction<Database>,
  caller: Caller,
  device: CommandedDevice,
  kind: CommandKind,
  { key }: Command['params'],
): Promise<void> {
  const view = await viewParameters(transaction, caller, device);
  if (key !== undefined && COMMAND_RULES[kind].right === 'writeParameters') {
    if (!view.maySet(key)) throw new Problem('noPermission');
  } else if (!meets(caller.levels, levelsFor(device, kind, controlOf(view.description, kind)))) {
    throw new Problem('noPermission');
  }
}
