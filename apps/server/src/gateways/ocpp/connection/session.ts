import { type DisconnectReason, sameParameterKey } from '@chargehand/domain';
import type { Clock } from '../../../platform/clock.ts';
import type { Log } from '../../../platform/log.ts';
import type { Authorizer } from '../../../ports/devices/authorizer.ts';
import type { DeviceCertificates } from '../../../ports/devices/certificates.ts';
import type { KnownDevice, MissingReports } from '../../../ports/devices/device-directory.ts';
import type { DeviceCall, SendResult } from '../../../ports/devices/device-link.ts';
import type { TrafficMeter } from '../../../ports/traffic.ts';
import { type FrameEvent, SinkOverloaded, type UplinkEvent, type UplinkSink } from '../../../ports/uplink.ts';
import { type ConnectorLimit, connectorLimit } from '../../connector-limit.ts';
import { certify } from '../admission/certificates.ts';
import type { Dialect, DialectConnection, FollowUp } from '../dialect.ts';
import { frameEvent } from '../frame-event.ts';
import type { GatewayMetrics } from '../metrics.ts';
import { type ServerRequest, ServerRequests } from '../server-requests.ts';
import { type Triggers, triggers } from '../triggers.ts';
import type { BadFrame, CallFrame, ErrorFrame, Frame, ResultErrorFrame, ResultFrame, SendFrame } from '../wire.ts';
import { CALL, CALLRESULT, CALLRESULTERROR, readFrame, SEND, writeError, writeResultError } from '../wire.ts';
import { type Answer, answerCall, readSend } from './answer-call.ts';
import { AnsweredCalls } from './answers/answered-calls.ts';
import { type AnswerReader, serverRequestOf } from './answers/own-requests.ts';
import { changedSkew } from './clock.ts';
import { connectionEnd } from './connection-end.ts';
import { bindSession, type ConnectionSocket } from './connection-socket.ts';
import { MessageFaults } from './faults/message-faults.ts';
import { Liveness } from './liveness.ts';
import { type PendingCalls, pendingCalls } from './pending-calls.ts';

/** What all sessions of a gateway share. */
export interface SessionHost {
  sink: UplinkSink;
  traffic: TrafficMeter;
  clock: Clock;
  log: Log;
  metrics: GatewayMetrics;
  missingReports(deviceId: number): Promise<MissingReports | undefined>;
  /** decides who may charge */
  authorizer: Authorizer;
  /** null: this server signs no certificates */
  certificates: DeviceCertificates | null;
  /** `requestAfterMs`: how long the server waits for a reconnected device to boot before it queries it; null: never */
  options: { heartbeatSeconds: number; pingSeconds: number; frameLimitBytes: number; requestAfterMs: number | null };
  /** this process is leaving: when a connection ends, its device is expected at another process */
  leaves(): boolean;
  /** called once, when a connection counts as ended */
  onEnd(session: Session): void;
}

/** A received frame that waits to be processed. */
interface Received<F extends Frame = Frame> {
  frame: F;
  text: string;
  bytes: number;
  at: Date;
}

/**
 * The number of frames that may wait. Beyond it the connection is not read until some are stored (TCP holds back the
 * rest).
 */
const INBOX_LIMIT = 16;
/** A device that does not answer our close frame is disconnected after this time. */
const CLOSE_TIMEOUT_MS = 3_000;
/** The id that OCPP-J 2.0.1 §4.2.3 defines for a frame whose id cannot be read. */
const UNREADABLE = { rawId: '-1', code: 'RpcFrameworkError' } as const;

/**
 * One connection of a device, from the handshake to its end, in any version of OCPP-J. Frames are processed one at a
 * time: each is stored before it is answered, and the next one waits (§4.1.1 there: one CALL in flight per direction).
 * There may be many thousands of idle connections, so rarely used parts are created on first use.
 */
export class Session {
  readonly deviceId: number;
  readonly sn: string;
  readonly connectionId: string;
  /** milliseconds since the epoch */
  readonly openedAt: number;
  readonly #host: SessionHost;
  readonly #socket: ConnectionSocket;
  readonly #proven: boolean;
  #tolerant!: boolean;
  readonly #dialect: Dialect;
  readonly #connection: DialectConnection;
  #inbox: Received[] | null = null;
  #working = false;
  #over = false;
  #stored: Promise<void> | null = null;
  #pendingCalls: PendingCalls | null = null;
  readonly #serverRequests: ServerRequests;
  #triggers: Triggers | null = null;
  readonly #answered = new AnsweredCalls();
  #reportedSkew = 0;
  #socketProblem: string | null = null;
  readonly #liveness: Liveness;
  #connectors!: ConnectorLimit;
  readonly #faults: MessageFaults;

  constructor(
    host: SessionHost,
    connection: {
      dialect: Dialect;
      socket: ConnectionSocket;
      device: KnownDevice;
      /** the device has proved its identity */
      proven: boolean;
      connectionId: string;
      remoteAddress: string;
    },
  ) {
    const { dialect, socket, device, connectionId, remoteAddress } = connection;
    const at = host.clock.now();
    this.#host = host;
    this.#dialect = dialect;
    this.#connection = dialect.connection(host.clock, device.connectorStates ?? []);
    this.#socket = socket;
    this.deviceId = device.deviceId;
    this.sn = device.sn;
    this.#proven = connection.proven;
    this.use(device);
    this.#faults = new MessageFaults(device.statusRejected ?? false);
    this.connectionId = connectionId;
    this.openedAt = at.getTime();
    const { requestAfterMs, pingSeconds, heartbeatSeconds } = host.options;
    this.#liveness = new Liveness(this.openedAt, pingSeconds, device.heartbeatSeconds ?? heartbeatSeconds);
    this.#serverRequests = new ServerRequests(this.openedAt, requestAfterMs);
    bindSession(socket, this);
    void this.#record([
      { kind: 'connected', connectionId, at, protocol: dialect.subprotocol, remoteAddress },
      this.#frameEvent('open', at, { note: `${socket.protocol} from ${remoteAddress}` }),
    ]);
  }

  /** Reads messages by the model of the device, which may have changed. */
  use(device: KnownDevice): void {
    this.#tolerant = device.tolerant;
    this.#connectors = connectorLimit(device);
  }

  /** Resolves when the end of the connection is stored; immediately while the connection is open. */
  get ended(): Promise<void> {
    return this.#stored ?? Promise.resolve();
  }

  /**
   * Writes a command to the connection after the pending request of the server has been answered: one CALL is in flight
   * at a time.
   */
  async execute(call: DeviceCall): Promise<SendResult> {
    await this.#triggers?.clear();
    if (!this.#isOpen) return { outcome: 'offline' };
    if (call.kind === 'refreshConfiguration' && this.#host.options.requestAfterMs !== null) {
      this.#serverRequests.requestAll(this.#host.clock.now().getTime());
    }
    this.#pendingCalls ??= pendingCalls(this.#dialect, this.#connection, () => this.#tolerant, this.#host.clock);
    const added = this.#pendingCalls.put(call);
    if (!added) return { outcome: 'notSupported' };
    const { action, text, logged } = added;
    const body = logged?.text ?? text;
    const [bytes, note] = [Buffer.byteLength(text), logged?.note ?? null];
    const messageId = call.executionId;
    void this.#record([this.#frameEvent('send', this.#host.clock.now(), { action, messageId, body, bytes, note })]);
    this.#write(text);
    return { outcome: 'sent' };
  }

  get #isOpen(): boolean {
    return !this.#over && this.#socket.readyState === this.#socket.OPEN;
  }

  /**
   * Closes the connection. `detail` is sent to the device and stored. If the device `returns`, because only this process
   * ends, it stays connected for everyone else, and a running command may still be answered.
   */
  end(reason: DisconnectReason, detail: string, closeCode: number, returns = false): void {
    if (this.#over) return;
    this.#finish(reason, detail, returns);
    const socket = this.#socket;
    socket.resume();
    socket.close(closeCode, detail.slice(0, 120));
    this.#host.clock.after(CLOSE_TIMEOUT_MS, () => socket.terminate());
  }

  /** Call this about every second: it sends pings, and closes a connection that has gone silent. */
  tick(now: number): void {
    if (this.#over) return;
    const overdue = this.#connection.tick(now);
    if (overdue.length > 0) void this.#record(overdue);
    if (this.#serverRequests.isDue(now)) this.#requestMissing();
    else this.#triggers?.next(now);
    // While we do not read the connection, the silence is ours.
    if (this.#socket.isPaused || this.#working) this.#liveness.alive(now);
    const silence = this.#liveness.deadFor(now);
    if (silence !== null) {
      this.#finish('networkTimeout', `no message for ${silence} s`);
      this.#socket.terminate();
    } else if (this.#socket.readyState === this.#socket.OPEN && this.#liveness.isPingDue(now)) {
      this.#socket.ping();
    }
  }

  /** A device that reconnected reports little by itself, so the server requests what is unknown. */
  #requestMissing(): void {
    const { deviceId } = this;
    // The device reports what could not be requested with its next change.
    this.#ownCalls()
      .determine()
      .catch((error) =>
        this.#host.log.warn({ err: error, deviceId }, 'the requests for a device could not be determined'),
      );
  }

  /** The requests that the server sends by itself on this connection, created on first use. */
  #ownCalls(): Triggers {
    this.#triggers ??= triggers(
      {
        isFree: (now) => this.#isOpen && !this.#pendingCalls?.isWaiting(now),
        neededRequests: async () => {
          const open = await this.#host.missingReports(this.deviceId);
          return open ? this.#dialect.requestsFor(open, this.#serverRequests.booted) : [];
        },
        write: (messageId, action, body) => {
          void this.#record([this.#frameEvent('send', this.#host.clock.now(), { action, messageId, body })]);
          this.#write(body);
        },
      },
      this.#serverRequests,
      this.#host.clock,
    );
    return this.#triggers;
  }

  onMessage(buffer: Buffer, isBinary: boolean): void {
    if (this.#over) return;
    this.#host.traffic.received(this.deviceId, buffer.length);
    const { frameLimitBytes } = this.#host.options;
    if (isBinary) this.end('loggedOut', 'OCPP frames are text, not binary', 1003);
    else if (buffer.length > frameLimitBytes) {
      this.end('loggedOut', `a frame is longer than ${frameLimitBytes} bytes`, 1009);
    } else this.#receive(buffer);
  }

  #receive(buffer: Buffer): void {
    const at = this.#host.clock.now();
    this.#liveness.alive(at.getTime());
    const text = buffer.toString('utf8');
    const received = { frame: readFrame(text, this.#dialect.sends), text, bytes: buffer.length, at };
    if (!this.#working) {
      void this.#work(received);
      return;
    }
    this.#inbox ??= [];
    this.#inbox.push(received);
    if (this.#inbox.length >= INBOX_LIMIT) this.#socket.pause();
  }

  onPong(): void {
    this.#liveness.pong(this.#host.clock.now().getTime());
  }

  onSocketProblem(error: Error): void {
    this.#socketProblem = error.message;
  }

  onClose(code: number, words: Buffer): void {
    if (this.#over) return;
    const { reason, detail } = connectionEnd(code, words.toString('utf8'), this.#socketProblem);
    this.#finish(reason, detail, this.#host.leaves());
  }

  #finish(reason: DisconnectReason, detail: string, returns = false): void {
    this.#over = true;
    this.#inbox = null;
    this.#triggers?.end();
    const { connectionId } = this;
    const at = this.#host.clock.now();
    this.#host.metrics.ended.inc({ reason });
    this.#stored = this.#recordEnd([
      this.#frameEvent('close', at, { note: detail }),
      ...(returns
        ? []
        : [{ kind: 'disconnected' as const, connectionId, at, reason, detail }, ...this.#lost(at, detail)]),
    ]);
    this.#host.traffic.ended(this.deviceId);
    this.#host.onEnd(this);
  }

  /** The running commands. Their answers cannot arrive on this connection any more. */
  #lost(at: Date, detail: string): UplinkEvent[] {
    const added = this.#pendingCalls?.unanswered() ?? null;
    const running = new Set([...(added === null ? [] : [added]), ...this.#connection.unfinished()]);
    return [...running].map((executionId) => ({
      ...{ kind: 'executionProgress', executionId, at, state: 'connectionLost', detail },
    }));
  }

  /** Processes a frame, and the frames that arrive meanwhile. */
  async #work(first: Received): Promise<void> {
    this.#working = true;
    for (let next: Received | undefined = first; next && !this.#over; next = this.#inbox?.shift()) {
      if (this.#socket.isPaused && (this.#inbox?.length ?? 0) < INBOX_LIMIT / 2) {
        this.#liveness.alive(this.#host.clock.now().getTime());
        this.#socket.resume();
      }
      try {
        await this.#take(next);
      } catch (error) {
        // Errors of the sink were answered where they occurred; this is an error of ours.
        this.#host.log.error({ err: error, deviceId: this.deviceId }, 'a frame could not be processed');
        if (next.frame.type === CALL) this.#send(writeError(next.frame.id, 'InternalError', 'The server failed'));
      }
    }
    this.#inbox = null;
    this.#working = false;
  }

  #take(received: Received): Promise<void> {
    const { frame } = received;
    if (frame.type === CALL) return this.#takeCall(received as Received<CallFrame>);
    if (frame.type === SEND) return this.#processSend(received as Received<SendFrame>);
    if (frame.type === CALLRESULTERROR) return this.#takeResultError(received as Received<ResultErrorFrame>);
    if (frame.type === 'bad') return this.#takeBad(received as Received<BadFrame>);
    return this.#takeAnswer(received as Received<ResultFrame | ErrorFrame>);
  }

  async #takeCall({ frame, text, bytes, at }: Received<CallFrame>): Promise<void> {
    const { id: messageId, action } = frame;
    const { sink, log, metrics, options } = this.#host;
    const { deviceId } = this;
    const received = this.#frameEvent('receive', at, { action, messageId, body: text, bytes });
    const { former, remember } = this.#answered.find(messageId, text);
    if (former !== undefined) {
      metrics.repeated.inc();
      received.note = 'this message id was answered before';
      const note = 'the same answer again';
      const reply = this.#frameEvent('send', this.#host.clock.now(), { action, messageId, body: former, note });
      await this.#record([received, reply]);
      return this.#send(former);
    }
    let answer: Answer;
    let sent: string;
    let followUp: ServerRequest | null = null;
    try {
      const { heartbeatSeconds } = options;
      const how = {
        ...{ dialect: this.#dialect, connection: this.#connection, tolerant: this.#tolerant },
        connectors: this.#connectors,
      };
      const signs = this.#host.certificates !== null;
      answer = answerCall(frame, { ...how, receivedAt: at, heartbeatSeconds, signs, metrics });
      if (answer.token) {
        const decided = await this.#host.authorizer.decide(deviceId, answer.token.request);
        for (const event of answer.events) {
          if (event.kind === 'transactionStarted' || event.kind === 'transactionEvent') event.decision = decided;
        }
        answer.text = answer.token.text(decided);
      }
      if (answer.request) {
        const device = { deviceId, sn: this.sn, proven: this.#proven };
        const certified = await certify(this.#host.certificates, device, answer.request, at);
        answer.notes.push(certified.note);
        answer.text = certified.text ?? answer.text;
        followUp = certified.followUp;
      }
      if (answer.notes.length > 0) received.note = answer.notes.join('; ');
      // A charge point of OCPP 1.6 does not say that it sends a BootNotification on request.
      if (action === 'BootNotification' && answer.taken && this.#pendingCalls?.awaits(action, answer.taken)) {
        for (const event of answer.events) if (event.kind === 'booted') event.triggered = true;
      }
      const progress = answer.taken ? (this.#pendingCalls?.progressOf(action, answer.taken, at) ?? []) : [];
      const reported = answer.deviceTime ? this.#withSkew(answer.events, answer.deviceTime, at) : answer.events;
      const faults = this.#faults.after(this.#named(action), answer.fault, at);
      const events = progress.length + faults.length > 0 ? [...reported, ...progress, ...faults] : reported;
      if (typeof answer.text === 'string') {
        sent = answer.text;
        const reply = this.#frameEvent('send', this.#host.clock.now(), { action, messageId, body: sent });
        await sink.submit(deviceId, [received, reply, ...events]);
      } else {
        sent = answer.text(await sink.submit(deviceId, [received, ...events]));
        await sink.submit(deviceId, [
          this.#frameEvent('send', this.#host.clock.now(), { action, messageId, body: sent }),
        ]);
      }
    } catch (error) {
      if (error instanceof SinkOverloaded) metrics.shed.inc({ action });
      else log.error({ err: error, deviceId, action }, 'a message of a device could not be stored');
      // Not remembered, so that the message can be stored when the device tries again.
      return this.#send(writeError(messageId, 'InternalError', 'The message could not be stored; try again later'));
    }
    remember(sent);
    metrics.calls.inc({ action });
    this.#serverRequests.onCall(action, this.#host.clock.now().getTime());
    if (action === 'BootNotification') this.#liveness.setInterval(options.heartbeatSeconds);
    this.#learnInterval(answer.events);
    this.#send(sent);
    this.#request([...(followUp ? [followUp] : []), ...this.#serverRequestsOf(answer.followUps)]);
  }

  /** The action for the counts of faults, whose number is bounded. */
  #named(action: string): string {
    return this.#dialect.schemas.isKnownAction(action) ? action : 'unknown';
  }

  /** A message without an answer. If it cannot be stored now, it is lost, because the device does not send it again. */
  async #processSend({ frame, text, bytes, at }: Received<SendFrame>): Promise<void> {
    const { id: messageId, action } = frame;
    const { metrics, options } = this.#host;
    const how = {
      ...{ dialect: this.#dialect, connection: this.#connection, tolerant: this.#tolerant, signs: false },
      connectors: this.#connectors,
    };
    const { heartbeatSeconds } = options;
    const { events, notes, followUps, fault } = readSend(frame, { ...how, receivedAt: at, heartbeatSeconds, metrics });
    const note = notes.length > 0 ? notes.join('; ') : null;
    const received = this.#frameEvent('receive', at, { action, messageId, body: text, bytes, note });
    const outcome = await this.#record([received, ...events, ...this.#faults.after(this.#named(action), fault, at)]);
    if (outcome === 'shed') metrics.shed.inc({ action });
    if (outcome !== 'stored') return;
    metrics.calls.inc({ action });
    this.#request(this.#serverRequestsOf(followUps));
  }

  /** The device could not process an answer of ours. The protocol log records it. */
  async #takeResultError({ frame, text, bytes, at }: Received<ResultErrorFrame>): Promise<void> {
    const { id: messageId, code, description } = frame;
    const note = `the device rejected our answer: ${code} ${description}`.trim().slice(0, 300);
    this.#host.log.warn({ deviceId: this.deviceId, messageId, code, description }, 'a device rejected our answer');
    await this.#record([this.#frameEvent('receive', at, { messageId, body: text, bytes, note })]);
  }

  /** Requests something from the device as soon as the connection is free. */
  #request(requests: ServerRequest[]): void {
    if (requests.length === 0) return;
    for (const request of requests) this.#serverRequests.request(request);
    this.#ownCalls().next(this.#host.clock.now().getTime());
  }

  #serverRequestsOf(followUps: readonly FollowUp[]): ServerRequest[] {
    const asks = this.#host.options.requestAfterMs !== null;
    return followUps
      .filter(({ optional }) => asks || !optional)
      .map((followUp) => serverRequestOf(followUp, () => this.#answerReader()));
  }

  #answerReader(): AnswerReader {
    return {
      ...{ dialect: this.#dialect, tolerant: this.#tolerant },
      faultsOf: (action, fault, at) => this.#faults.after(action, fault, at),
      store: async (events) => void (await this.#record(events)),
    };
  }

  async #takeBad({ frame, text, bytes, at }: Received<BadFrame>): Promise<void> {
    const { metrics } = this.#host;
    const { id: messageId, action, problem } = frame;
    const answer = frame.answer ?? (frame.unreadable && this.#dialect.answersUnreadable ? UNREADABLE : null);
    metrics.malformed.inc();
    const received = this.#frameEvent('receive', at, { action, messageId, body: text, bytes, note: problem });
    const fault = { outcome: 'rejected', reason: problem } as const;
    const faults = this.#faults.after(this.#named(action ?? ''), fault, at);
    if (!answer) {
      await this.#record([received, ...faults]);
      return;
    }
    const body = writeError(answer.rawId, this.#dialect.codes[answer.code] ?? answer.code, problem);
    metrics.callErrors.inc({ code: answer.code });
    const reply = this.#frameEvent('send', this.#host.clock.now(), { action, messageId, body });
    await this.#record([received, reply, ...faults]);
    this.#send(body);
  }

  async #takeAnswer({ frame, text, bytes, at }: Received<ResultFrame | ErrorFrame>): Promise<void> {
    if (frame.type === CALLRESULT && frame.broken !== undefined) this.#host.metrics.malformed.inc();
    const reported = this.#triggers?.answered(frame, at);
    if (reported) {
      const { action, note, stored } = reported;
      const received = this.#frameEvent('receive', at, { action, note, messageId: frame.id, body: text, bytes });
      // Both together: a command that waited for this answer is being sent.
      await Promise.all([this.#record([received]), stored?.catch((error) => this.#logStoreError(error))]);
      return this.#triggers?.next(this.#host.clock.now().getTime());
    }
    this.#pendingCalls ??= pendingCalls(this.#dialect, this.#connection, () => this.#tolerant, this.#host.clock);
    const { unexpected, action, note, events, violation, fault } = this.#pendingCalls.answered(frame, at);
    if (unexpected) this.#host.metrics.unexpected.inc();
    const messageId = frame.id;
    const received = this.#frameEvent('receive', at, { action, messageId, body: text, bytes, note });
    this.#learnInterval(events);
    await this.#record([received, ...events, ...(action === null ? [] : this.#faults.after(action, fault, at))]);
    if (violation && this.#dialect.sends) {
      const body = writeResultError(
        messageId,
        this.#dialect.codes[violation.code] ?? violation.code,
        violation.description,
      );
      await this.#record([this.#frameEvent('send', this.#host.clock.now(), { action, messageId, body })]);
      this.#send(body);
    }
    this.#triggers?.next(this.#host.clock.now().getTime());
  }

  /** The reported or changed parameters may include the heartbeat interval. */
  #learnInterval(events: readonly UplinkEvent[]): void {
    for (const event of events) {
      if (event.kind !== 'parameters') continue;
      const entry = event.entries.find(({ key }) => sameParameterKey(key, this.#dialect.heartbeatKey));
      if (entry && /^\d{1,9}$/.test(entry.value ?? '')) this.#liveness.setInterval(Number(entry.value));
    }
  }

  /** The device's answer about its certificate is stored in the protocol log at least. */
  #logStoreError(error: unknown): void {
    this.#host.log.warn({ err: error, deviceId: this.deviceId }, 'the answer of a device could not be stored');
  }

  #withSkew(events: UplinkEvent[], deviceTime: Date, at: Date): UplinkEvent[] {
    const skewMs = changedSkew(this.#reportedSkew, deviceTime, at);
    if (skewMs === null) return events;
    this.#reportedSkew = skewMs;
    return [...events, { kind: 'clock', skewMs }];
  }

  #frameEvent(type: FrameEvent['type'], at: Date, more: Partial<FrameEvent>): FrameEvent {
    return frameEvent(this.connectionId, type, at, more);
  }

  /** Stores events that nothing waits for. The sink counts events that cannot be stored; they are logged here. */
  async #record(events: UplinkEvent[]): Promise<'stored' | 'shed' | 'failed'> {
    const { sink, log } = this.#host;
    const { deviceId } = this;
    try {
      await sink.submit(deviceId, events);
      return 'stored';
    } catch (error) {
      if (error instanceof SinkOverloaded) return 'shed';
      log.warn({ err: error, deviceId }, 'frames of a device are not stored');
      return 'failed';
    }
  }

  async #recordEnd(events: UplinkEvent[]): Promise<void> {
    await this.#record(events);
  }

  #send(text: string): void {
    if (this.#isOpen) this.#write(text);
  }

  #write(text: string): void {
    this.#socket.send(text);
    this.#host.traffic.sent(this.deviceId, Buffer.byteLength(text));
  }
}
