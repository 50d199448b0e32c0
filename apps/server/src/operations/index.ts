import type { Kysely } from 'kysely';
import type { Bus, Stop } from '../platform/bus/bus.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/schema.ts';
import type { Log } from '../platform/log.ts';
import type { Room } from '../platform/room.ts';
import { declareRoom } from '../platform/rooms/assemble.ts';
import { DEVICE_CONNECTED, type DeviceLink } from '../ports/devices/device-link.ts';
import type { LinkCalls, LinkCommands } from '../ports/devices/links.ts';
import type { PasswordChanges } from '../ports/devices/password-changes.ts';
import type { TokenListCalls, TokenListCommands } from '../ports/devices/token-lists.ts';
import type { DocumentFinder } from '../ports/document-finder.ts';
import type { Events } from '../ports/events.ts';
import { type MessageCatalog, NO_MESSAGES } from '../ports/message-catalog.ts';
import type { TransferCalls } from '../ports/transfers.ts';
import { batchRunner } from './batches/batch-runner.ts';
import { batchesRoutes } from './batches/batches.routes.ts';
import { batchesService } from './batches/batches.service.ts';
import { commandsRoutes } from './commands/commands.routes.ts';
import { type CommandsService, commandsService } from './commands/commands.service.ts';
import { messagesService } from './commands/messages.service.ts';
import { type CommandSender, commandSender } from './commands/send-command.ts';
import { dispatcher } from './dispatcher.ts';
import { linkCommands } from './link-commands.ts';
import { baselinesService } from './parameters/baselines.service.ts';
import { parameterReader } from './parameters/parameter-reader.ts';
import { parametersRoutes } from './parameters/parameters.routes.ts';
import { parametersService } from './parameters/parameters.service.ts';
import { secretValues } from './parameters/secret-values.ts';
import { passwordChanges } from './password-changes.ts';
import type { AnsweredExecution } from './reports/answers.service.ts';
import { sweeper } from './sweeper.ts';
import { tokenListCommands } from './token-list-commands.ts';
import './tables.ts';

export { loadPastCommands, type PastCommand, type PastExecution } from './commands/history.store.ts';
export { cancelQueued } from './executions.store.ts';
export { commandResults } from './metrics.ts';
export { storeParameters } from './parameters/reported-parameters.store.ts';
export { storeAnswers } from './reports/answers.service.ts';
export { storeConfirmations } from './reports/confirmations.service.ts';
export { storeProgress } from './reports/progress.service.ts';

export interface OperationsRoom extends Required<Room> {
  sendFor: CommandSender['sendFor'];
  executions: CommandsService['executions'];
  passwords: PasswordChanges;
  linkCommands: LinkCommands;
  tokenListCommands: TokenListCommands;
  /**
   * The contents of models, or the models of devices, have changed: values of parameters that are secret now are
   * erased.
   */
  modelsChanged(): void;
  /**
   * Sends events for executions that answers changed, and sends the next commands to their devices. Call it after the
   * commit of `storeAnswers`.
   */
  onAnswersStored(executions: AnsweredExecution[]): void;
}

/** Commands to one device and to several, parameters, executions. */
export function operationsRoom(parts: {
  db: Kysely<Database>;
  bus: Bus;
  link: DeviceLink;
  events: Events;
  transfers: TransferCalls;
  links: LinkCalls;
  /** without it, no lists of tokens are sent to devices */
  tokenLists?: TokenListCalls;
  documents: DocumentFinder;
  clock: Clock;
  log: Log;
  /** the messages that gateways can send; nothing without it */
  messages?: MessageCatalog;
  /** reads parameters after boots, unless reports are late (ms); without it, only users read them */
  reads?: { delayMs(): number; claimUnread(limit: number): Promise<number[]> } | undefined;
}): OperationsRoom {
  const { bus, events } = parts;
  const runner = batchRunner({ ...parts, wake: (deviceId) => dispatch.wake(deviceId) });
  const tokenLists = parts.tokenLists ?? { callOf: async () => null };
  const dispatch = dispatcher({ ...parts, tokenLists, onRoom: (batchId) => void runner.advance(batchId) });
  const sweep = sweeper({ ...parts, dispatcher: dispatch, batches: runner });
  const { messages = NO_MESSAGES } = parts;
  const sender = commandSender({ ...parts, messages, dispatcher: dispatch });
  const service = commandsService({ ...parts, sender });
  const batches = batchesService({ ...parts, runner, sender });
  const catalog = messagesService(parts.db, messages);
  const parameters = parametersService({ ...parts, commands: service });
  const baselines = baselinesService(parts.db);
  const secrets = secretValues(parts);
  const reader = parts.reads ? parameterReader({ ...parts, ...parts.reads, sendFor: sender.sendFor }) : null;
  let unsubscribe: Stop | undefined;
  return {
    name: 'operations',
    role: 'jobs',
    routes(app) {
      commandsRoutes(app, service, catalog);
      parametersRoutes(app, { parameters, baselines });
      batchesRoutes(app, batches);
    },
    sendFor: sender.sendFor,
    executions: service.executions,
    passwords: passwordChanges({ dispatcher: dispatch, events }),
    linkCommands: linkCommands({ dispatcher: dispatch, events }),
    tokenListCommands: tokenListCommands({ dispatcher: dispatch }),
    async start() {
      unsubscribe = bus.subscribe(DEVICE_CONNECTED, (message) => {
        void dispatch.wake(message.deviceId);
      });
      await sweep.start();
      await secrets.start();
      await reader?.start();
    },
    async stop() {
      unsubscribe?.();
      await sweep.stop();
      await secrets.stop();
      await reader?.stop();
      await runner.stop();
      await dispatch.stop();
    },
    modelsChanged: secrets.modelsChanged,
    onAnswersStored(executions) {
      for (const deviceId of new Set(executions.map((execution) => execution.deviceId))) {
        events.publish('device.executions', { id: deviceId });
        void dispatch.wake(deviceId);
      }
      void runner.advanceAfter(executions.map(({ executionId }) => executionId));
    },
  };
}

declare module '../platform/rooms/assemble.ts' {
  interface Parts {
    operations: OperationsRoom;
    link: DeviceLink;
    transferCalls: TransferCalls;
    linkCalls: LinkCalls;
    documentFinder: DocumentFinder;
    messageCatalog: MessageCatalog;
    /** devices whose parameters were not read since they booted */
    claimUnread: (limit: number) => Promise<number[]>;
  }
}

export const operations = declareRoom({
  name: 'operations',
  needs: [
    'db',
    'bus',
    'link',
    'events',
    'clock',
    'log',
    'config',
    'documentFinder',
    'transferCalls',
    'linkCalls',
    'tokenListCalls',
    'messageCatalog',
    'claimUnread',
  ],
  later: ['sink'],
  provides: ['operations'],
  open({ config, sink, claimUnread, ...parts }) {
    const room = operationsRoom({
      ...parts,
      documents: parts.documentFinder,
      transfers: parts.transferCalls,
      links: parts.linkCalls,
      tokenLists: parts.tokenListCalls,
      messages: parts.messageCatalog,
      reads: config.readParameters ? { delayMs: () => sink().delayMs(), claimUnread } : undefined,
    });
    return { ...room, operations: room };
  },
});
