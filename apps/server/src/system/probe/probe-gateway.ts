import { randomBytes } from 'node:crypto';
import type { ProbeWay } from '@chargehand/domain';
import type { ConnectionAttempts } from '../../ports/devices/connection-attempts.ts';
import type { DeviceDirectory, KnownDevice } from '../../ports/devices/device-directory.ts';
import { hashDevicePassword } from '../../ports/devices/device-password.ts';
import type { TrafficMeter } from '../../ports/traffic.ts';
import type { Stored, UplinkSink } from '../../ports/uplink.ts';

/** No device has these ids: the ids of devices count up from 1. Each way has its own, because a device has one connection. */
export const PROBE_IDS: Readonly<Record<ProbeWay, number>> = { ocpp: 2_147_483_647, mqtt: 2_147_483_646 };

/** How the probe device signs in. Both are new at each start, so that nothing else can use them. */
export interface ProbeIdentity {
  sn: string;
  password: string;
}

/** What gateways use, with one more device that is stored nowhere. */
export interface ProbeGateway {
  deviceId: number;
  identity: ProbeIdentity;
  directory(of: DeviceDirectory): DeviceDirectory;
  sink(of: UplinkSink): UplinkSink;
  traffic(of: TrafficMeter): TrafficMeter;
  attempts(of: ConnectionAttempts): ConnectionAttempts;
  /** called when the answer of the probe to a command is stored */
  onAnswer: ((executionId: string) => void) | null;
}

/**
 * Gives gateways a probe device: it is found like any other and its messages wait in the same queue and are committed
 * with the same batches, but without content, so that it is in no table, list or statistic.
 */
export function probeGateway(way: ProbeWay): ProbeGateway {
  const deviceId = PROBE_IDS[way];
  const identity = { sn: `probe-${randomBytes(16).toString('hex')}`, password: randomBytes(18).toString('base64url') };
  const device: KnownDevice = {
    ...{ deviceId, sn: identity.sn, siteId: 0, enabled: true, isProbe: true },
    ...{ passwordHash: hashDevicePassword(identity.password), newPasswordHashes: [], tolerant: false },
    ...{ silenceSeconds: null, lastAddress: '127.0.0.1', heartbeatSeconds: null, connectors: [], connectorCount: null },
  };
  const gateway: ProbeGateway = {
    deviceId,
    identity,
    onAnswer: null,
    directory: (of) => ({
      ...of,
      find: async (sn) => (sn.toLowerCase() === identity.sn ? device : of.find(sn)),
    }),
    sink: (of) => ({
      async submit(id, events): Promise<Stored> {
        if (id !== deviceId) return of.submit(id, events);
        const stored = await of.submit(id, []);
        for (const event of events) if (event.kind === 'answer') gateway.onAnswer?.(event.executionId);
        return stored;
      },
    }),
    traffic: (of) => ({
      received: (id, bytes) => id !== deviceId && of.received(id, bytes),
      sent: (id, bytes) => id !== deviceId && of.sent(id, bytes),
      ended: (id) => id !== deviceId && of.ended(id),
    }),
    attempts: (of) => ({ record: (attempt) => attempt.deviceId !== deviceId && of.record(attempt) }),
  };
  return gateway;
}
