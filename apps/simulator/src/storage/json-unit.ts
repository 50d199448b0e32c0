import { connect, type MqttClient } from 'mqtt';
import { Random } from '../behaviour/random.ts';
import { RemoteLinks } from '../remote/links.ts';
import { newStorageState, type StorageState, stepStorage } from './battery.ts';
import { activityOf, measures, SETTINGS, settingsOf } from './metrics.ts';
import type { StorageUnitSettings } from './storage-unit.ts';

const TICK_MS = 1_000;
const REPORT_TICKS = 10;
const RECONNECT_MS = 1_500;
const FIRMWARE = '1.4.2';
const STATES = ['idle', 'charging', 'discharging', 'fault'];
/** The quantities that it reports. */
const QUANTITY = /^(Battery|Grid|Load|PV|Inverter)\/(?!State$|Fault$)/;

interface Command {
  id: string;
  command: string;
  params?: unknown;
}

type Answer = { status: 'accepted' | 'rejected' | 'notSupported' | 'unknownKey'; detail?: string };

/** A storage unit that sends plain JSON over MQTT: status, telemetry, parameters, a few commands, and links. */
export class JsonUnit {
  readonly sn: string;
  readonly #settings: StorageUnitSettings;
  readonly #random: Random;
  readonly #links: RemoteLinks;
  readonly #values = new Map(SETTINGS.map(({ name, value }) => [name, value]));
  #state: StorageState;
  #client: MqttClient | null = null;
  #ticks = 0;
  #timer: NodeJS.Timeout | null = null;
  #retry: NodeJS.Timeout | null = null;
  #stopping = false;

  constructor(settings: StorageUnitSettings) {
    this.sn = settings.sn;
    this.#settings = settings;
    this.#random = new Random(settings.seed, settings.sn, 'json');
    this.#state = newStorageState(this.#random);
    this.#links = new RemoteLinks({
      ...{ sn: this.sn, model: 'HomeStore 10', firmware: () => FIRMWARE },
      status: () => [
        ['State of charge', `${this.#state.soc.toFixed(1)} %`],
        ['Power', `${this.#state.power.toFixed(2)} kW`],
      ],
      reboot: () => void this.#leave(),
    });
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
    this.#links.closeAll();
    if (this.#timer) clearInterval(this.#timer);
    if (this.#retry) clearTimeout(this.#retry);
    await this.#leave();
  }

  #topic(leaf: string): string {
    return `chargehand/${this.sn}/${leaf}`;
  }

  #connect(): void {
    const { url, password, insecure } = this.#settings;
    const client = connect(url, {
      ...{ username: this.sn, password, clientId: this.sn, protocolVersion: 4, clean: true, keepalive: 30 },
      ...{ reconnectPeriod: 0, rejectUnauthorized: !insecure, queueQoSZero: false },
      will: { topic: this.#topic('status'), payload: Buffer.from('{"status":"offline"}'), qos: 1, retain: false },
    });
    this.#client = client;
    // Rejected or unreachable: the next attempt follows the close event.
    client.on('error', () => undefined);
    client.on('connect', () => {
      client.subscribe(this.#topic('command'), { qos: 1 }, (error) => {
        if (error || this.#client !== client) return;
        this.#say('status', { status: 'online', softVersion: FIRMWARE, state: STATES[activityOf(this.#state)] });
        this.#sendParameters();
        this.#report();
      });
    });
    client.on('message', (_topic, bytes) => this.#receive(bytes));
    client.once('close', () => {
      client.end(true);
      if (this.#client === client) this.#client = null;
      if (!this.#stopping) this.#retry = setTimeout(() => this.#connect(), RECONNECT_MS);
    });
  }

  #say(leaf: string, message: unknown): void {
    if (this.connected) this.#client?.publish(this.#topic(leaf), JSON.stringify(message), { qos: 1 });
  }

  #report(): void {
    const { sn } = this;
    const unit = { sn, firmware: FIRMWARE, plcFirmware: '', firmwareStatus: '', logStatus: '', requestId: '' };
    const values = measures(this.#state, unit)
      .filter(({ name }) => QUANTITY.test(name))
      .map(({ name, value, unit: unitName = '' }) => [name, { value, unit: unitName }]);
    this.#say('telemetry', { values: Object.fromEntries(values) });
  }

  #sendParameters(): void {
    this.#say('parameters', { complete: true, values: Object.fromEntries(this.#values) });
  }

  #tick(): void {
    const { speed } = this.#settings;
    const before = activityOf(this.#state);
    const present = settingsOf((name) => this.#values.get(name));
    const at = { seconds: speed, hour: new Date().getHours(), random: this.#random };
    this.#state = stepStorage(this.#state, present, at);
    const state = activityOf(this.#state);
    if (state !== before) this.#say('status', { status: 'online', state: STATES[state] });
    this.#ticks += 1;
    if (this.#ticks % REPORT_TICKS === 0) this.#report();
  }

  #receive(bytes: Buffer): void {
    let command: Command;
    try {
      command = JSON.parse(String(bytes)) as Command;
    } catch {
      // No answer is possible.
      return;
    }
    this.#say('answer', { id: command.id, ...this.#act(command) });
    if (command.command === 'startVpn') void this.#links.open(command.params);
    else if (command.command === 'stopVpn') this.#links.close(command.params);
    else if (command.command === 'softReset') void this.#leave();
  }

  #act({ command, params }: Command): Answer {
    switch (command) {
      case 'startVpn': {
        const detail = this.#links.refusal(params);
        return detail === null ? { status: 'accepted' } : { status: 'rejected', detail };
      }
      case 'stopVpn':
      case 'softReset':
        return { status: 'accepted' };
      case 'refreshParameters':
      case 'refreshConfiguration':
        this.#sendParameters();
        return { status: 'accepted' };
      case 'setParameter':
        return this.#set(params as { key: string; value: string });
      default:
        return { status: 'notSupported' };
    }
  }

  #set({ key, value }: { key: string; value: string }): Answer {
    const setting = SETTINGS.find(({ name }) => name === key);
    if (!setting) return { status: 'unknownKey' };
    const { low = Number.NEGATIVE_INFINITY, high = Number.POSITIVE_INFINITY } = setting;
    const isSwitch = typeof setting.value === 'boolean';
    if (isSwitch ? !['true', 'false'].includes(value) : !(Number(value) >= low && Number(value) <= high))
      return { status: 'rejected' };
    this.#values.set(key, isSwitch ? value === 'true' : Number(value));
    this.#sendParameters();
    return { status: 'accepted' };
  }

  /** Says that it disconnects, and disconnects. It connects again, unless it was stopped. */
  async #leave(): Promise<void> {
    const client = this.#client;
    if (!client) return;
    if (client.connected) {
      const closed = new Promise<void>((resolve) => client.once('close', () => resolve()));
      const reported = new Promise<void>((resolve) =>
        client.publish(this.#topic('status'), '{"status":"offline"}', { qos: 1 }, () => resolve()),
      );
      await Promise.race([reported, closed]);
    }
    await client.endAsync(!client.connected);
  }
}
