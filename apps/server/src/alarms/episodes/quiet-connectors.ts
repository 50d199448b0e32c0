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

/** More devices than a server serves. Beyond it the memory is emptied and filled again. */
const QUIET_DEVICES = 50_000;
/** Connectors below this number are remembered as bits of one number. Real devices have no more. */
const QUIET_CONNECTORS = 31;

export function quietConnectors(): QuietConnectors {
  const known = new Map<number, number>();
  const bitOf = (connector: number) => (connector < QUIET_CONNECTORS ? 1 << connector : 0);
  const forget = ({ deviceId, connector }: ConnectorKey) => {
    known.set(deviceId, (known.get(deviceId) ?? 0) & ~bitOf(connector));
  };
  return {
    has: ({ deviceId, connector }) => ((known.get(deviceId) ?? 0) & bitOf(connector)) !== 0,
    forget,
    forgetDevice: (deviceId) => known.delete(deviceId),
    learn(items) {
      if (known.size > QUIET_DEVICES) known.clear();
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
