import { BELL_LIMIT, BELL_ROWS, type OwnResult } from '@chargehand/contract';
import {
  EXECUTION_RESULTS,
  executionResultOf,
  outcomeOf,
  type TransferState,
  transferResult,
} from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../../platform/database/schema.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { countEnded, type EndedCommand, listEnded } from './results.store.ts';

/** The commands and batches of the caller that ended last. */
export async function readOwnResults(db: Kysely<Database>, caller: Caller): Promise<{ items: OwnResult[] }> {
  return { items: (await listEnded(db, caller, BELL_ROWS)).map(toOwnResult) };
}

/** How many commands and batches of a user ended after a time. */
export function countOwnResults(db: Kysely<Database>, caller: Caller, since: Date): Promise<number> {
  return countEnded(db, caller, since, BELL_LIMIT);
}

function toOwnResult(ended: EndedCommand): OwnResult {
  const { kind, connector, key, siteName, endedAt, executionId, batchId, counts } = ended;
  return {
    ...{ kind: kind as OwnResult['kind'], connector, key, siteName, endedAt: endedAt.toISOString() },
    device:
      executionId === null
        ? null
        : {
            id: ended.deviceId!,
            name: ended.deviceName!,
            executionId,
            protocol: ended.protocol,
            outcome: outcomeOfEnded(ended),
          },
    batch:
      batchId === null || counts === null
        ? null
        : {
            id: batchId,
            counts: { total: Object.values(counts).reduce((sum, count) => sum + count, 0), ...counts },
          },
  };
}

/** The result of a command; of its transfer when it has one. */
function outcomeOfEnded({ result, transferState }: EndedCommand): number {
  const file = transferState === null ? null : transferResult({ state: transferState as TransferState });
  return EXECUTION_RESULTS[outcomeOf({ state: 'ended', result: executionResultOf(result ?? 1), reason: null }, file)];
}
