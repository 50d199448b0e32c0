import { excessConnector, MAX_CONNECTORS } from '@chargehand/domain';
import type { KnownDevice } from '../ports/devices/device-directory.ts';
import type { UplinkEvent } from '../ports/uplink.ts';

/** The maximum number of connectors that a device may report. */
export interface ConnectorLimit {
  /** Returns a note if events name one connector too many. Otherwise returns null and remembers the connectors. */
  excess(events: readonly UplinkEvent[]): string | null;
}

export function connectorLimit({ connectors, connectorCount }: KnownDevice): ConnectorLimit {
  const known = new Set(connectors);
  const limit = connectorCount ?? MAX_CONNECTORS;
  const whose = connectorCount === null ? 'a device may have' : 'its model says that it has';
  return {
    excess(events) {
      const reported = events.flatMap((event) => ('connector' in event && event.connector ? [event.connector] : []));
      if (reported.every((connector) => known.has(connector))) return null;
      const excess = excessConnector(known, reported, limit);
      if (excess !== null) return `connector ${excess} exceeds the limit: ${whose} ${limit} at most`;
      for (const connector of reported) known.add(connector);
      return null;
    },
  };
}
