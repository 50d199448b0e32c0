import { randomUUID } from 'node:crypto';
import { type DisconnectReason, isSilent, SILENCE_SECONDS } from '@chargehand/domain';
import type { Stop } from '../../platform/bus/bus.ts';
import type { DeviceCall, Handover } from '../../ports/devices/device-link.ts';
import { type FrameEvent, SinkOverloaded, type UplinkEvent } from '../../ports/uplink.ts';
import { type DeviceRequest, deviceSubject } from '../bus-device-link.ts';
import { frameEvent } from '../ocpp/frame-event.ts';
import { announceOpened } from '../opened.ts';
import type { Host, OpenConnection, Subject } from './broker/host.ts';
import type { Speech } from './speech.ts';

/** A device that has just connected tells within this time what it speaks; until then a command waits. */
const TOPIC_TIMEOUT_MS = 4_000;

/** What a device is told, and what is kept, when its connection is ended on purpose. */
const DISCONNECT_DETAILS: Readonly<Record<string, string>> = {
  deviceDisabled: 'the device was disabled',
  deviceRemoved: 'the device was removed',
  credentialsChanged: 'the password was changed',
};

/** Why a retained message is not taken. */
export const RETAINED = 'not taken: the broker kept it, from whenever; publish without the retain flag';

/** The check for a connection behind an external broker: only the silence of the device shows that it ended. */
export interface Silence {
  /** when its conversation brought something last; ms since the epoch */
  heardAt(): number;
  /** Ends the conversation, and with it the connection. */
  end(detail: string): void;
}

/**
 * One connection of a device, from its first sign of life to its last. On the embedded broker that is a connection;
 * behind an external one, or behind an edge node, it lasts from birth to death.
 */
export class DeviceConnection implements OpenConnection {
  readonly connectionId = randomUUID();
  /** milliseconds since the epoch */
  readonly openedAt: number;
  readonly subject: Subject;
  /** what opened it, and alone may end it for want of the device's words */
  readonly owner: object;
  readonly remoteAddress: string;
  readonly #host: Host;
  readonly #close: (() => void) | null;
  readonly #silence: Silence | null;
  #speech: Speech | null = null;
  readonly #listeners: ((speech: Speech | null) => void)[] = [];
  #stopServing: Stop | null;
  #stored: Promise<void> | null = null;

  /** @param told.close ends the connection underneath, where the connection has one of its own */
  constructor(
    host: Host,
    subject: Subject,
    options: {
      protocol: string;
      remoteAddress: string;
      owner: object;
      close: (() => void) | null;
      silence?: Silence;
    },
  ) {
    const at = host.clock.now();
    const { protocol, remoteAddress } = options;
    const { connectionId } = this;
    const { deviceId } = subject.device;
    this.#host = host;
    this.#close = options.close;
    this.#silence = options.silence ?? null;
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
    announceOpened(host.bus, deviceId, this);
  }

  get over(): boolean {
    return this.#stored !== null;
  }

  /** Resolves when what ended the connection is stored; at once while it has not ended. */
  get ended(): Promise<void> {
    return this.#stored ?? Promise.resolve();
  }

  isQuiet(now: number): boolean {
    return this.#silence !== null && isSilent(this.#silence.heardAt(), now, SILENCE_SECONDS.least);
  }

  /** Ends a silent connection behind an external broker. Call it every few seconds. */
  tick(now: number): void {
    const { silenceSeconds } = this.subject.device;
    if (!this.#silence || !isSilent(this.#silence.heardAt(), now, silenceSeconds)) return;
    this.#silence.end(`no message for ${silenceSeconds ?? SILENCE_SECONDS.default} seconds`);
  }

  /** From now on the device can be spoken to. */
  speaks(speech: Speech): void {
    this.#speech = speech;
    for (const listener of this.#listeners.splice(0)) listener(speech);
  }

  /** The device cannot be spoken to until it tells what it is again; what it was asked stays without an answer. */
  fallsSilent(detail: string): void {
    this.#speech = null;
    const lost = this.#lost(this.#host.clock.now(), detail);
    if (lost.length > 0) void this.record(lost);
  }

  get canSpeak(): boolean {
    return this.#speech !== null;
  }

  /** Ends the connection from our side or because it is gone; `detail` is kept. */
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
      { kind: 'disconnected', connectionId, at, reason, detail },
      ...this.#lost(at, detail),
    ]);
    this.#host.traffic.ended(deviceId);
    this.#close?.();
  }

  /** The command that was running: its answer cannot come any more. After a restart of ours it still can. */
  #lost(at: Date, detail: string): UplinkEvent[] {
    if (this.#host.stopping()) return [];
    const executionId = this.#host.pendingCommandOf(this.subject.device.deviceId).lost(at);
    return executionId === null ? [] : [{ kind: 'executionSign', executionId, at, sign: 'connectionLost', detail }];
  }

  frame(type: FrameEvent['type'], at: Date, more: Partial<FrameEvent>): FrameEvent {
    return frameEvent(this.connectionId, type, at, more);
  }

  /** Stores what nobody waits for. */
  async record(events: UplinkEvent[]): Promise<void> {
    const { deviceId } = this.subject.device;
    try {
      await this.#host.sink.submit(deviceId, events);
    } catch (error) {
      if (error instanceof SinkOverloaded) this.#host.measures.shed.inc();
      else this.#host.log.warn({ err: error, deviceId }, 'frames of a device are not stored');
    }
  }

  async #respond(request: DeviceRequest): Promise<Handover | null> {
    if (request.verb === 'execute') return this.#execute(request.call);
    this.#host.forget(this.subject.device.sn);
    this.end('authRejected', DISCONNECT_DETAILS[request.reason] ?? request.reason);
    return null;
  }

  async #execute(call: DeviceCall): Promise<Handover> {
    const speech = this.#speech ?? (await this.#hearSpeech());
    if (this.over || !speech) return { outcome: 'offline' };
    const put = speech(call);
    if (!put) return { outcome: 'notSupported' };
    const { deviceId } = this.subject.device;
    const { topic, payload, action, body, hears } = put;
    // Before it is written: the answer may be here before the promise is.
    this.#host.pendingCommandOf(deviceId).put(call, hears, this.#host.clock.now());
    if (!(await this.#host.publish({ topic, payload }))) return { outcome: 'offline' };
    this.#host.traffic.sent(deviceId, payload.length);
    const messageId = call.executionId;
    void this.record([this.frame('send', this.#host.clock.now(), { action, messageId, body, bytes: payload.length })]);
    return { outcome: 'sent' };
  }

  #hearSpeech(): Promise<Speech | null> {
    return new Promise((resolve) => {
      const cancel = this.#host.clock.after(TOPIC_TIMEOUT_MS, () => resolve(null));
      this.#listeners.push((speech) => {
        cancel();
        resolve(speech);
      });
    });
  }
}
