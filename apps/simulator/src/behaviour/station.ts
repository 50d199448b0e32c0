import type { KeyObject } from 'node:crypto';
import type { Trust } from '../files.ts';
import { drawIdentity, type Identity } from '../identity/identity.ts';
import { Configuration } from '../ocpp16/configuration.ts';
import { type Connector, newConnector, reportable, statusNotification } from '../ocpp16/connector.ts';
import { Ocpp201Outbox } from '../ocpp201/outbox.ts';
import { Outbox } from '../wire/outbox.ts';
import { Random } from './random.ts';
import type { FleetStats } from './stats.ts';
import { Timers } from './timers.ts';

/** Versions of OCPP that a charge point can speak. */
export type Protocol = '1.6' | '2.0.1' | '2.1';

/** What distinguishes one charge point of a fleet, and what it shares with the others. */
export interface StationSettings {
  sn: string;
  seed: string | number;
  protocol: Protocol;
  speed: number;
  stats: FleetStats;
  callTimeoutMs: number;
  /** Overrules the model's number of connectors. */
  connectors?: number;
  /** `MeterValueSampleInterval` at first, in seconds. */
  meterInterval?: number;
  /** A heartbeat interval in seconds that stands above the one of BootNotification.conf. */
  heartbeat?: number;
  /** How long after a BootNotification without a proper answer the next one follows. */
  bootRetryMs: number;
  /** Whom it trusts when it fetches and brings files; nobody but well-known authorities when left out. */
  trust?: Trust;
  /** Whether drivers come and go by themselves. */
  lively: boolean;
  /** Whether it asks for a certificate after each boot. */
  renewCertificates?: boolean;
}

/**
 * What a charge point has of its certificate for the connection to the central system: in its memory, not on its
 * connection.
 */
interface OwnCertificate {
  /** the key of the request that waits for its certificate */
  requested: KeyObject | null;
  /** the chain that was taken last, in PEM */
  chain: string | null;
}

/** How far BootNotification has got (OCPP 1.6 section 4.2). `none`: not answered since the last boot. */
export type RegistrationStatus = 'none' | 'Accepted' | 'Pending' | 'Rejected';

/** What the station cannot do by itself: the parts above it lend it these. */
export interface StationEdges {
  transmit(text: string): void;
  /** Restarts the charge point. Hard: at once; soft: when all is said. */
  reboot(type: 'Hard' | 'Soft'): void;
  /** Sends a BootNotification without a restart. */
  sendBootNotification(): void;
  /** Counts anew to the next heartbeat. */
  restartHeartbeat(): void;
}

/** The state of one charge point, and the few things every part of it does: know the time, send, report a status. */
export class Station {
  readonly settings: StationSettings;
  readonly identity: Identity;
  readonly configuration: Configuration;
  readonly timers: Timers;
  readonly outbox: Outbox;
  readonly edges: StationEdges;
  /** Connector 0 first. */
  readonly connectors: Connector[];
  registration: RegistrationStatus = 'none';
  rebooting = false;
  /** How much the charge point's clock is ahead of the true time. */
  clockSkewMs = 0;
  firmwareStatus = 'Idle';
  /** number of the last update when that is a signed one, which its reports repeat */
  signedUpdate: number | null = null;
  diagnosticsStatus = 'Idle';
  readonly certificate: OwnCertificate = { requested: null, chain: null };
  localListVersion = 0;
  readonly localList = new Map<string, string>();
  readonly #randoms = new Map<string, Random>();
  readonly #idPrefix = Date.now().toString(36);
  #calls = 0;

  constructor(settings: StationSettings, edges: StationEdges) {
    this.settings = settings;
    this.edges = edges;
    this.identity = drawIdentity(settings.sn, this.random('identity'), settings.connectors);
    const { outlets } = this.identity;
    this.configuration = new Configuration({
      NumberOfConnectors: outlets.length,
      MeterValueSampleInterval: settings.meterInterval ?? 60,
      HeartbeatInterval: settings.heartbeat ?? 300,
    });
    this.timers = new Timers(settings.speed);
    const Voice = settings.protocol === '1.6' ? Outbox : Ocpp201Outbox;
    this.outbox = new Voice(
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
    const meter = this.random('meter');
    this.connectors = [
      newConnector(0, first, 0),
      ...outlets.map((outlet, index) => newConnector(index + 1, outlet, meter.integer(2_000, 9_000_000))),
    ];
  }

  /** The random stream of one concern: what one concern draws never changes what another one gets. */
  random(concern: string): Random {
    let random = this.#randoms.get(concern);
    if (random === undefined) {
      random = new Random(this.settings.seed, this.settings.sn, concern);
      this.#randoms.set(concern, random);
    }
    return random;
  }

  /** The connector with this number, 0 for the charge point itself. */
  connector(id: number): Connector | undefined {
    return this.connectors[id];
  }

  /** The connectors a car can be plugged into: all but 0. */
  get outlets(): Connector[] {
    return this.connectors.slice(1);
  }

  get charging(): boolean {
    return this.connectors.some((connector) => connector.session?.transaction != null);
  }

  /** The charge point's own idea of the time, ISO-8601. */
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

  /** Sends the status of every connector, or only of those the central system does not know the present status of. */
  sendStatuses(which: 'all' | 'changed'): void {
    for (const connector of this.connectors) {
      if (which === 'all' || connector.reported !== reportable(connector)) this.sendStatus(connector);
    }
  }

  /** Unique over all connections of this charge point, and over runs of this program (OCPP-J 1.6 section 4.1.4). */
  #nextId(): string {
    this.#calls++;
    return `${this.#idPrefix}-${this.#calls}`;
  }
}
