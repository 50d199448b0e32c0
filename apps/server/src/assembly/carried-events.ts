import { EXECUTIONS_SENT, operationsEndpoints, telemetryEndpoints } from '@chargehand/contract';
import type { Kysely } from 'kysely';
import { readAlarmSummary, readOpenAlarms } from '../alarms/index.ts';
import { readDeviceCounters, readDeviceSummaries, readSiteStates } from '../fleet/index.ts';
import type { LiveRoom } from '../live/index.ts';
import type { OperationsRoom } from '../operations/index.ts';
import type { Database } from '../platform/database/schema.ts';
import type { Enforcer } from '../platform/http/server.ts';
import type { DocumentFinder } from '../ports/document-finder.ts';
import { readRuntime } from '../telemetry/index.ts';

interface CarriedParts {
  db: Kysely<Database>;
  enforcer: Enforcer;
  executions: OperationsRoom['executions'];
  documents: DocumentFinder;
}

/** Includes the changes in events, so that consoles need not fetch them. */
export function carryChanges(
  { carry, derive, deriveFigures }: Pick<LiveRoom, 'carry' | 'derive' | 'deriveFigures'>,
  { db, enforcer, executions, documents }: CarriedParts,
): void {
  carry(['device.state', 'device.alarms'], (ids) => readDeviceSummaries(db, ids));
  carry(['device.openAlarms'], (ids) => readOpenAlarms(db, ids));
  derive('device.runtime', async (caller, id) => {
    const [device] = await enforcer.enforce(caller, telemetryEndpoints.readRuntime.policy, { params: { id } });
    return device ? readRuntime(db, documents, caller, device) : null;
  });
  derive('device.newestExecutions', async (caller, id) => {
    await enforcer.enforce(caller, operationsEndpoints.listExecutions.policy, { params: { id } });
    return await executions(caller, id, { page: 1, pageSize: EXECUTIONS_SENT });
  });
  deriveFigures('fleet.counters', (seen) => readDeviceCounters(db, seen, {}));
  deriveFigures('fleet.siteStates', (seen) => readSiteStates(db, seen));
  deriveFigures('fleet.alarms', (seen) => readAlarmSummary(db, seen, {}));
}
