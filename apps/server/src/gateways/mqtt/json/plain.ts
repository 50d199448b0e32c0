import type { DeviceCall } from '../../../ports/devices/device-link.ts';
import { changedSkew } from '../../ocpp/connection/clock.ts';
import { partialFault } from '../../ocpp/connection/faults/message-faults.ts';
import { frameEvent } from '../../ocpp/frame-event.ts';
import type { Host, Subject } from '../broker/host.ts';
import type { CommandEncoder, EncodedCommand } from '../command-encoder.ts';
import { DeviceConnection, RETAINED } from '../connection.ts';
import type { Fact, Outcome } from '../facts.ts';
import { type JsonLeaf, plainTopic } from '../topics.ts';
import { readMessage, type Timed, timeProblemOf } from './messages.ts';
import { parseMessage } from './parse.ts';
import { problemOf, withoutFaultyValues } from './schemas.ts';

/** A received message. */
export interface PlainArrival {
  sn: string;
  leaf: JsonLeaf;
  bytes: Buffer;
  receivedAt: Date;
  acknowledged: boolean;
  /** a retained message, whose time is unknown */
  retained?: boolean;
  /** the connection on the embedded broker; null behind an external one */
  connection: DeviceConnection | null;
  remoteAddress: string;
}

const PROTOCOL = 'mqtt-json';

/** The conversation with a device that sends plain JSON. It handles one message at a time. */
export class Plain {
  readonly #host: Host;
  #connection: DeviceConnection | null = null;
  #lastMessageAt = 0;
  #work: Promise<unknown> = Promise.resolve();

  constructor(host: Host) {
    this.#host = host;
  }

  /** Handles a message. Resolves when it is stored. */
  receive(arrival: PlainArrival): Promise<void> {
    const result = this.#work.then(() => this.#take(arrival));
    // The caller receives the error; the next message is handled anyway.
    this.#work = result.catch(() => undefined);
    return result;
  }

  /** True if the device has no connection through this conversation. */
  get idle(): boolean {
    return this.#connection === null || this.#connection.over;
  }

  /** The network connection has ended. */
  async lost(detail: string): Promise<void> {
    this.#connection?.end('networkTimeout', detail);
    await this.#connection?.ended;
  }

  async #take(arrival: PlainArrival): Promise<void> {
    const { sn, leaf, bytes, connection, remoteAddress } = arrival;
    const subject = connection ? connection.subject : await this.#host.subject(sn);
    if (!subject) return this.#host.unknown(sn, remoteAddress, PROTOCOL, macIn(leaf, bytes));
    if (arrival.retained) return this.#store(arrival, subject, RETAINED);
    this.#host.traffic.received(subject.device.deviceId, bytes.length);
    this.#host.measures.messages.inc({ type: leaf });
    if (!subject.device.enabled) return this.#store(arrival, subject, 'refused: the device is disabled');
    const parsed = parseMessage(bytes, this.#host.messageBytes);
    const partial = withoutFaultyValues(leaf, parsed.message);
    const message = partial ? partial.message : parsed.message;
    // A number that JavaScript cannot represent is read as text, which is valid where texts are.
    const problem =
      problemOf(leaf, message) === null
        ? timeProblemOf(leaf, message as Timed | Timed[], arrival.receivedAt)
        : (parsed.problem ?? problemOf(leaf, message));
    if (problem !== null) return this.#refuse(arrival, subject, problem);
    await this.#process(arrival, subject, message, partial?.refused ?? []);
  }

  async #process(arrival: PlainArrival, subject: Subject, message: unknown, faulty: readonly string[]): Promise<void> {
    const { leaf, receivedAt, connection, remoteAddress } = arrival;
    const content = readMessage(leaf, message, receivedAt);
    const { events, facts, notes, deviceTime, disconnects } = content;
    if (disconnects) {
      await this.#store(arrival, subject, 'the device announced that it disconnects');
      this.#connection?.end('networkTimeout', 'its status is offline');
      return;
    }
    const excess = subject.connectors.excess(events);
    if (excess) return this.#refuse(arrival, subject, excess);
    this.#lastMessageAt = receivedAt.getTime();
    if (!connection && subject.connection?.owner !== this) {
      const silence = { lastReceivedAt: () => this.#lastMessageAt, end: (detail: string) => void this.lost(detail) };
      const options = { protocol: PROTOCOL, remoteAddress, owner: this, close: null, silence };
      this.#connection = new DeviceConnection(this.#host, subject, options);
    }
    if (subject.connection && !subject.connection.acceptsCommands)
      subject.connection.acceptCommands(plainEncoder(subject.device.sn));
    const answers = this.#host.pendingCommandOf(subject.device.deviceId).answers(facts, receivedAt);
    const more = [...events, ...answers];
    const skewMs = deviceTime && changedSkew(subject.reportedSkew, deviceTime, receivedAt);
    if (skewMs !== null) {
      subject.reportedSkew = skewMs;
      more.push({ kind: 'clock', skewMs });
    }
    const refused = [...faulty, ...content.refused];
    more.push(...subject.faults.after(leaf, partialFault(refused), receivedAt));
    const problem = refused.length > 0 ? `refused values: ${refused.join('; ')}` : null;
    await this.#store(arrival, subject, [...(problem ? [problem] : []), ...notes].join('; ') || null, more);
    if (problem) await this.#report(arrival, subject, problem);
  }

  /** Stores that a message was refused, and publishes the error to the error topic of the device. */
  async #refuse(arrival: PlainArrival, subject: Subject, problem: string): Promise<void> {
    this.#host.measures.malformed.inc();
    const { leaf: action, receivedAt: at } = arrival;
    const fault = { outcome: 'rejected', reason: problem } as const;
    await this.#store(arrival, subject, `refused: ${problem}`, subject.faults.after(action, fault, at));
    await this.#report(arrival, subject, problem);
  }

  async #report({ sn, leaf, receivedAt }: PlainArrival, subject: Subject, problem: string): Promise<void> {
    const body = JSON.stringify({ topic: leaf, problem, at: receivedAt.toISOString() });
    const payload = Buffer.from(body);
    if (!(await this.#host.publish({ topic: plainTopic(sn, 'error'), payload }))) return;
    const { connection } = subject;
    void connection?.record([connection.frame('send', this.#host.clock.now(), { action: 'error', body })]);
  }

  #store(
    { leaf, bytes, receivedAt, acknowledged }: PlainArrival,
    subject: Subject,
    note: string | null,
    events: Parameters<Host['store']>[1] = [],
  ): Promise<void> {
    const body = bytes.subarray(0, 65_536).toString('utf8');
    const more = { action: leaf, body, bytes: bytes.length, note };
    const frame = frameEvent(subject.connection?.connectionId ?? null, 'receive', receivedAt, more);
    return this.#host.store(subject.device.deviceId, [frame, ...events], acknowledged);
  }
}

/** The field `mac` in the status or the texts of an unregistered device; null if there is none. */
function macIn(leaf: JsonLeaf, bytes: Buffer): string | null {
  if (leaf !== 'status' && leaf !== 'texts') return null;
  const { message } = parseMessage(bytes, MOST_BYTES_OF_STRANGERS);
  const { mac, values } = (message ?? {}) as { mac?: unknown; values?: { mac?: unknown } | null };
  const found = mac ?? values?.mac;
  return typeof found === 'string' ? found : null;
}

/** Longer messages of unregistered devices are not read. */
const MOST_BYTES_OF_STRANGERS = 8_192;

/** Commands as JSON. The device reports which ones it supports. */
export function plainEncoder(sn: string): CommandEncoder {
  return ({ executionId: id, kind: command, connector, params }: DeviceCall): EncodedCommand => {
    const message = { id, command, connector, params };
    // Do not log credentials for a file.
    const shown = params.location === undefined ? params : { ...params, location: '…' };
    return {
      topic: plainTopic(sn, 'command'),
      payload: Buffer.from(JSON.stringify(message)),
      action: 'command',
      body: JSON.stringify({ ...message, params: shown }),
      match: nothing,
    };
  };
}

/** A response must have the ID of the command. */
function nothing(_fact: Fact): Outcome | null {
  return null;
}
