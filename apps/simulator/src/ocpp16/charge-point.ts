import { type Rates, startBehaviour } from '../behaviour/behaviour.ts';
import { slowDriver } from '../behaviour/drivers.ts';
import { type ErrorCode, makeFault } from '../behaviour/faults.ts';
import { Station, type StationSettings } from '../behaviour/station.ts';
import { clearFault, raiseFault } from '../behaviour/trouble.ts';
import { Inbox, type Manners, type ReceivedCall } from '../wire/inbox.ts';
import { Link, type LinkSettings } from '../wire/link.ts';
import { errorText, readFrame } from '../wire/wire.ts';
import { type Connector, type ConnectorStatus, statusOf } from './connector.ts';
import { Registration } from './registration.ts';
import { plugIn, stopTransaction, unplug } from './transactions/session.ts';

export interface ChargePointSettings extends StationSettings, Manners {
  link: Omit<LinkSettings, 'sn' | 'protocol'>;
  rates: Rates;
}

/** How long a restart takes, in seconds of behaviour. */
const RESTART_SECONDS = { Soft: 4, Hard: 8 };
/**
 * How long a charge point waits for what it still has to say: long before a restart, for a firmware whose `Installed` was
 * lost is one of which nothing more is heard; not so long when it is switched off.
 */
const LAST_WORDS_MS = { restart: 20_000, stop: 3_000 };

/** One simulated charge point: the wire on one side, and on the other what a test or its own behaviour does to it. */
export class ChargePoint {
  readonly #settings: ChargePointSettings;
  readonly #station: Station;
  readonly #link: Link;
  readonly #registration: Registration;
  readonly #inbox: Inbox;
  #connections = 0;
  #stopped = false;
  #firstAttempt: (() => void) | null = null;

  constructor(settings: ChargePointSettings) {
    this.#settings = settings;
    this.#station = new Station(settings, {
      transmit: (text) => this.#link.send(text),
      reboot: (type) => this.#reboot(type),
      sendBootNotification: () => this.#registration.boot(),
      restartHeartbeat: () => this.#registration.restartHeartbeat(),
    });
    this.#registration = new Registration(this.#station);
    this.#inbox = new Inbox(this.#station, settings);
    this.#link = new Link(
      { ...settings.link, sn: settings.sn, protocol: settings.protocol },
      {
        opened: () => this.#opened(),
        closed: () => this.#closed(),
        refused: () => this.#refused(),
        text: (text) => this.#receive(text),
      },
      this.#station.timers,
      this.#station.random('reconnects'),
    );
  }

  get sn(): string {
    return this.#station.identity.sn;
  }

  get firmwareVersion(): string {
    return this.#station.identity.firmwareVersion;
  }

  /** The socket is open. */
  get connected(): boolean {
    return this.#link.open;
  }

  /** The socket is open and the central system has accepted the BootNotification. */
  get accepted(): boolean {
    return this.connected && this.#station.registration === 'Accepted';
  }

  /** A transaction is running at one connector at least. */
  get charging(): boolean {
    return this.#station.charging;
  }

  /** One connector at least is Faulted. */
  get faulted(): boolean {
    return this.#station.connectors.some((connector) => statusOf(connector) === 'Faulted');
  }

  /** How many connectors a car can be plugged into. */
  get connectorCount(): number {
    return this.#station.outlets.length;
  }

  /** How many CALLs wait to be sent or answered. */
  get queued(): number {
    return this.#station.outbox.length;
  }

  /** How many CALLs of each action have been received, answered or not. */
  get receivedCalls(): Readonly<Record<string, number>> {
    return this.#inbox.counts;
  }

  /** The certificate that it took last, with those behind it, in PEM. */
  get certificateChain(): string | null {
    return this.#station.certificate.chain;
  }

  /** The OCPP status of a connector, 0 for the charge point itself. */
  status(connector: number): ConnectorStatus {
    return statusOf(this.#connector(connector));
  }

  /** Switches the charge point on. Resolves when the first attempt to connect has ended, well or badly. */
  start(): Promise<void> {
    const attempted = new Promise<void>((resolve) => {
      this.#firstAttempt = resolve;
    });
    this.#link.connect();
    void this.#comeAlive();
    return attempted;
  }

  /** Resolves when the central system has accepted the charge point since its last boot. */
  whenAccepted(): Promise<void> {
    return this.#registration.whenAccepted();
  }

  /** Plugs a car in and shows a card. The car stays until unplugged. False when the connector is not Available. */
  plugIn(connector: number, idTag?: string): boolean {
    const place = this.#connector(connector);
    return plugIn(this.#station, place, slowDriver(this.#station, place, idTag));
  }

  /** Unplugs the car; a running transaction ends with EVDisconnected. False when there is no car. */
  unplug(connector: number): boolean {
    return unplug(this.#station, this.#connector(connector));
  }

  /** The driver ends the charge with his card; the car stays plugged in. False when no transaction runs. */
  stopCharging(connector: number): boolean {
    return stopTransaction(this.#station, this.#connector(connector), 'Local');
  }

  /** A fault appears at a connector (0: the charge point itself), in place of another one. */
  fault(connector: number, errorCode: ErrorCode, vendorErrorCode?: string): void {
    raiseFault(this.#station, this.#connector(connector), makeFault(errorCode, false, vendorErrorCode));
  }

  /** As `fault`, but the connector goes on working and only carries the error code. */
  warn(connector: number, errorCode: ErrorCode, vendorErrorCode?: string): void {
    raiseFault(this.#station, this.#connector(connector), makeFault(errorCode, true, vendorErrorCode));
  }

  /** The fault or warning is gone. False when there was none. */
  clearFault(connector: number): boolean {
    return clearFault(this.#station, this.#connector(connector));
  }

  /** Cuts the socket without a close frame; the charge point reconnects after its usual delay. */
  drop(): void {
    this.#link.cut(true);
  }

  /** Cuts the socket without a close frame and reconnects after `ms`. */
  goOffline(ms: number): void {
    this.#link.cut(false);
    this.#station.timers.after(ms, () => {
      if (!this.#station.rebooting && !this.#stopped) this.#link.connect();
    });
  }

  /** Answers every CALL after so many milliseconds; null: as configured. What is asked for is done with the answer. */
  answerSlowly(ms: number | null): void {
    this.#inbox.delayMs = ms;
  }

  /** Refuses the next CALL of this action. Called twice, the next two. */
  refuseNext(action: string): void {
    this.#inbox.refuseNext.push(action);
  }

  /** Neither answers nor obeys any CALL of this action; `never` false ends that. */
  neverAnswer(action: string, never = true): void {
    if (never) this.#inbox.neverAnswer.add(action);
    else this.#inbox.neverAnswer.delete(action);
  }

  /** Tells of each CALL when it comes in. Returns a function that ends that. */
  onCall(listener: (call: ReceivedCall) => void): () => void {
    this.#inbox.listeners.add(listener);
    return () => this.#inbox.listeners.delete(listener);
  }

  /** Sets the charge point's clock ahead (or, negative, back) of the true time. */
  setClockSkew(ms: number): void {
    this.#station.clockSkewMs = ms;
  }

  /** Switches the charge point off in order: transactions end, their messages are sent if that is possible, the socket closes. */
  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    for (const connector of this.#station.outlets) stopTransaction(this.#station, connector, 'Reboot');
    await this.#lastWords(LAST_WORDS_MS.stop);
    await this.#link.close(1001, 'charge point switched off');
    this.#station.timers.end();
  }

  /** Life begins with the first acceptance, so that it does not depend on how long the connecting takes. */
  async #comeAlive(): Promise<void> {
    const { rates, speed } = this.#settings;
    await this.whenAccepted();
    if (!this.#stopped) startBehaviour(this.#station, rates, (seconds) => this.goOffline((seconds * 1000) / speed));
  }

  #connector(id: number): Connector {
    const connector = this.#station.connector(id);
    if (connector === undefined) throw new RangeError(`${this.sn} has no connector ${id}`);
    return connector;
  }

  #opened(): void {
    this.#connections++;
    this.#settings.stats.connects++;
    this.#registration.connected();
    this.#firstAttempt?.();
  }

  #closed(): void {
    this.#settings.stats.disconnects++;
    this.#registration.disconnected();
  }

  #refused(): void {
    this.#settings.stats.refusedConnects++;
    this.#firstAttempt?.();
  }

  #receive(text: string): void {
    const frame = readFrame(text);
    const { stats } = this.#settings;
    switch (frame.kind) {
      case 'call':
        this.#take(frame);
        break;
      case 'result':
        this.#link.proven();
        if (!this.#station.outbox.settle(frame.id, { ok: true, payload: frame.payload })) stats.strayFrames++;
        break;
      case 'error':
        if (!this.#station.outbox.settle(frame.id, { ok: false, error: frame.code })) stats.strayFrames++;
        break;
      case 'malformed':
        stats.strayFrames++;
        this.#link.send(errorText(frame.id, 'FormationViolation', frame.reason));
        break;
      case 'ignored':
        stats.strayFrames++;
    }
  }

  #take(call: ReceivedCall): void {
    this.#settings.stats.received++;
    const connection = this.#connections;
    this.#inbox.take(call, (text) => {
      if (connection === this.#connections) this.#link.send(text);
    });
  }

  #reboot(type: 'Hard' | 'Soft'): void {
    const station = this.#station;
    if (station.rebooting || this.#stopped) return;
    station.rebooting = true;
    // A hard reset leaves no time to report the end of a transaction: that is done after the boot (section 5.14).
    if (type === 'Hard') station.outbox.setAccepted(false);
    for (const connector of station.outlets) stopTransaction(station, connector, `${type}Reset`);
    const goDown = async (): Promise<void> => {
      if (type === 'Soft') await this.#lastWords(LAST_WORDS_MS.restart);
      await this.#link.close(1001, `${type.toLowerCase()} reset`);
      this.#registration.restarted();
      for (const connector of station.connectors) connector.reported = null;
      station.timers.afterBehaviour(RESTART_SECONDS[type], () => {
        station.rebooting = false;
        if (!this.#stopped) this.#link.connect();
      });
    };
    void goDown();
  }

  /** Resolves when nothing is left to say, or the time for it is over. */
  #lastWords(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timeout = this.#station.timers.after(timeoutMs, resolve);
      this.#station.outbox.whenIdle(() => {
        this.#station.timers.cancel(timeout);
        resolve();
      });
    });
  }
}
