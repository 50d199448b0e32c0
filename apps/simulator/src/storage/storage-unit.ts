import { connect, type MqttClient } from 'mqtt';
import { Random } from '../behaviour/random.ts';
import { RemoteLinks } from '../remote/links.ts';
import { newStorageState, type StorageSettings, type StorageState, stepStorage } from './battery.ts';
import {
  CONTROLS,
  decodeCommand,
  encodeMetrics,
  FAULTS,
  measures,
  SETTINGS,
  settingsOf,
  type UnitMetric,
} from './metrics.ts';
import { fetchFirmware, sendLog, type TransferCommand } from './transfers.ts';

/** The identity and behavior of a storage unit. */
export interface StorageUnitSettings {
  /** `mqtt://` or `mqtts://` address of the broker */
  url: string;
  sn: string;
  password: string;
  group: string;
  seed: string | number;
  /** simulated seconds per real second */
  speed: number;
  /** mean simulated minutes between two faults; 0: never */
  faultEvery: number;
  /** mean simulated minutes between two lost connections; 0: never */
  disconnectEvery: number;
  /** accept any certificate */
  insecure: boolean;
  /** initial seconds between two reports, overrides the unit's default; real time */
  reportInterval?: number;
  resume?: StorageResume | undefined;
}

/** What storage units keep while they are switched off. */
export interface StorageResume {
  /** by SN */
  states: Readonly<Record<string, Partial<StorageState>>>;
  /** local time minus UTC: their sun follows the time of day instead of a random one */
  zoneOffsetMs: number;
}

const TICK_MS = 1_000;
const REBOOT_MS = 1_500;
/** A fault clears after this many simulated minutes. */
const FAULT_MINUTES = 3;

/** A home storage unit with Sparkplug B 3.0: births, deaths by will, report by exception, commands. */
export class StorageUnit {
  readonly sn: string;
  /** received commands, by the name of the metric */
  readonly received: Record<string, number> = {};
  readonly #settings: StorageUnitSettings;
  readonly #random: Random;
  readonly #links: RemoteLinks;
  readonly #values = new Map(SETTINGS.map((one) => [one.name, one.value]));
  #state: StorageState;
  #client: MqttClient | null = null;
  /** the connection of its last birth; nothing is sent before */
  #bornOn: MqttClient | null = null;
  #bdSeq = -1;
  #seq = 0;
  #reported = new Map<string, unknown>();
  #firmware = '1.4.2';
  #plcFirmware = '3.1.0';
  #firmwareStatus = 'Idle';
  #logStatus = 'Idle';
  #requestId = '';
  #answer = '';
  #minutes: number;
  #faultAt: number;
  #faultUntil = 0;
  #lossAt: number;
  #sinceReport = 0;
  #timer: NodeJS.Timeout | null = null;
  #reboot: NodeJS.Timeout | null = null;
  #stopping = false;
  readonly #ended = new AbortController();

  constructor(settings: StorageUnitSettings) {
    this.sn = settings.sn;
    this.#settings = settings;
    this.#random = new Random(settings.seed, settings.sn, 'storage');
    this.#state = newStorageState(this.#random);
    this.#minutes = this.#random.between(0, 24 * 60);
    const known = settings.resume?.states[settings.sn];
    if (settings.resume && known) {
      this.#state = { ...this.#state, ...known };
      this.#minutes = ((Date.now() + settings.resume.zoneOffsetMs) / 60_000) % (24 * 60);
    }
    this.#faultAt = this.#next(settings.faultEvery);
    this.#lossAt = this.#next(settings.disconnectEvery);
    this.#links = new RemoteLinks({
      sn: settings.sn,
      model: 'HomeStore 10',
      firmware: () => this.#firmware,
      status: () => [
        ['State of charge', `${this.#state.soc.toFixed(1)} %`],
        ['Power', `${this.#state.power.toFixed(2)} kW`],
        ['Temperature', `${this.#state.temperature.toFixed(1)} °C`],
        ['Fault', String(this.#state.fault)],
      ],
      reboot: () => void this.#restart(),
    });
    if (settings.reportInterval) this.#values.set('Settings/Report Interval', settings.reportInterval);
  }

  get connected(): boolean {
    return this.#client?.connected ?? false;
  }

  get faulted(): boolean {
    return this.#state.fault !== 0;
  }

  start(): void {
    this.#connect();
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#ended.abort();
    this.#links.closeAll();
    if (this.#timer) clearInterval(this.#timer);
    if (this.#reboot) clearTimeout(this.#reboot);
    await this.#leave();
  }

  /** Raises a fault by its code; 0 ends it. */
  fault(code: number): void {
    this.#state = { ...this.#state, fault: code };
    this.#faultUntil = code === 0 ? 0 : Number.POSITIVE_INFINITY;
    this.#report();
  }

  /** Cuts the connection without DISCONNECT, so that the broker publishes the will. */
  lose(): void {
    this.#client?.stream.destroy();
  }

  #next(meanMinutes: number): number {
    return meanMinutes > 0 ? this.#minutes + this.#random.exponential(meanMinutes) : Number.POSITIVE_INFINITY;
  }

  #topic(type: string): string {
    return `spBv1.0/${this.#settings.group}/${type}/${this.sn}`;
  }

  #connect(): void {
    const { url, password, insecure } = this.#settings;
    this.#bdSeq = (this.#bdSeq + 1) % 256;
    const client = connect(url, {
      ...{ username: this.sn, password, clientId: this.sn, protocolVersion: 4, clean: true, keepalive: 30 },
      ...{ reconnectPeriod: 0, rejectUnauthorized: !insecure, queueQoSZero: false },
      will: { topic: this.#topic('NDEATH'), payload: this.#death(), qos: 1, retain: false },
    });
    this.#client = client;
    // Rejected or unreachable: the next attempt follows the close event.
    client.on('error', () => undefined);
    client.on('connect', () => {
      client.subscribe(this.#topic('NCMD'), { qos: 1 }, (error) => {
        if (!error && this.#client === client) this.#birth();
      });
    });
    client.on('message', (_topic, bytes) => this.#command(bytes));
    client.once('close', () => {
      if (this.#client !== client) return;
      this.#client = null;
      client.end(true);
      this.#reconnectAfter(this.#random.between(1_000, 5_000));
    });
  }

  #reconnectAfter(delay: number): void {
    if (this.#stopping) return;
    this.#reboot = setTimeout(() => this.#connect(), delay);
  }

  #death(): Buffer {
    return encodeMetrics([], { bdSeq: this.#bdSeq, birth: true });
  }

  /** Disconnects as the standard requires: first its own death message, then DISCONNECT. */
  async #leave(): Promise<void> {
    const client = this.#client;
    this.#client = null;
    if (!client) return;
    if (client.connected) {
      const closed = new Promise<void>((resolve) => client.once('close', () => resolve()));
      // If the connection breaks before, the broker publishes the same message as will.
      const answered = new Promise<void>((resolve) =>
        client.publish(this.#topic('NDEATH'), this.#death(), { qos: 1 }, () => resolve()),
      );
      await Promise.race([answered, closed]);
    }
    await client.endAsync(!client.connected);
  }

  #metrics(): (UnitMetric & { alias: number })[] {
    const versions = { firmware: this.#firmware, plcFirmware: this.#plcFirmware };
    const unit = { sn: this.sn, ...versions, firmwareStatus: this.#firmwareStatus };
    const controls = CONTROLS.map((one) =>
      one.name === 'Node Control/Answer' ? { ...one, value: this.#answer } : one,
    );
    const settings = SETTINGS.map(({ name, type, unit: unitName, value }) => ({
      ...{ name, type, value: this.#values.get(name) ?? value },
      ...(unitName ? { unit: unitName } : {}),
    }));
    const all = [
      ...controls,
      ...measures(this.#state, { ...unit, logStatus: this.#logStatus, requestId: this.#requestId }),
      ...settings,
    ];
    return all.map((one, index) => ({ ...one, alias: index + 1 }));
  }

  #birth(): void {
    const metrics = this.#metrics();
    this.#bornOn = this.#client;
    this.#seq = 0;
    this.#reported = new Map(metrics.map(({ name, value }) => [name, value]));
    this.#publish('NBIRTH', encodeMetrics(metrics, { seq: 0, bdSeq: this.#bdSeq, birth: true }));
  }

  /** Reports metrics that changed since the last report, and the named ones. Nothing is reported before the birth. */
  #report(...named: string[]): void {
    if (this.#bornOn !== this.#client) return;
    const changed = this.#metrics().filter(
      ({ name, value }) => this.#reported.get(name) !== value || named.includes(name),
    );
    if (changed.length === 0 || !this.connected) return;
    for (const { name, value } of changed) this.#reported.set(name, value);
    this.#seq = (this.#seq + 1) % 256;
    this.#publish('NDATA', encodeMetrics(changed, { seq: this.#seq, birth: false }));
  }

  #publish(type: string, payload: Buffer): void {
    if (this.connected) this.#client?.publish(this.#topic(type), payload, { qos: 0 });
  }

  #tick(): void {
    const { speed, faultEvery, disconnectEvery } = this.#settings;
    this.#minutes += speed / 60;
    const at = { seconds: speed, hour: (this.#minutes / 60) % 24, random: this.#random };
    this.#state = stepStorage(this.#state, this.#present(), at);
    if (this.#minutes >= this.#faultAt) {
      this.#state = { ...this.#state, fault: this.#random.pick(FAULTS) };
      this.#faultUntil = this.#minutes + FAULT_MINUTES;
      this.#faultAt = this.#next(faultEvery);
      this.#report();
    } else if (this.faulted && this.#minutes >= this.#faultUntil) {
      this.#state = { ...this.#state, fault: 0 };
      this.#report();
    }
    if (this.#minutes >= this.#lossAt) {
      this.#lossAt = this.#next(disconnectEvery);
      this.lose();
    }
    this.#sinceReport += TICK_MS / 1_000;
    if (this.#sinceReport < Number(this.#values.get('Settings/Report Interval'))) return;
    this.#sinceReport = 0;
    this.#report();
  }

  #present(): StorageSettings {
    return settingsOf((name) => this.#values.get(name));
  }

  #command(bytes: Buffer): void {
    const commands = decodeCommand(bytes);
    for (const { name, value } of commands) {
      this.received[name] = (this.received[name] ?? 0) + 1;
      if (name.startsWith('Settings/')) this.#set(name, value);
      else if (name === 'Node Control/Rebirth') this.#birth();
      else if (name === 'Node Control/Reboot') void this.#restart();
      else if (name === 'Node Control/Enabled') {
        this.#state = { ...this.#state, enabled: value === true };
        this.#report(name);
      } else if (typeof value === 'string' && name !== 'Node Control/Command Id') this.#act(name, value);
    }
  }

  /** Applies a valid setting, and reports the current value. */
  #set(name: string, value: number | boolean | string): void {
    const setting = SETTINGS.find((one) => one.name === name);
    if (!setting) return;
    const { low = Number.NEGATIVE_INFINITY, high = Number.POSITIVE_INFINITY } = setting;
    if (typeof value === typeof setting.value && !(Number(value) < low || Number(value) > high))
      this.#values.set(name, value);
    this.#report(name);
  }

  #act(name: string, text: string): void {
    let command: TransferCommand;
    try {
      command = JSON.parse(text) as TransferCommand;
    } catch {
      // No response is possible.
      return;
    }
    const known = ['RestartCcu', 'UpgradeSoftware', 'UpdatePlcFirmware', 'UploadLog', 'StartVpn', 'StopVpn'].find(
      (kind) => name.endsWith(kind),
    );
    const refusal = known === 'StartVpn' ? this.#links.refusal(command) : null;
    const status = !known ? 'notSupported' : refusal === null ? 'accepted' : 'rejected';
    this.#answer = JSON.stringify({ id: command.id, status, ...(refusal === null ? {} : { detail: refusal }) });
    this.#report('Node Control/Answer');
    if (known === 'RestartCcu') void this.#restart();
    else if (known === 'UploadLog') void this.#uploadLog(command);
    else if (known === 'StartVpn') void this.#links.open(command);
    else if (known === 'StopVpn') this.#links.close(command);
    else if (known === 'UpdatePlcFirmware') void this.#updatePlc(command);
    else if (known) void this.#upgrade(command);
  }

  async #restart(): Promise<void> {
    await this.#leave();
    this.#reconnectAfter(REBOOT_MS);
  }

  async #upgrade(command: TransferCommand): Promise<void> {
    if (!(await this.#fetch(command))) return;
    this.#firmware = command.version ?? this.#firmware;
    this.#firmwareStatus = 'Installed';
    await this.#restart();
  }

  /** The PLC installs its firmware without a restart of the unit. */
  async #updatePlc(command: TransferCommand): Promise<void> {
    if (!(await this.#fetch(command))) return;
    this.#plcFirmware = command.version ?? this.#plcFirmware;
    this.#progress('Installed');
  }

  /** True when the whole file has arrived and the installation has started. */
  async #fetch(command: TransferCommand): Promise<boolean> {
    this.#requestId = String(command.requestId ?? '');
    this.#progress('Downloading');
    const complete = await fetchFirmware(command, this.#way());
    this.#progress(complete ? 'Downloaded' : 'DownloadFailed');
    if (complete) this.#progress('Installing');
    return complete;
  }

  /** The transport of files. */
  #way() {
    return { trust: { insecure: this.#settings.insecure }, signal: this.#ended.signal };
  }

  #progress(status: string): void {
    this.#firmwareStatus = status;
    this.#report();
  }

  async #uploadLog(command: TransferCommand): Promise<void> {
    this.#requestId = String(command.requestId ?? '');
    this.#logStatus = 'Uploading';
    this.#report();
    const text = `${this.sn} ${this.#firmware}\n${JSON.stringify(this.#state)}\n`;
    this.#logStatus = (await sendLog(command, this.sn, text, this.#way())) ? 'Uploaded' : 'UploadFailed';
    this.#report();
  }
}
