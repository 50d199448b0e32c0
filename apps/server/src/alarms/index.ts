import type { Kysely } from 'kysely';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database/schema.ts';
import type { Log } from '../platform/log.ts';
import type { Room } from '../platform/room.ts';
import type { CodeExplainer } from '../ports/document-finder.ts';
import type { Events } from '../ports/events.ts';
import { alarmsRoutes } from './alarms.routes.ts';
import { alarmsService } from './alarms.service.ts';
import { offlineAlarms } from './rules/offline-alarms.ts';
import { ruleAlarms } from './rules/rule-alarms.ts';
import './tables.ts';

export { countAlarmsOfCode, saveSharedName } from './alarm-codes.store.ts';
export { NAME_OF_CODE, NAMES_OF_ALARM } from './alarms.store.ts';
export { clearOffline, followStatuses } from './episodes/episodes.store.ts';
export { isQuiet, type QuietConnectors, quietConnectors } from './episodes/quiet-connectors.ts';
export { storeDeviceAlarms, storeReports } from './episodes/reported-alarms.ts';
export { loadPastAlarms, loadPastEvents, nameAlarmCodes, type PastAlarm, type PastEvent } from './history.store.ts';
export { readOpenAlarms } from './open-alarms.ts';
export { type RuleWatch, ruleWatch } from './rules/rule-watch.ts';
export { storeRuleChanges } from './rules/store-rules.ts';
export { frequentCodes, openAlarmCodes, readCodeStatistics } from './statistics/code-statistics.store.ts';
export { readAlarmSummary } from './statistics/statistics.service.ts';

export interface AlarmsRoom extends Required<Room> {
  /** The contents of models, or the models of devices, have changed, so alarm rules are read again. */
  modelsChanged(): void;
}

/** Alarms, device events, their statistics, and alarms that are raised after a time. */
export function alarmsRoom(parts: {
  db: Kysely<Database>;
  events: Events;
  explain: CodeExplainer;
  clock: Clock;
  log: Log;
}): AlarmsRoom {
  const { db, events, explain } = parts;
  const alarms = alarmsService({ db, events });
  const offline = offlineAlarms(parts);
  const rules = ruleAlarms(parts);
  return {
    name: 'alarms',
    role: 'jobs',
    routes: (app) => alarmsRoutes(app, { db, alarms, explain }),
    async start() {
      await Promise.all([offline.start(), rules.start()]);
    },
    modelsChanged: rules.modelsChanged,
    async stop() {
      await Promise.all([offline.stop(), rules.stop()]);
    },
  };
}
