import type { Kysely } from 'kysely';
import type { Pool } from 'pg';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/schema.ts';
import type { Log } from '../platform/log.ts';
import type { Room } from '../platform/room.ts';
import { declareRoom } from '../platform/rooms/assemble.ts';
import type { Authorizer } from '../ports/devices/authorizer.ts';
import type { TokenListCommands } from '../ports/devices/token-lists.ts';
import { tokenAuthorizer } from './decide/authorizer.ts';
import { deviceLists, type PlannedLists, type tokenListCalls } from './device-lists/device-lists.service.ts';
import { tokenImports } from './import/import.service.ts';
import { tokensService } from './list/tokens.service.ts';
import { policiesService } from './policies/policies.service.ts';
import './tables.ts';
import { tokensRoutes } from './tokens.routes.ts';

export { ensureDemoTokens } from './demo-tokens.ts';
export { tokenListCalls } from './device-lists/device-lists.service.ts';
export { setFirstPolicy } from './policies/policies.service.ts';

export interface TokensRoom extends Room {
  authorizer: Authorizer;
  /** Executions that changed, after their commit. */
  onAnswered(executions: readonly { deviceId: number; executionId: string }[]): void;
  /** Devices that connected or booted. */
  onConnected(deviceIds: readonly number[]): void;
}

/** Tokens, who may charge where, and the local authorization lists of devices. */
function tokensRoom(parts: {
  db: Kysely<Database>;
  pool: Pool;
  clock: Clock;
  log: Log;
  /** the name of this process */
  node: string;
  commands: TokenListCommands;
  /** the content of the commands */
  planned: PlannedLists;
}): TokensRoom {
  const { db } = parts;
  const authorizer = tokenAuthorizer(parts);
  const lists = deviceLists(parts);
  const changed = () => lists.changed('all');
  const imports = tokenImports({ ...parts, changed });
  return {
    name: 'tokens',
    authorizer,
    onAnswered: lists.onAnswered,
    onConnected: lists.changed,
    routes: (app) =>
      tokensRoutes(app, {
        ...{ db, imports, lists },
        tokens: tokensService({ db, changed }),
        policies: policiesService({ db, changed }),
      }),
    async start() {
      await imports.start();
      authorizer.start();
      lists.start();
    },
    async stop() {
      await lists.stop();
      await imports.stop();
      await authorizer.stop();
    },
  };
}

declare module '../platform/rooms/assemble.ts' {
  interface Parts {
    tokens: TokensRoom;
    tokenListCalls: ReturnType<typeof tokenListCalls>;
  }
}

export const tokens = declareRoom({
  name: 'tokens',
  needs: ['db', 'pool', 'clock', 'log', 'node', 'operations', 'tokenListCalls'],
  provides: ['tokens'],
  open({ operations, tokenListCalls: planned, node, ...parts }) {
    const room = tokensRoom({ ...parts, node: node.name, planned, commands: operations.tokenListCommands });
    return { ...room, tokens: room };
  },
});
