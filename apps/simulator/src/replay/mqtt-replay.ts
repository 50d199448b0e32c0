import { connectAsync, type MqttClient } from 'mqtt';
import { get } from 'sparkplug-payload';
import { differencesOf, later } from './differences.ts';
import type { RecordedFrame } from './recording.ts';
import type { Ledger, ReplayedDevice, ReplayOptions } from './replayed-device.ts';

const GROUP = 'replay';
const codec = get('spBv1.0')!;
type Payload = Parameters<typeof codec.encodePayload>[0];

/** A message of an edge node as the protocol log has it. */
interface RecordedMessage {
  timestamp?: number;
  seq?: number | null;
  metrics?: { name?: string; alias?: number; type?: unknown; value: unknown; timestamp?: number }[];
  /** metrics that the log does not have */
  more?: number;
}

/** A storage unit of a recording, with plain JSON or Sparkplug B. */
export class MqttReplay implements ReplayedDevice {
  readonly #sn: string;
  readonly #options: ReplayOptions;
  readonly #ledger: Ledger;
  readonly #isJson: boolean;
  /** the recorded messages of the server about errors, which did not come again yet */
  readonly #errors: RecordedFrame[];
  /** names and types of metrics, by names and aliases of the births */
  readonly #metrics = new Map<unknown, { name: string; type: unknown }>();
  #late: (() => void) | null = null;
  #client: MqttClient | null = null;

  constructor(sn: string, frames: readonly RecordedFrame[], options: ReplayOptions, ledger: Ledger) {
    this.#sn = sn;
    this.#options = options;
    this.#ledger = ledger;
    this.#isJson = frames[0]!.protocol === 'mqtt-json';
    this.#errors = frames.filter(({ direction, action }) => direction === 'send' && action === 'error');
  }

  async open(): Promise<void> {
    await this.close();
    const { mqtt, password, insecure } = this.#options;
    const client = await connectAsync(mqtt, {
      ...{ username: this.#sn, clientId: this.#sn, protocolVersion: 4, clean: true, reconnectPeriod: 0 },
      ...(password === undefined ? {} : { password }),
      rejectUnauthorized: !insecure,
    });
    client.on('error', () => undefined);
    client.on('message', (topic, bytes) => {
      if (topic.endsWith('/error')) this.#receive(String(bytes));
    });
    client.once('close', () => {
      if (this.#client === client) this.#client = null;
    });
    this.#client = client;
    const topics = this.#isJson
      ? [`chargehand/${this.#sn}/command`, `chargehand/${this.#sn}/error`]
      : [`spBv1.0/${GROUP}/NCMD/${this.#sn}`];
    await client.subscribeAsync(topics, { qos: 1 });
  }

  async send(frame: RecordedFrame): Promise<void> {
    const message = this.#isJson ? this.#json(frame) : this.#sparkplug(frame);
    if (typeof message === 'string') {
      this.#ledger.differs(frame, this.#sn, message);
      return;
    }
    if (this.#client === null) await this.open();
    this.#ledger.sent += 1;
    await this.#client?.publishAsync(message.topic, message.payload, { qos: 1 });
  }

  async recordedClose(): Promise<void> {
    await this.#settled();
    await this.close();
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = null;
    await client?.endAsync();
  }

  async finish(): Promise<void> {
    await this.#settled();
    for (const frame of this.#errors) this.#ledger.differs(frame, this.#sn, 'the server did not report this error');
  }

  /** Resolves when the server has reported every recorded error, or after a while. */
  async #settled(): Promise<void> {
    if (this.#errors.length > 0) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#late = resolve;
      const timer = setTimeout(resolve, this.#options.timeoutMs ?? 10_000);
      await promise;
      clearTimeout(timer);
    }
  }

  #json({ action, text, at }: RecordedFrame): { topic: string; payload: Buffer } {
    const message = parsed(text);
    const moved =
      this.#options.keepTimes || message === undefined ? text : JSON.stringify(later(message, Date.now() - at));
    return { topic: `chargehand/${this.#sn}/${action}`, payload: Buffer.from(moved) };
  }

  /** A recorded message of an edge node, or why it cannot be sent. Metrics have names instead of aliases. */
  #sparkplug({ action, text, at }: RecordedFrame): { topic: string; payload: Buffer } | string {
    const [type = '', device] = (action ?? '').split(' ');
    const message = parsed(text) as RecordedMessage | undefined;
    if (!message?.metrics) return 'cannot be sent: its text is not a decoded message';
    if (message.more) return 'cannot be sent: the log does not have all metrics';
    const ms = this.#options.keepTimes ? 0 : Date.now() - at;
    const timestamp = (message.timestamp ?? at) + ms;
    const metrics = message.metrics.map(({ name, alias, type: own, timestamp: time, ...more }) => {
      const key = (known: unknown) => `${device ?? ''}/${String(known)}`;
      const known = this.#metrics.get(key(name ?? alias));
      const written = { name: name ?? known?.name, type: own ?? known?.type };
      if (written.name !== undefined && written.type !== undefined) {
        const metric = { name: written.name, type: written.type };
        this.#metrics.set(key(name ?? alias), metric);
        if (alias !== undefined) this.#metrics.set(key(alias), metric);
      }
      return { ...more, ...written, timestamp: time === undefined ? timestamp : time + ms };
    });
    if (metrics.some(({ name, type: known }) => name === undefined || known === undefined))
      return 'cannot be sent: the recording does not have the birth with the names and types of its metrics';
    const seq = message.seq ?? undefined;
    const payload = { timestamp, metrics, ...(seq === undefined ? {} : { seq }) } as unknown as Payload;
    return {
      topic: `spBv1.0/${GROUP}/${type}/${this.#sn}${device === undefined ? '' : `/${device}`}`,
      payload: Buffer.from(codec.encodePayload(payload)),
    };
  }

  #receive(text: string): void {
    const frame = this.#errors.shift();
    const at = frame ?? { line: 0, action: 'error' };
    if (!frame) {
      this.#ledger.differs(at, this.#sn, `the server reports an error: ${text.slice(0, 200)}`);
      return;
    }
    this.#ledger.compared += 1;
    for (const difference of differencesOf(parsed(frame.text), parsed(text), new Set()))
      this.#ledger.differs(at, this.#sn, difference);
    if (this.#errors.length === 0) this.#late?.();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
