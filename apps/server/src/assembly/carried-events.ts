import { telemetryEndpoints } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import { readAlarmSummary } from '../alarms/index.ts';
import { readDeviceCounters, readSiteStates, readStandings } from '../fleet/index.ts';
import type { LiveRoom } from '../live/index.ts';
import type { Database } from '../platform/database/schema.ts';
import type { Enforcer } from '../platform/http/server.ts';
import { readRuntime } from '../telemetry/index.ts';

/** Includes the changes in events, so that consoles need not fetch them. */
export function carryChanges(
  { carry, derive }: Pick<LiveRoom, 'carry' | 'derive'>,
  { db, enforcer }: { db: Kysely<Database>; enforcer: Enforcer },
): void {
  carry(['device.state', 'device.alarms'], (ids) => readStandings(db, ids));
  derive('device.runtime', async (caller, id) => {
    const [device] = await enforcer.enforce(caller, telemetryEndpoints.readRuntime.policy, { params: { id } });
    return device ? readRuntime(db, caller, device) : null;
  });
  derive('fleet.counters', (caller) => readDeviceCounters(db, caller, {}));
  derive('fleet.siteStates', (caller) => readSiteStates(db, caller));
  derive('fleet.alarms', (caller) => readAlarmSummary(db, caller, {}));
}
