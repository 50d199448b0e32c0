import type { KeyObject } from 'node:crypto';
import type { Trust } from '../files.ts';
import { drawIdentity, type Identity } from '../identity/identity.ts';
import { Configuration } from '../ocpp16/configuration.ts';
import { type Connector, newConnector, reportable, statusNotification, statusOf } from '../ocpp16/connector.ts';
import { Ocpp201Outbox } from '../ocpp201/outbox.ts';
import { RemoteLinks } from '../remote/links.ts';
import { Outbox } from '../wire/outbox.ts';
import { Random } from './random.ts';
import type { FleetStats } from './stats.ts';
import { Timers } from './timers.ts';

/** The OCPP versions of a charge point. */
export type Protocol = '1.6' | '2.0.1' | '2.1';

/** The settings of one charge point: its own and those it shares with the fleet. */
export interface StationSettings {
  sn: string;
  seed: string | number;
  protocol: Protocol;
  speed: number;
  stats: FleetStats;
  callTimeoutMs: number;
  /** Overrides the model's number of connectors. */
  connectors?: number;
  /** Initial `MeterValueSampleInterval`, in seconds. */
  meterInterval?: number;
  /** Heartbeat interval in seconds; overrides the one of BootNotification.conf. */
  heartbeat?: number;
  /** The delay before BootNotification is repeated after a missing or invalid response. */
  bootRetryMs: number;
  /** Certificate authorities for file transfers; default: the well-known ones. */
  trust?: Trust;
  /** Whether drivers come and go automatically. */
  active: boolean;
  /** Whether it requests a certificate after each boot. */
  renewCertificates?: boolean;
  /** What it had before it was started here. */
  resume?: StationResume | undefined;
}

/** What a charge point keeps while it is switched off. */
export interface StationResume {
  /** the energy registers of its connectors, from connector 1 */
  registersWh?: readonly number[] | undefined;
  firmwareVersion?: string | undefined;
}

/** The certificate of a charge point: stored in memory, not used on its connection. */
interface OwnCertificate {
  /** the key of the pending certificate request */
  requested: KeyObject | null;
  /** the chain that was accepted last, in PEM */
  chain: string | null;
}

/** The state of BootNotification (OCPP 1.6 section 4.2). `none`: no response since the last boot. */
export type RegistrationStatus = 'none' | 'Accepted' | 'Pending' | 'Rejected';

/** Functions that the station needs from the parts above it. */
export interface StationEdges {
  transmit(text: string): void;
  /** Restarts the charge point. Hard: immediately; soft: when all messages are sent. */
  reboot(type: 'Hard' | 'Soft'): void;
  /** Sends a BootNotification without a restart. */
  sendBootNotification(): void;
  /** Restarts the heartbeat interval. */
  restartHeartbeat(): void;
}

/** The state of one charge point, and what all its parts need: the time, sending messages, reporting a status. */
export class Station {
  readonly settings: StationSettings;
  readonly identity: Identity;
  readonly configuration: Configuration;
  readonly timers: Timers;
  readonly outbox: Outbox;
  readonly edges: StationEdges;
  /** Connector 0 is the first. */
  readonly connectors: Connector[];
  registration: RegistrationStatus = 'none';
  rebooting = false;
  /** How far the charge point's clock is ahead of the true time. */
  clockSkewMs = 0;
  firmwareStatus = 'Idle';
  /** number of the last update if it is a signed one; its reports repeat the number */
  signedUpdate: number | null = null;
  diagnosticsStatus = 'Idle';
  readonly certificate: OwnCertificate = { requested: null, chain: null };
  localListVersion = 0;
  readonly localList = new Map<string, string>();
  readonly remoteLinks: RemoteLinks;
  readonly #randoms = new Map<string, Random>();
  readonly #idPrefix = Date.now().toString(36);
  #calls = 0;

  constructor(settings: StationSettings, edges: StationEdges) {
    this.settings = settings;
    this.edges = edges;
    const { registersWh = [], firmwareVersion } = settings.resume ?? {};
    const drawn = drawIdentity(settings.sn, this.random('identity'), settings.connectors);
    this.identity = firmwareVersion ? { ...drawn, firmwareVersion } : drawn;
    const { outlets } = this.identity;
    this.configuration = new Configuration({
      NumberOfConnectors: outlets.length,
      MeterValueSampleInterval: settings.meterInterval ?? 60,
      HeartbeatInterval: settings.heartbeat ?? 300,
    });
    this.timers = new Timers(settings.speed);
    const OutboxClass = settings.protocol === '1.6' ? Outbox : Ocpp201Outbox;
    this.outbox = new OutboxClass(
      {
        transmit: (text) => edges.transmit(text),
        nextId: () => this.#nextId(),
        attempts: () => this.configuration.integer('TransactionMessageAttempts'),
        retryInterval: () => this.configuration.integer('TransactionMessageRetryInterval'),
      },
      this.timers,
      settings.stats,
      settings.callTimeoutMs,
    );
    const first = outlets[0];
    if (first === undefined) throw new RangeError('a charge point has at least one connector');
    this.remoteLinks = new RemoteLinks({
      sn: settings.sn,
      model: `${this.identity.vendor} ${this.identity.model}`,
      firmware: () => this.identity.firmwareVersion,
      status: () =>
        this.outlets.flatMap((outlet): [string, string][] => [
          [`Connector ${outlet.id}`, statusOf(outlet)],
          [`Energy ${outlet.id}`, `${(outlet.registerWh / 1_000).toFixed(3)} kWh`],
        ]),
      reboot: () => edges.reboot('Hard'),
    });
    const meter = this.random('meter');
    this.connectors = [
      newConnector(0, first, 0),
      ...outlets.map((outlet, index) => {
        const registerWh = meter.integer(2_000, 9_000_000);
        return newConnector(index + 1, outlet, registersWh[index] ?? registerWh);
      }),
    ];
  }

  /** The random stream of one concern. Drawing from one stream does not affect the others. */
  random(concern: string): Random {
    let random = this.#randoms.get(concern);
    if (random === undefined) {
      random = new Random(this.settings.seed, this.settings.sn, concern);
      this.#randoms.set(concern, random);
    }
    return random;
  }

  /** The connector with this number; 0 is the charge point itself. */
  connector(id: number): Connector | undefined {
    return this.connectors[id];
  }

  /** The connectors a vehicle can be plugged into: all except 0. */
  get outlets(): Connector[] {
    return this.connectors.slice(1);
  }

  get charging(): boolean {
    return this.connectors.some((connector) => connector.session?.transaction != null);
  }

  /** The time of the charge point's clock, ISO-8601. */
  timestamp(): string {
    return new Date(Date.now() + this.clockSkewMs).toISOString();
  }

  /** Sends the status of a connector. `early`: even before the central system has accepted this charge point. */
  sendStatus(connector: Connector, kind: 'ordinary' | 'early' = 'ordinary'): void {
    const reported = reportable(connector);
    const payload = statusNotification(connector, this.identity.vendor, this.timestamp());
    this.outbox.add(
      'StatusNotification',
      kind,
      () => payload,
      (reply) => {
        if (reply.ok) connector.reported = reported;
      },
    );
  }

  /** Sends the status of every connector, or only of those whose current status the central system does not know. */
  sendStatuses(which: 'all' | 'changed'): void {
    for (const connector of this.connectors) {
      if (which === 'all' || connector.reported !== reportable(connector)) this.sendStatus(connector);
    }
  }

  /** Unique over all connections of this charge point and all runs of this program (OCPP-J 1.6 section 4.1.4). */
  #nextId(): string {
    this.#calls++;
    return `${this.#idPrefix}-${this.#calls}`;
  }
}
