import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt';
import { get } from 'sparkplug-payload';
import { type MqttGateway, type MqttOptions, mqttGateway } from '../../gateways/mqtt/index.ts';
import { soon } from '../within.ts';
import { startTestbed, type Testbed } from './gateway-testbed.ts';

/** An MQTT gateway in addition to that of a testbed, and access to its results. */
export interface MqttTestbed extends Testbed {
  mqtt: MqttGateway;
  /** `mqtt://…` of the embedded broker; '' with an external one */
  mqttUrl: string;
  /** The protocol log of a device, oldest first. */
  frames(deviceId: number): Promise<LoggedFrame[]>;
  /** The latest values of a device by key. */
  readings(deviceId: number): Promise<Record<string, number>>;
}

export interface LoggedFrame {
  type: number;
  action: string | null;
  body: string | null;
  note: string | null;
}

/** The password of every device of an MQTT test. */
export const PASSWORD = 'correct-horse-battery';

export async function startMqttTestbed(
  options: Partial<MqttOptions> = {},
  parts: Parameters<typeof startTestbed>[1] = {},
): Promise<MqttTestbed> {
  const bed = await startTestbed({}, parts);
  const mqtt = await mqttGateway(bed.parts, {
    ...{ remote: null, hostId: 'chargehand', messageBytes: 1_048_576, connections: 100 },
    ...options,
  });
  const port = options.remote ? 0 : await mqtt.listen({ host: '127.0.0.1', port: 0, tls: null });
  return {
    ...bed,
    mqtt,
    mqttUrl: options.remote ? '' : `mqtt://127.0.0.1:${port}`,
    addDevice: (sn, more) => bed.addDevice(sn, { password: PASSWORD, ...more }),
    async frames(deviceId) {
      const { rows } = await bed.pool.query<LoggedFrame>(
        'select type, action, body, note from protocol_frames where device_id = $1 order by id',
        [deviceId],
      );
      return rows;
    },
    async readings(deviceId) {
      const { rows } = await bed.pool.query<{
        items: { key: string; counter: boolean }[];
        analog: number[];
        counters: number[];
      }>(
        `select l.items, r.analog, r.counters from latest_readings r join reading_layouts l on l.id = r.layout_id
          where r.device_id = $1 order by r.at`,
        [deviceId],
      );
      const values: Record<string, number> = {};
      for (const { items, analog, counters } of rows) {
        let [a, c] = [0, 0];
        for (const { key, counter } of items) values[key] = (counter ? counters[c++] : analog[a++]) as number;
      }
      return values;
    },
    async stop() {
      await mqtt.stop();
      await bed.stop();
    },
  };
}

/** A device's client, from the library MQTT.js. */
export interface MqttDevice {
  client: MqttClient;
  /** the next received message */
  next(): Promise<{ topic: string; payload: Buffer }>;
  /** resolves when the broker has closed the connection */
  closed: Promise<void>;
  /** Publishes and waits for the acknowledgement, if there is one. */
  say(topic: string, message: unknown, qos?: 0 | 1 | 2): Promise<void>;
}

/** Connects a device with its SN and password; rejects with the broker's refusal. */
export async function connectDevice(url: string, sn: string, options: IClientOptions = {}): Promise<MqttDevice> {
  const client = await connectAsync(url, {
    ...{
      username: sn,
      password: PASSWORD,
      clientId: sn,
      protocolVersion: 4,
      reconnectPeriod: 0,
      connectTimeout: 15_000,
    },
    ...options,
  });
  // `closed` reports a connection that the broker closes.
  client.on('error', () => undefined);
  const messages: { topic: string; payload: Buffer }[] = [];
  const waiting: ((message: { topic: string; payload: Buffer }) => void)[] = [];
  client.on('message', (topic, payload) => {
    const taker = waiting.shift();
    if (taker) taker({ topic, payload });
    else messages.push({ topic, payload });
  });
  const closed = new Promise<void>((resolve) => client.once('close', () => resolve()));
  return {
    client,
    get closed() {
      return soon(`the connection of ${sn} to end`, closed);
    },
    next() {
      const message = messages.shift();
      if (message) return Promise.resolve(message);
      const coming = new Promise<{ topic: string; payload: Buffer }>((resolve) => waiting.push(resolve));
      return soon(`the next message for ${sn}`, coming);
    },
    async say(topic, message, qos = 1) {
      const payload = Buffer.isBuffer(message) || typeof message === 'string' ? message : JSON.stringify(message);
      await client.publishAsync(topic, payload, { qos });
    },
  };
}

/** The codec of the Sparkplug library that devices use. */
export const SPARKPLUG_CODEC = get('spBv1.0')!;

type Metric = NonNullable<Parameters<typeof SPARKPLUG_CODEC.encodePayload>[0]['metrics']>[number];

/** A Sparkplug message in the encoding of a device. */
export function sparkplug(metrics: Metric[], more: { seq?: number; timestamp?: number; bdSeq?: number } = {}): Buffer {
  const { seq, timestamp = Date.now(), bdSeq } = more;
  const all = bdSeq === undefined ? metrics : [...metrics, metric('bdSeq', 'UInt64', bdSeq)];
  return Buffer.from(SPARKPLUG_CODEC.encodePayload({ timestamp, metrics: all, ...(seq === undefined ? {} : { seq }) }));
}

/** One metric. */
export function metric(name: string, type: Metric['type'], value: Metric['value'], more: Partial<Metric> = {}): Metric {
  return { name, type, value, ...more };
}
