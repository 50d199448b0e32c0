import { type Rates, startBehaviour } from '../behaviour/behaviour.ts';
import { slowDriver } from '../behaviour/drivers.ts';
import { type ErrorCode, makeFault } from '../behaviour/faults.ts';
import { Station, type StationSettings } from '../behaviour/station.ts';
import { clearFault, raiseFault } from '../behaviour/trouble.ts';
import { Inbox, type InboxOptions, type ReceivedCall } from '../wire/inbox.ts';
import { Link, type LinkSettings } from '../wire/link.ts';
import { errorText, readFrame } from '../wire/wire.ts';
import { type Connector, type ConnectorStatus, statusOf } from './connector.ts';
import { Registration } from './registration.ts';
import { plugIn, stopTransaction, unplug } from './transactions/session.ts';

export interface ChargePointSettings extends StationSettings, InboxOptions {
  link: Omit<LinkSettings, 'sn' | 'protocol'>;
  rates: Rates;
}

/** Duration of a restart, in simulated seconds. */
const RESTART_SECONDS = { Soft: 4, Hard: 8 };
/**
 * How long a charge point waits for its queued messages: long before a restart, because an update whose `Installed` is
 * lost never completes for the central system; shorter when it is shut down.
 */
const FLUSH_TIMEOUT_MS = { restart: 20_000, stop: 3_000 };

/**
 * One simulated charge point: the protocol on one side, and on the other the control by a test or by its own behavior.
 */
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

  /** A transaction is in progress on at least one connector. */
  get charging(): boolean {
    return this.#station.charging;
  }

  /** At least one connector is Faulted. */
  get faulted(): boolean {
    return this.#station.connectors.some((connector) => statusOf(connector) === 'Faulted');
  }

  /** The number of connectors a vehicle can be plugged into. */
  get connectorCount(): number {
    return this.#station.outlets.length;
  }

  /** The number of CALLs that wait to be sent or for a response. */
  get queued(): number {
    return this.#station.outbox.length;
  }

  /** The number of CALLs received per action, with or without response. */
  get receivedCalls(): Readonly<Record<string, number>> {
    return this.#inbox.counts;
  }

  /** The certificate that it accepted last, with its chain, in PEM. */
  get certificateChain(): string | null {
    return this.#station.certificate.chain;
  }

  /** The OCPP status of a connector; 0 is the charge point itself. */
  status(connector: number): ConnectorStatus {
    return statusOf(this.#connector(connector));
  }

  /** Starts the charge point. Resolves when the first connection attempt has ended, successfully or not. */
  start(): Promise<void> {
    const attempted = new Promise<void>((resolve) => {
      this.#firstAttempt = resolve;
    });
    this.#link.connect();
    void this.#startWhenAccepted();
    return attempted;
  }

  /** Resolves when the central system has accepted the charge point since its last boot. */
  whenAccepted(): Promise<void> {
    return this.#registration.whenAccepted();
  }

  /**
   * Plugs in a vehicle and presents a card. The vehicle stays until it is unplugged. False when the connector is not
   * Available.
   */
  plugIn(connector: number, idTag?: string): boolean {
    const place = this.#connector(connector);
    return plugIn(this.#station, place, slowDriver(this.#station, place, idTag));
  }

  /** Unplugs the vehicle; a running transaction ends with EVDisconnected. False when there is no vehicle. */
  unplug(connector: number): boolean {
    return unplug(this.#station, this.#connector(connector));
  }

  /** The driver ends the session with their card; the vehicle stays plugged in. False when there is no transaction. */
  stopCharging(connector: number): boolean {
    return stopTransaction(this.#station, this.#connector(connector), 'Local');
  }

  /** Raises a fault on a connector (0: the charge point itself); replaces a previous one. */
  fault(connector: number, errorCode: ErrorCode, vendorErrorCode?: string): void {
    raiseFault(this.#station, this.#connector(connector), makeFault(errorCode, false, vendorErrorCode));
  }

  /** Like `fault`, but the connector keeps working and only reports the error code. */
  warn(connector: number, errorCode: ErrorCode, vendorErrorCode?: string): void {
    raiseFault(this.#station, this.#connector(connector), makeFault(errorCode, true, vendorErrorCode));
  }

  /** Clears the fault or warning. False when there was none. */
  clearFault(connector: number): boolean {
    return clearFault(this.#station, this.#connector(connector));
  }

  /** Cuts the socket without a close frame. The charge point reconnects after its usual delay. */
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

  /** Delays every response by this many milliseconds; null: as configured. CALLs are executed with the response. */
  answerSlowly(ms: number | null): void {
    this.#inbox.delayMs = ms;
  }

  /** Rejects the next CALL of this action. Two calls reject the next two. */
  refuseNext(action: string): void {
    this.#inbox.refuseNext.push(action);
  }

  /** Neither responds to nor executes CALLs of this action; `never` false resets this. */
  neverAnswer(action: string, never = true): void {
    if (never) this.#inbox.neverAnswer.add(action);
    else this.#inbox.neverAnswer.delete(action);
  }

  /** Calls the listener for each received CALL. Returns a function that removes it. */
  onCall(listener: (call: ReceivedCall) => void): () => void {
    this.#inbox.listeners.add(listener);
    return () => this.#inbox.listeners.delete(listener);
  }

  /** Sets the charge point's clock ahead of the true time (negative: behind). */
  setClockSkew(ms: number): void {
    this.#station.clockSkewMs = ms;
  }

  /** Shuts down the charge point in order: transactions end, their messages are sent if possible, the socket closes. */
  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#station.remoteLinks.closeAll();
    for (const connector of this.#station.outlets) stopTransaction(this.#station, connector, 'Reboot');
    await this.#flush(FLUSH_TIMEOUT_MS.stop);
    await this.#link.close(1001, 'charge point switched off');
    this.#station.timers.end();
  }

  /** Starts the behavior at the first acceptance, so that it does not depend on the time to connect. */
  async #startWhenAccepted(): Promise<void> {
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
    // A hard reset leaves no time to report the end of a transaction, so that follows after the boot (section 5.14).
    if (type === 'Hard') station.outbox.setAccepted(false);
    for (const connector of station.outlets) stopTransaction(station, connector, `${type}Reset`);
    const goDown = async (): Promise<void> => {
      if (type === 'Soft') await this.#flush(FLUSH_TIMEOUT_MS.restart);
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

  /** Resolves when no message is left, or on timeout. */
  #flush(timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const timeout = this.#station.timers.after(timeoutMs, resolve);
      this.#station.outbox.whenIdle(() => {
        this.#station.timers.cancel(timeout);
        resolve();
      });
    });
  }
}
