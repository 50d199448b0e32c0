import { randomBytes } from 'node:crypto';
import type { ConnectionAttempts } from '../../ports/devices/connection-attempts.ts';
import type { DeviceDirectory, KnownDevice } from '../../ports/devices/device-directory.ts';
import { hashDevicePassword } from '../../ports/devices/device-password.ts';
import type { TrafficMeter } from '../../ports/traffic.ts';
import type { Stored, UplinkSink } from '../../ports/uplink.ts';

/** No device has this id: the ids of devices count up from 1. */
export const PROBE_ID = 2_147_483_647;

/** How the probe device signs in. Both are new at each start, so that nothing else can use them. */
export interface ProbeIdentity {
  sn: string;
  password: string;
}

/** What gateways use, with one more device that is stored nowhere. */
export interface ProbeGateway {
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
export function probeGateway(): ProbeGateway {
  const identity = { sn: `probe-${randomBytes(16).toString('hex')}`, password: randomBytes(18).toString('base64url') };
  const device: KnownDevice = {
    ...{ deviceId: PROBE_ID, sn: identity.sn, siteId: 0, enabled: true, isProbe: true },
    ...{ passwordHash: hashDevicePassword(identity.password), newPasswordHashes: [], tolerant: false },
    ...{ silenceSeconds: null, lastAddress: '127.0.0.1', heartbeatSeconds: null, connectors: [], connectorCount: null },
  };
  const gateway: ProbeGateway = {
    identity,
    onAnswer: null,
    directory: (of) => ({
      ...of,
      find: async (sn) => (sn.toLowerCase() === identity.sn ? device : of.find(sn)),
    }),
    sink: (of) => ({
      async submit(deviceId, events): Promise<Stored> {
        if (deviceId !== PROBE_ID) return of.submit(deviceId, events);
        const stored = await of.submit(deviceId, []);
        for (const event of events) if (event.kind === 'answer') gateway.onAnswer?.(event.executionId);
        return stored;
      },
    }),
    traffic: (of) => ({
      received: (id, bytes) => id !== PROBE_ID && of.received(id, bytes),
      sent: (id, bytes) => id !== PROBE_ID && of.sent(id, bytes),
      ended: (id) => id !== PROBE_ID && of.ended(id),
    }),
    attempts: (of) => ({ record: (attempt) => attempt.deviceId !== PROBE_ID && of.record(attempt) }),
  };
  return gateway;
}
