import type { Clock } from '../../../platform/clock.ts';
import type { ConnectorState } from '../../../ports/devices/device-directory.ts';
import { type Monitors, monitors } from './alarms.ts';
import { Evses } from './evses.ts';
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
  readonly evses: Evses;
}

export function connectionState(clock: Clock, known: readonly ConnectorState[]): ConnectionState {
  let requestedReports: Reports | null = null;
  let watched: Monitors | null = null;
  let evses: Evses | null = null;
  return {
    get reports() {
      requestedReports ??= reports(clock);
      return requestedReports;
    },
    get monitors() {
      watched ??= monitors();
      return watched;
    },
    get evses() {
      evses ??= new Evses(known);
      return evses;
    },
    get requestedReports() {
      return requestedReports;
    },
  };
}
