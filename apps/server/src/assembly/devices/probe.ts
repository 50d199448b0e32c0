import type { Config } from '../../platform/config/config.ts';
import type { ConnectionAttempts } from '../../ports/devices/connection-attempts.ts';
import type { DeviceDirectory } from '../../ports/devices/device-directory.ts';
import type { DeviceLink } from '../../ports/devices/device-link.ts';
import type { TrafficMeter } from '../../ports/traffic.ts';
import type { UplinkSink } from '../../ports/uplink.ts';
import { type ProbeSettings, probeGateway } from '../../system/index.ts';
import type { Addresses } from '../addresses.ts';

/** What gateways use of other modules. */
export interface GatewayParts {
  sink: UplinkSink;
  traffic: TrafficMeter;
  directory: DeviceDirectory;
  attempts: ConnectionAttempts;
}

/** The probe devices of a process. */
export function probeDevices(config: Config, parts: { addresses: Addresses; link: DeviceLink }) {
  const gateways = { ocpp: probeGateway('ocpp'), mqtt: probeGateway('mqtt') };
  const { addresses, link } = parts;
  const settings: ProbeSettings | null =
    config.probeMs !== null && config.roles.has('gateway')
      ? { gateways, addresses: { ocpp: addresses.ocpp, mqtt: addresses.mqttProbe }, link, limitMs: config.probeMs }
      : null;
  return {
    /** Adds the probe devices to what gateways use. */
    addTo(used: GatewayParts): GatewayParts {
      let { sink, traffic, directory, attempts } = used;
      for (const gateway of Object.values(gateways)) {
        sink = gateway.sink(sink);
        traffic = gateway.traffic(traffic);
        directory = gateway.directory(directory);
        attempts = gateway.attempts(attempts);
      }
      return { sink, traffic, directory, attempts };
    },
    /** null: this process has no gateway, or the probe is off */
    settings,
  };
}
