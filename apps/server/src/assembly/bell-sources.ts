import { alarmEndpoints, bellEndpoints } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import { readAlarmSummary } from '../alarms/index.ts';
import type { CountedSources } from '../bell/index.ts';
import { countOwnResults } from '../operations/index.ts';
import type { Database } from '../platform/database/schema.ts';

/** What the notification bell counts, from the modules that own it. */
export function bellSources(db: Kysely<Database>): CountedSources {
  return {
    alarms: {
      keys: alarmEndpoints.listAlarms.policy.route.keys,
      count: async (caller) => (await readAlarmSummary(db, caller, {})).unacknowledged,
    },
    results: {
      keys: bellEndpoints.listOwnResults.policy.route.keys,
      count: (caller, since) => countOwnResults(db, caller, since),
    },
  };
}
