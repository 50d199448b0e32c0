import { randomUUID } from 'node:crypto';
import { type DisconnectReason, isSilent, SILENCE_SECONDS } from '@chargehand/domain';
import type { Stop } from '../../platform/bus/bus.ts';
import type { DeviceCall, SendResult } from '../../ports/devices/device-link.ts';
import { type FrameEvent, SinkOverloaded, type UplinkEvent } from '../../ports/uplink.ts';
import { type DeviceRequest, deviceSubject } from '../bus-device-link.ts';
import { frameEvent } from '../ocpp/frame-event.ts';
import { publishOpened } from '../opened.ts';
import type { Host, OpenConnection, Subject } from './broker/host.ts';
import type { CommandEncoder } from './command-encoder.ts';

/** How long a command waits for a new device to report its topics. */
const TOPIC_TIMEOUT_MS = 4_000;

/** The text for the device and for the log when the server ends its connection. */
const DISCONNECT_DETAILS: Readonly<Record<string, string>> = {
  deviceDisabled: 'the device was disabled',
  deviceRemoved: 'the device was removed',
  credentialsChanged: 'the password was changed',
};

/** Why a retained message is rejected. */
export const RETAINED = 'ignored: a retained message of an unknown time; publish without the retain flag';

/** The check for a connection behind an external broker: only the silence of the device shows that it ended. */
export interface SilenceCheck {
  /** when the conversation last received something; ms since the epoch */
  lastReceivedAt(): number;
  /** Ends the conversation and its connection. */
  end(detail: string): void;
}

/**
 * One connection of a device. On the embedded broker it is a network connection. Behind an external broker or an edge
 * node it lasts from birth to death.
 */
export class DeviceConnection implements OpenConnection {
  readonly connectionId = randomUUID();
  /** milliseconds since the epoch */
  readonly openedAt: number;
  readonly subject: Subject;
  /** the conversation that opened the connection, and the only one that ends it after silence */
  readonly owner: object;
  readonly remoteAddress: string;
  readonly #host: Host;
  readonly #close: (() => void) | null;
  readonly #silenceCheck: SilenceCheck | null;
  #encoder: CommandEncoder | null = null;
  readonly #listeners: ((encoder: CommandEncoder | null) => void)[] = [];
  #stopServing: Stop | null;
  #stored: Promise<void> | null = null;

  /** @param options.close ends the connection underneath, where the connection has one of its own */
  constructor(
    host: Host,
    subject: Subject,
    options: {
      protocol: string;
      remoteAddress: string;
      owner: object;
      close: (() => void) | null;
      silence?: SilenceCheck;
    },
  ) {
    const at = host.clock.now();
    const { protocol, remoteAddress } = options;
    const { connectionId } = this;
    const { deviceId } = subject.device;
    this.#host = host;
    this.#close = options.close;
    this.#silenceCheck = options.silence ?? null;
    this.subject = subject;
    this.owner = options.owner;
    this.remoteAddress = remoteAddress;
    this.openedAt = at.getTime();
    subject.connection?.end('replaced', 'the device opened a newer connection');
    subject.connection = this;
    subject.condition.forget();
    this.#stopServing = host.bus.serve(deviceSubject(deviceId), (request) => this.#respond(request));
    void this.record([
      { kind: 'connected', connectionId, at, protocol, remoteAddress },
      this.frame('open', at, { note: `${protocol} from ${remoteAddress}` }),
    ]);
    publishOpened(host.bus, deviceId, this);
  }

  get over(): boolean {
    return this.#stored !== null;
  }

  /** Resolves when the end of the connection is stored; immediately if it has not ended. */
  get ended(): Promise<void> {
    return this.#stored ?? Promise.resolve();
  }

  isQuiet(now: number): boolean {
    return this.#silenceCheck !== null && isSilent(this.#silenceCheck.lastReceivedAt(), now, SILENCE_SECONDS.least);
  }

  /** Ends a silent connection behind an external broker. Call it every few seconds. */
  tick(now: number): void {
    const { silenceSeconds } = this.subject.device;
    if (!this.#silenceCheck || !isSilent(this.#silenceCheck.lastReceivedAt(), now, silenceSeconds)) return;
    this.#silenceCheck.end(`no message for ${silenceSeconds ?? SILENCE_SECONDS.default} seconds`);
  }

  /** From now on, commands can be sent. */
  acceptCommands(encoder: CommandEncoder): void {
    this.#encoder = encoder;
    for (const listener of this.#listeners.splice(0)) listener(encoder);
  }

  /** No commands can be sent until the device reports its topics again. A pending command stays without a response. */
  refuseCommands(detail: string): void {
    this.#encoder = null;
    const lost = this.#lost(this.#host.clock.now(), detail);
    if (lost.length > 0) void this.record(lost);
  }

  get acceptsCommands(): boolean {
    return this.#encoder !== null;
  }

  /** Ends the connection, or notes that it ended. `detail` is logged. */
  end(reason: DisconnectReason, detail: string): void {
    if (this.#stored) return;
    const at = this.#host.clock.now();
    const { subject, connectionId } = this;
    const { deviceId } = subject.device;
    if (subject.connection === this) subject.connection = null;
    this.#stopServing?.();
    this.#stopServing = null;
    for (const listener of this.#listeners.splice(0)) listener(null);
    this.#host.measures.ended.inc({ reason });
    this.#stored = this.record([
      this.frame('close', at, { note: detail }),
      // While only this process ends, the device returns and stays connected for everyone else.
      ...(this.#host.stopping() ? [] : [{ kind: 'disconnected' as const, connectionId, at, reason, detail }]),
      ...this.#lost(at, detail),
    ]);
    this.#host.traffic.ended(deviceId);
    this.#close?.();
  }

  /** The response to the pending command can no longer arrive, unless this server restarted. */
  #lost(at: Date, detail: string): UplinkEvent[] {
    if (this.#host.stopping()) return [];
    const executionId = this.#host.pendingCommandOf(this.subject.device.deviceId).lost(at);
    return executionId === null
      ? []
      : [{ kind: 'executionProgress', executionId, at, state: 'connectionLost', detail }];
  }

  frame(type: FrameEvent['type'], at: Date, more: Partial<FrameEvent>): FrameEvent {
    return frameEvent(this.connectionId, type, at, more);
  }

  /** Stores events that nobody waits for. */
  async record(events: UplinkEvent[]): Promise<void> {
    const { deviceId } = this.subject.device;
    try {
      await this.#host.sink.submit(deviceId, events);
    } catch (error) {
      if (error instanceof SinkOverloaded) this.#host.measures.shed.inc();
      else this.#host.log.warn({ err: error, deviceId }, 'frames of a device are not stored');
    }
  }

  async #respond(request: DeviceRequest): Promise<SendResult | null> {
    if (request.verb === 'execute') return this.#execute(request.call);
    this.#host.forget(this.subject.device.sn);
    if (request.verb === 'reload') {
      await this.#host.subject(this.subject.device.sn);
      return null;
    }
    this.end('authRejected', DISCONNECT_DETAILS[request.reason] ?? request.reason);
    return null;
  }

  async #execute(call: DeviceCall): Promise<SendResult> {
    const encoder = this.#encoder ?? (await this.#waitForEncoder());
    if (this.over || !encoder) return { outcome: 'offline' };
    const put = encoder(call);
    if (!put) return { outcome: 'notSupported' };
    const { deviceId } = this.subject.device;
    const { topic, payload, action, body, match } = put;
    // Set this before the message is written: the response may arrive before the promise resolves.
    this.#host.pendingCommandOf(deviceId).put(call, match, this.#host.clock.now());
    if (!(await this.#host.publish({ topic, payload }))) return { outcome: 'offline' };
    this.#host.traffic.sent(deviceId, payload.length);
    const messageId = call.executionId;
    void this.record([this.frame('send', this.#host.clock.now(), { action, messageId, body, bytes: payload.length })]);
    return { outcome: 'sent' };
  }

  #waitForEncoder(): Promise<CommandEncoder | null> {
    return new Promise((resolve) => {
      const cancel = this.#host.clock.after(TOPIC_TIMEOUT_MS, () => resolve(null));
      this.#listeners.push((encoder) => {
        cancel();
        resolve(encoder);
      });
    });
  }
}
