import { expect } from 'vitest';
import { connectRaw } from '../gateways/gateway-testbed.ts';
import { connectDevice, type MqttTestbed, metric, sparkplug } from '../gateways/mqtt-testbed.ts';

/** A device with its connection, for any protocol. Each method resolves when its message is acknowledged. */
interface TestDevice {
  /** Reports its normal status, with its clock. */
  status(at: Date): Promise<void>;
  /** Reports a reading of `Power.Active.Import`, in W. */
  power(watts: number, at: Date): Promise<void>;
  /** Starts or ends its alarm `E7`; over OCPP 1.6 by the status of connector 1. */
  alarm(active: boolean, at: Date): Promise<void>;
  /** Breaks the connection. */
  cut(): void;
}

const KEY = 'Power.Active.Import';
const ACTIVE = { level: 'CA', kind: 'fault' } as const;

/** How a device of each protocol connects. */
export const TEST_DEVICES: Readonly<Record<string, (bed: MqttTestbed, sn: string) => Promise<TestDevice>>> = {
  'OCPP 1.6': async (bed, sn) => {
    const { report, cut } = await ocpp(bed, sn, 'ocpp1.6');
    const status = (more: object, at: Date) =>
      report('StatusNotification', { connectorId: 1, timestamp: at.toISOString(), ...more });
    return {
      cut,
      status: (at) => status({ status: 'Available', errorCode: 'NoError' }, at),
      power: (watts, at) =>
        report('MeterValues', {
          connectorId: 1,
          meterValue: [
            { timestamp: at.toISOString(), sampledValue: [{ value: String(watts), measurand: KEY, unit: 'W' }] },
          ],
        }),
      alarm: (active, at) =>
        status(
          active
            ? { status: 'Faulted', errorCode: 'OtherError', vendorErrorCode: 'E7' }
            : { status: 'Available', errorCode: 'NoError' },
          at,
        ),
    };
  },
  'OCPP 2.0.1': async (bed, sn) => {
    const { report, cut } = await ocpp(bed, sn, 'ocpp2.0.1');
    return {
      cut,
      status: (at) =>
        report('StatusNotification', {
          ...{ timestamp: at.toISOString(), connectorStatus: 'Available', evseId: 1, connectorId: 1 },
        }),
      power: (watts, at) =>
        report('MeterValues', {
          evseId: 1,
          meterValue: [
            {
              timestamp: at.toISOString(),
              sampledValue: [{ value: watts, measurand: KEY, unitOfMeasure: { unit: 'W' } }],
            },
          ],
        }),
      alarm: (active, at) =>
        report('NotifyEvent', {
          ...{ generatedAt: at.toISOString(), seqNo: 0 },
          eventData: [
            {
              ...{ eventId: 1, timestamp: at.toISOString(), trigger: 'Alerting', techCode: 'E7' },
              ...{ actualValue: String(active), cleared: !active, eventNotificationType: 'HardWiredNotification' },
              component: { name: 'Connector', evse: { id: 1, connectorId: 1 } },
              variable: { name: 'Problem' },
            },
          ],
        }),
    };
  },
  'MQTT in plain JSON': async (bed, sn) => {
    const device = await connectDevice(bed.mqttUrl, sn);
    const say = (leaf: string, message: object) => device.say(`chargehand/${sn}/${leaf}`, message);
    return {
      cut: () => device.client.stream.destroy(),
      status: (at) => say('status', { status: 'online', state: 'idle', at: at.toISOString() }),
      power: (watts, at) =>
        say('telemetry', { at: at.toISOString(), connector: 1, values: { [KEY]: { value: watts, unit: 'W' } } }),
      alarm: (active, at) => say('alarm', { at: at.toISOString(), connector: 1, code: 'E7', active, ...ACTIVE }),
    };
  },
  'MQTT by Sparkplug': async (bed, sn) => {
    const device = await connectDevice(bed.mqttUrl, sn);
    const topic = (type: string) => `spBv1.0/site/${type}/${sn}`;
    const alarm = (active: boolean) =>
      metric('Alarms/E7', 'Boolean', active, {
        properties: { level: { type: 'String', value: 'CA' }, kind: { type: 'String', value: 'fault' } },
      });
    let seq = 0;
    const data = (metrics: ReturnType<typeof metric>[], at: Date) => {
      seq = (seq + 1) % 256;
      const dated = metrics.map((one) => ({ ...one, timestamp: at.getTime() }));
      return device.say(topic('NDATA'), sparkplug(dated, { seq, timestamp: at.getTime() }));
    };
    return {
      cut: () => device.client.stream.destroy(),
      async status(at) {
        seq = 0;
        const metrics = [metric(KEY, 'Double', 0), alarm(false)].map((one) => ({ ...one, timestamp: at.getTime() }));
        await device.say(topic('NBIRTH'), sparkplug(metrics, { seq, bdSeq: 0, timestamp: at.getTime() }));
      },
      power: (watts, at) => data([metric(KEY, 'Double', watts)], at),
      alarm: (active, at) => data([alarm(active)], at),
    };
  },
};

async function ocpp(bed: MqttTestbed, sn: string, protocol: string) {
  const point = await connectRaw(`${bed.url}/${sn}`, { protocols: [protocol], password: 'correct-horse-battery' });
  return {
    async report(action: string, payload: object) {
      expect((await point.call(action, payload))[0]).toBe(3);
    },
    cut: () => point.socket.terminate(),
  };
}
