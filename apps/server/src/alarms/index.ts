import { declareRoom } from '../platform/rooms/assemble.ts';
import type { CodeExplainer } from '../ports/document-finder.ts';
import { alarmsRoutes } from './alarms.routes.ts';
import { alarmsService } from './alarms.service.ts';
import { offlineAlarms } from './rules/offline-alarms.ts';
import { ruleAlarms } from './rules/rule-alarms.ts';
import './tables.ts';

export { countAlarmsOfCode, saveSharedName } from './alarm-codes.store.ts';
export { NAME_OF_CODE, NAMES_OF_ALARM } from './alarms.store.ts';
export { readNewestEvents } from './device-events.service.ts';
export { clearOffline, followStatuses } from './episodes/episodes.store.ts';
export { isQuiet, type QuietConnectors, quietConnectors } from './episodes/quiet-connectors.ts';
export { storeDeviceAlarms, storeReports } from './episodes/reported-alarms.ts';
export { loadPastAlarms, loadPastEvents, nameAlarmCodes, type PastAlarm, type PastEvent } from './history.store.ts';
export { readOpenCauses } from './incidents/open-causes.store.ts';
export { readOpenAlarms } from './open-alarms.ts';
export { type RuleWatch, ruleWatch } from './rules/rule-watch.ts';
export { storeRuleChanges } from './rules/store-rules.ts';
export { frequentCodes, openAlarmCodes, readCodeStatistics } from './statistics/code-statistics.store.ts';
export { readAlarmSummary } from './statistics/statistics.service.ts';

declare module '../platform/rooms/assemble.ts' {
  interface Parts {
    /** The contents of models, or the models of devices, have changed, so alarm rules are read again. */
    alarmRulesChanged: () => void;
    codeExplainer: CodeExplainer;
  }
}

/** Alarms, device events, their statistics, and alarms that are raised after a time. */
export const alarms = declareRoom({
  name: 'alarms',
  needs: ['db', 'reads', 'events', 'codeExplainer', 'clock', 'log'],
  provides: ['alarmRulesChanged'],
  open(parts) {
    const { db, reads, events, codeExplainer: explain } = parts;
    const service = alarmsService({ db, events });
    const offline = offlineAlarms(parts);
    const rules = ruleAlarms(parts);
    return {
      role: 'jobs',
      routes: (app) => alarmsRoutes(app, { db, reads, alarms: service, explain }),
      async start() {
        await Promise.all([offline.start(), rules.start()]);
      },
      alarmRulesChanged: rules.modelsChanged,
      async stop() {
        await Promise.all([offline.stop(), rules.stop()]);
      },
    };
  },
});
