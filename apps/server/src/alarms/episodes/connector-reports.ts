import { alarmsOf, type RaisedAlarm } from '@chargehand/domain';
import { storableText } from '../../platform/database/storable.ts';
import type { Item } from '../../ports/uplink-items.ts';

/** The faults in a connector's report: every fault that is present. */
export interface Report {
  deviceId: number;
  connector: number;
  at: Date;
  info: string | null;
  alarms: RaisedAlarm[];
}

export function toReport({ deviceId, event }: Item<'connectorStatus'>): Report {
  const alarms = alarmsOf({
    status: event.status,
    errorCode: event.errorCode,
    vendorErrorCode: event.vendorErrorCode ?? undefined,
  });
  return {
    deviceId,
    connector: event.connector,
    at: event.at,
    info: storableText(event.info, 255),
    alarms: alarms.map((alarm) => ({ ...alarm, code: storableText(alarm.code, 64) })),
  };
}

/** True when a report contains no fault. */
export function isClean(report: Report): boolean {
  return report.alarms.length === 0;
}
