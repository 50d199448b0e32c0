import { newestEntries } from '../../platform/memory/newest-entries.ts';
import type { Item } from '../../ports/uplink-items.ts';
import { isClean, type Report, toReport } from './connector-reports.ts';

/**
 * Remembers connectors that have no open alarm or event from status reports. Their next report without a fault, which
 * is nearly every report, needs no database query.
 */
export interface QuietConnectors {
  has(connector: ConnectorKey): boolean;
  forget(connector: ConnectorKey): void;
  /** a new connection: the statuses may have changed in the meantime */
  forgetDevice(deviceId: number): void;
  /** call after the commit, with everything that was stored */
  learn(items: readonly Item<'connectorStatus'>[]): void;
}

type ConnectorKey = Pick<Report, 'deviceId' | 'connector'>;

/** More devices than a process serves; a device is two numbers. Beyond it the oldest are forgotten. */
const QUIET_DEVICES = 500_000;
/** Connectors below this number are remembered as bits of one number. Real devices have no more. */
const QUIET_CONNECTORS = 31;

export function quietConnectors(): QuietConnectors {
  let known = new Map<number, number>();
  const bitOf = (connector: number) => (connector < QUIET_CONNECTORS ? 1 << connector : 0);
  const forget = ({ deviceId, connector }: ConnectorKey) => {
    known.set(deviceId, (known.get(deviceId) ?? 0) & ~bitOf(connector));
  };
  return {
    has: ({ deviceId, connector }) => ((known.get(deviceId) ?? 0) & bitOf(connector)) !== 0,
    forget,
    forgetDevice: (deviceId) => known.delete(deviceId),
    learn(items) {
      known = newestEntries(known, QUIET_DEVICES);
      for (const item of items) {
        const report = toReport(item);
        const { deviceId, connector } = report;
        if (isClean(report)) known.set(deviceId, (known.get(deviceId) ?? 0) | bitOf(connector));
        else forget(report);
      }
    },
  };
}

/** True when `storeReports` would find nothing to do. */
export function isQuiet(items: readonly Item<'connectorStatus'>[], quiet: QuietConnectors): boolean {
  return items.every((item) => {
    const report = toReport(item);
    return isClean(report) && quiet.has(report);
  });
}
