import type { Generated, GeneratedAlways } from 'kysely';

declare module '../platform/database/schema.ts' {
  interface Database {
    device_status_spans: DeviceStatusSpansTable;
    server_beats: ServerBeatsTable;
    server_gaps: ServerGapsTable;
    traffic_hours: TrafficHoursTable;
    figure_changes: FigureChangesTable;
    site_figures: SiteFiguresTable;
    site_power: SitePowerTable;
    site_figure_hours: SiteFigureStepTable;
    site_figure_days: SiteFigureStepTable;
  }
}

/** Written by triggers on `devices`. */
interface DeviceStatusSpansTable {
  device_id: number;
  site_id: number;
  status: string;
  began_at: Date;
  /** `infinity` for the current span */
  ended_at: Generated<Date | number>;
}

interface ServerBeatsTable {
  node: string;
  at: Date;
}

interface ServerGapsTable {
  id: GeneratedAlways<number>;
  began_at: Date;
  ended_at: Date;
}

interface TrafficHoursTable {
  site_id: number;
  at: Date;
  device_id: number;
  received: number;
  sent: number;
}

/** Written by triggers on `device_status_spans` and `transactions`. */
interface FigureChangesTable {
  id: GeneratedAlways<number>;
  site_id: number;
  at: Date;
  status: string | null;
  ended: unknown;
  change: number;
  energy_wh: Generated<number>;
}

interface SiteFiguresTable {
  site_id: number;
  served: number;
  available: number;
  charging: number;
}

interface SitePowerTable {
  site_id: number;
  power_w: number;
  at: Date;
}

interface SiteFigureStepTable {
  at: Date;
  site_id: number;
  served: number;
  available: number;
  served_seconds: number;
  available_seconds: number;
  energy_wh: number;
  sessions: number;
  failed: number;
}
