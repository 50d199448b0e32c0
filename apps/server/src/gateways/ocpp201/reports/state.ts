import type { Clock } from '../../../platform/clock.ts';
import { type Monitors, monitors } from './alarms.ts';
import { type Reports, reports } from './reports.ts';

/**
 * The state that one connection of OCPP 2.0.1 keeps between messages, created on first use: most connections only
 * report readings.
 */
export interface ConnectionState {
  readonly reports: Reports;
  readonly monitors: Monitors;
  /** the reports, null when none was requested */
  readonly requestedReports: Reports | null;
  readonly evsesWithConnectors: Set<number>;
}

export function connectionState(clock: Clock): ConnectionState {
  let requestedReports: Reports | null = null;
  let watched: Monitors | null = null;
  let evses: Set<number> | null = null;
  return {
    get reports() {
      requestedReports ??= reports(clock);
      return requestedReports;
    },
    get monitors() {
      watched ??= monitors();
      return watched;
    },
    get evsesWithConnectors() {
      evses ??= new Set();
      return evses;
    },
    get requestedReports() {
      return requestedReports;
    },
  };
}
