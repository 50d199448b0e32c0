import type { Generated, GeneratedAlways } from 'kysely';

declare module '../platform/database/schema.ts' {
  interface Database {
    device_status_spans: DeviceStatusSpansTable;
    server_beats: ServerBeatsTable;
    server_gaps: ServerGapsTable;
    traffic_hours: TrafficHoursTable;
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
