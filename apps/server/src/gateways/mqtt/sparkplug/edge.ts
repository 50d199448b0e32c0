import {
  type EdgeAction,
  type EdgeState,
  overdueEdge,
  REORDER_MS,
  takeEdgeMessage,
  unknownEdge,
} from '@chargehand/domain';
import type { Cancel } from '../../../platform/clock.ts';
import type { UplinkEvent } from '../../../ports/uplink.ts';
import type { Host, Subject } from '../broker/host.ts';
import type { CommandEncoder } from '../command-encoder.ts';
import { Condition } from '../condition.ts';
import { DeviceConnection, RETAINED } from '../connection.ts';
import { commandTopic } from '../topics.ts';
import { type EdgeArrival, type Item, itemOf } from './arrival.ts';
import { planFor, type Target } from './commands.ts';
import { type EdgeMessageStore, edgeMessageStore } from './edge-message-store.ts';
import { type Aliases, NodeMetrics } from './node-metrics.ts';
import { decodeEdgePayload, type EdgePayload, encodeCommand, PayloadRefused } from './payload.ts';

/** A device behind the edge node: a registered device, or a part of the node's device. */
interface Behind {
  nodeMetrics: NodeMetrics;
  subject: Subject;
  /** null: a part */
  own: Subject | null;
}

const PROTOCOL = 'sparkplug-b';
/**
 * The maximum number of devices behind one edge node, and of the metrics of all of them: twice what a large site has.
 * Births are kept in memory.
 */
const MOST_BEHIND = 1_000;
const MOST_METRICS = 50_000;
const TOO_MANY = `an edge node has at most ${MOST_BEHIND} devices with ${MOST_METRICS} metrics in total`;

/** The conversation with one edge node. Its messages are processed one at a time, in order of arrival. */
export class Edge {
  readonly #host: Host;
  readonly #storage: EdgeMessageStore;
  readonly #group: string;
  readonly #id: string;
  #state: EdgeState<Item> = unknownEdge();
  readonly #aliases: Aliases = new Map();
  readonly #node = new NodeMetrics('', this.#aliases);
  readonly #devices = new Map<string, Behind>();
  #subject: Subject | null = null;
  /** the node's connection on the embedded broker */
  #connection: DeviceConnection | null = null;
  #work: Promise<unknown> = Promise.resolve();
  #timer: Cancel | null = null;
  #lastMessageAt = 0;

  constructor(host: Host, group: string, id: string) {
    this.#host = host;
    this.#storage = edgeMessageStore(host);
    this.#group = group;
    this.#id = id;
  }

  /** True when the state of the node can be dropped without loss. */
  get idle(): boolean {
    return !this.#state.alive && this.#state.held.length === 0;
  }

  /** Processes a message. Resolves when it is stored or queued. */
  receive(arrival: EdgeArrival): Promise<void> {
    return this.#inTurn(() => this.#take(arrival));
  }

  /**
   * The connection underneath has ended, so the state of the node is unknown. Resolves when the resulting events are
   * stored.
   */
  lost(detail: string): Promise<void> {
    return this.#inTurn(async () => {
      const connections = [this.#subject, ...[...this.#devices.values()].map(({ own }) => own)].map(
        (one) => one?.connection,
      );
      this.#forget(detail);
      await Promise.all(connections.map((connection) => connection?.ended));
    });
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const result = this.#work.then(work);
    // The caller receives the error; the next message is handled anyway.
    this.#work = result.catch(() => undefined);
    return result;
  }

  async #take(arrival: EdgeArrival): Promise<void> {
    const { connection, bytes, receivedAt } = arrival;
    this.#connection = connection;
    this.#subject = connection ? connection.subject : await this.#host.subject(this.#id);
    const { device } = this.#subject ?? {};
    if (device) this.#host.traffic.received(device.deviceId, bytes.length);
    if (arrival.retained) return this.#storage.refused(arrival, this.#subject, RETAINED);
    this.#lastMessageAt = receivedAt.getTime();
    let payload: EdgePayload;
    try {
      payload = await decodeEdgePayload(bytes, this.#host.messageBytes);
    } catch (error) {
      if (!(error instanceof PayloadRefused)) throw error;
      this.#host.measures.malformed.inc();
      return this.#storage.malformed(arrival, this.#subject, error.message);
    }
    await this.#follow(takeEdgeMessage(this.#state, itemOf(arrival, payload), receivedAt.getTime()));
  }

  async #follow(step: ReturnType<typeof takeEdgeMessage<Item>>): Promise<void> {
    const { state, taken, rebirthNeeded } = step;
    this.#state = state;
    let unknown = false;
    for (const { message, action } of taken) unknown = (await this.#apply(message, action)) || unknown;
    if (rebirthNeeded || unknown) await this.#requestRebirth(rebirthNeeded);
    this.#watch();
  }

  /** Limits how long the conversation waits for a missing message. */
  #watch(): void {
    const waits = this.#state.held.length > 0;
    if (!waits || this.#timer) {
      if (!waits) this.#timer?.();
      if (!waits) this.#timer = null;
      return;
    }
    this.#timer = this.#host.clock.after(REORDER_MS + 50, () => {
      this.#timer = null;
      this.#inTurn(() => this.#follow(overdueEdge(this.#state, this.#host.clock.now().getTime()))).catch((error) =>
        this.#host.log.warn({ err: error, edge: this.#id }, 'delayed messages could not be processed'),
      );
    });
  }

  /** Carries out an action; true when births must be requested. */
  async #apply(message: Item, action: EdgeAction): Promise<boolean> {
    const { arrival } = message;
    this.#host.measures.messages.inc({ type: arrival.type });
    if (action === 'session' || action === 'reborn') return this.#nodeBorn(message, action === 'session');
    if (action === 'deviceBorn') return this.#deviceBorn(message, arrival.device ?? '');
    if (action === 'data') return this.#data(message);
    if (action === 'died') {
      await this.#storage.message(message, this.#subject, 'the edge node disconnected');
      this.#forget(`the death of edge node ${this.#id} was published`);
      return false;
    }
    if (action === 'deviceDied') {
      const behind = this.#devices.get(arrival.device ?? '');
      await this.#storage.message(message, behind?.subject ?? this.#subject, 'the device disconnected');
      this.#disconnectDevice(arrival.device ?? '', 'its edge node reported that it disconnected');
      return false;
    }
    await this.#storage.message(
      message,
      this.#devices.get(arrival.device ?? '')?.subject ?? this.#subject,
      NOTES[action],
    );
    if (!this.#subject && arrival.device === null) this.#reportUnregistered(message, this.#id);
    return false;
  }

  async #nodeBorn(message: Item, session: boolean): Promise<boolean> {
    const { arrival, payload } = message;
    if (session) for (const id of [...this.#devices.keys()]) this.#disconnectDevice(id, 'its edge node restarted');
    for (const { nodeMetrics } of this.#devices.values()) nodeMetrics.clear();
    const subject = this.#subject;
    if (!subject) {
      this.#node.born(payload, arrival.receivedAt, new Condition());
      this.#reportUnregistered(message, this.#id);
      return false;
    }
    if (!(await this.#open(subject, arrival, 'edge node'))) return false;
    if (session) subject.condition.forget();
    const reading = this.#node.born(payload, arrival.receivedAt, subject.condition);
    if (message.type === 'NBIRTH' && message.seq !== 0) reading.notes.push('the sequence of a birth starts with 0');
    const booted: UplinkEvent[] = session ? [{ kind: 'booted', at: arrival.receivedAt, ...this.#node.boot() }] : [];
    reading.facts.unshift({ type: 'born', session });
    subject.connection?.acceptCommands(this.#encoderFor({ node: this.#node, device: null }));
    await this.#storage.reading(message, subject, { ...reading, events: [...booted, ...reading.events] });
    return reading.rebirthNeeded;
  }

  async #deviceBorn(message: Item, id: string): Promise<boolean> {
    const { arrival, payload } = message;
    const former = this.#devices.get(id);
    const own = await this.#host.subject(id);
    const refusal = own && this.#subject ? childRefusal(this.#subject, own) : null;
    const subject = own ?? this.#subject;
    if (refusal !== null || !subject) {
      if (!subject) this.#reportUnregistered(message, id);
      await this.#storage.message(message, this.#subject, refusal ?? 'this device is not registered');
      return false;
    }
    const metrics = this.#metricsWithout(id) + payload.metrics.length;
    if (metrics > MOST_METRICS || (!former && this.#devices.size >= MOST_BEHIND)) {
      await this.#storage.message(message, subject, `ignored: ${TOO_MANY}`);
      return false;
    }
    if (own && !(await this.#open(own, arrival, 'device behind an edge node'))) return false;
    const nodeMetrics = former?.nodeMetrics ?? new NodeMetrics(own ? '' : `${id}/`, this.#aliases);
    this.#devices.set(id, { nodeMetrics, subject, own });
    const reading = nodeMetrics.born(payload, arrival.receivedAt, subject.condition);
    const fresh = former === undefined;
    const events = [...reading.events];
    if (own && fresh) events.unshift({ kind: 'booted', at: arrival.receivedAt, ...nodeMetrics.boot() });
    if (own) {
      reading.facts.unshift({ type: 'born', session: fresh });
      own.connection?.acceptCommands(this.#encoderFor({ node: this.#node, device: id }));
    }
    await this.#storage.reading(message, subject, { ...reading, events });
    return reading.rebirthNeeded;
  }

  /** The number of metrics of the node and of all devices behind it, except one. */
  #metricsWithout(id: string): number {
    let count = this.#node.size;
    for (const [other, { nodeMetrics }] of this.#devices) if (other !== id) count += nodeMetrics.size;
    return count;
  }

  async #data(message: Item): Promise<boolean> {
    const { device: id, receivedAt } = message.arrival;
    const behind = id === null ? null : this.#devices.get(id);
    const subject = id === null ? this.#subject : (behind?.subject ?? null);
    const nodeMetrics = id === null ? this.#node : behind?.nodeMetrics;
    if (!subject || !nodeMetrics) {
      await this.#storage.message(message, this.#subject, 'this device is not registered');
      this.#reportUnregistered(message, id ?? this.#id);
      return false;
    }
    if (!subject.connection) return true;
    const reading = nodeMetrics.data(message.payload, receivedAt, subject.condition);
    await this.#storage.reading(message, subject, reading);
    return reading.rebirthNeeded;
  }

  /** Opens the connection of a device that has none yet; false when it may not have one. */
  async #open(subject: Subject, arrival: EdgeArrival, what: string): Promise<boolean> {
    if (!subject.device.enabled) {
      await this.#storage.refused(arrival, subject, 'the device is disabled');
      return false;
    }
    if (subject.connection && (subject.connection === arrival.connection || subject.connection.owner === this))
      return true;
    const remoteAddress = `${arrival.remoteAddress} (${what} ${this.#group}/${this.#id})`;
    const silence = {
      lastReceivedAt: () => this.#lastMessageAt,
      end: (detail: string) => {
        this.lost(detail).catch((error) =>
          this.#host.log.warn({ err: error }, 'the timeout of a silent edge node failed'),
        );
      },
    };
    new DeviceConnection(this.#host, subject, { protocol: PROTOCOL, remoteAddress, owner: this, close: null, silence });
    return true;
  }

  /** A device behind the node disconnected. */
  #disconnectDevice(id: string, detail: string): void {
    const behind = this.#devices.get(id);
    this.#devices.delete(id);
    behind?.nodeMetrics.leave(behind.subject.condition);
    const connection = behind?.own?.connection;
    if (connection?.owner === this) connection.end('networkTimeout', detail);
  }

  #forget(detail: string): void {
    this.#state = unknownEdge();
    for (const id of [...this.#devices.keys()]) this.#disconnectDevice(id, detail);
    this.#node.clear();
    const connection = this.#subject?.connection;
    if (connection?.owner === this) connection.end('networkTimeout', detail);
    // It may have a connection of its own, which does not end here.
    else if (connection && connection === this.#connection) connection.refuseCommands(detail);
  }

  /** @param to the node itself, or a device behind it */
  #encoderFor(to: Pick<Target, 'node' | 'device'>): CommandEncoder {
    return (call) => {
      const parts = [...this.#devices].filter(([id, { own }]) => (to.device === null ? !own : id === to.device));
      const declared = parts.map(([device, { nodeMetrics }]) => ({ nodeMetrics, device: device as string | null }));
      if (to.device === null) declared.unshift({ nodeMetrics: this.#node, device: null });
      const plan = planFor(call, { ...to, declared });
      if (!plan) return null;
      const at = this.#host.clock.now();
      // Credentials for a file are only for the device.
      const shown = plan.metrics.map((one) => ({
        ...one,
        value: call.params.location === undefined ? one.value : String(one.value).replace(call.params.location, '…'),
      }));
      return {
        topic: commandTopic(this.#group, this.#id, plan.device),
        payload: encodeCommand(plan.metrics, at),
        action: plan.device === null ? 'NCMD' : 'DCMD',
        body: JSON.stringify({ timestamp: at.getTime(), metrics: shown }),
        match: plan.match,
      };
    };
  }

  /** @param due the state machine requires it; otherwise it is done unless it was done a moment ago */
  async #requestRebirth(due: boolean): Promise<void> {
    const now = this.#host.clock.now().getTime();
    const { rebirthRequestedAt } = this.#state;
    if (!due && rebirthRequestedAt !== null && now - rebirthRequestedAt < 10_000) return;
    this.#state = { ...this.#state, rebirthRequestedAt: now };
    const metric = { name: 'Node Control/Rebirth', type: 'Boolean' as const, value: true };
    const payload = encodeCommand([metric], new Date(now));
    const topic = commandTopic(this.#group, this.#id, null);
    if (!(await this.#host.publish({ topic, payload }))) return;
    this.#host.measures.rebirths.inc();
    const { connection } = this.#subject ?? {};
    const note = 'the births are requested';
    const body = JSON.stringify({ timestamp: now, metrics: [metric] });
    void connection?.record([
      connection.frame('send', new Date(now), { action: 'NCMD', body, bytes: payload.length, note }),
    ]);
  }

  #reportUnregistered({ arrival, payload }: Item, sn: string): void {
    const mac = payload.metrics.find(({ name, stringValue }) => MAC_NAME.test(name ?? '') && stringValue)?.stringValue;
    this.#host.unknown(sn, arrival.remoteAddress, PROTOCOL, mac ?? null);
  }
}

/** The metric with the MAC address, such as `Properties/MAC` or `Node Info/MAC Address`. */
const MAC_NAME = /(?:^|\/)mac(?: ?address)?$/i;

const NOTES: Readonly<Record<'late' | 'unborn' | 'missing', string>> = {
  late: 'ignored: its sequence number was used before, or its session has ended',
  unborn: 'ignored: its birth or an earlier message is missing',
  missing: 'ignored: an earlier message is missing',
};

/**
 * An edge node may report for registered devices of its own site, but for none with a password: such a device connects
 * itself. Null when the edge node may report for it.
 */
function childRefusal({ device: node }: Subject, { device }: Subject): string | null {
  if (device.deviceId === node.deviceId) return null;
  if (device.siteId !== node.siteId) return `refused: ${device.sn} belongs to another site`;
  return device.passwordHash === null ? null : `refused: ${device.sn} has its own password and must connect itself`;
}
