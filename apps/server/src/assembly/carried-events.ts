import { EXECUTIONS_SENT, operationsEndpoints, telemetryEndpoints } from '@chargehand/contract';
import { readAlarmSummary, readNewestEvents, readOpenAlarms } from '../alarms/index.ts';
import { readDeviceCounters, readDeviceSummaries, readSiteStates } from '../fleet/index.ts';
import { declareRoom } from '../platform/rooms/assemble.ts';
import { readRuntime } from '../telemetry/index.ts';

/** Includes the changes in events, so that consoles need not fetch them. */
export const carriedEvents = declareRoom({
  name: 'carried events',
  needs: ['db', 'enforcer', 'operations', 'documentFinder', 'live'],
  open({ db, enforcer, operations, documentFinder, live: { carry, derive, deriveFigures } }) {
    carry(['device.state', 'device.alarms'], (ids) => readDeviceSummaries(db, ids));
    carry(['device.openAlarms'], (ids) => readOpenAlarms(db, ids));
    carry(['device.events'], (ids) => readNewestEvents(db, ids));
    derive('device.runtime', async (caller, id) => {
      const [device] = await enforcer.enforce(caller, telemetryEndpoints.readRuntime.policy, { params: { id } });
      return device ? readRuntime(db, documentFinder, caller, device) : null;
    });
    derive('device.newestExecutions', async (caller, id) => {
      await enforcer.enforce(caller, operationsEndpoints.listExecutions.policy, { params: { id } });
      return await operations.executions(caller, id, { page: 1, pageSize: EXECUTIONS_SENT });
    });
    deriveFigures('fleet.counters', (seen) => readDeviceCounters(db, seen, {}));
    deriveFigures('fleet.siteStates', (seen) => readSiteStates(db, seen));
    deriveFigures('fleet.alarms', (seen) => readAlarmSummary(db, seen, {}));
    return {};
  },
});
