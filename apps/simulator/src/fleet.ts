import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSecureContext } from 'node:tls';
import type { Protocol, StationResume } from './behaviour/station.ts';
import { type FleetStats, newStats } from './behaviour/stats.ts';
import { ChargePoint, type ChargePointSettings } from './ocpp16/charge-point.ts';

/** The size and behavior of a fleet. By default nothing happens automatically. */
export interface FleetOptions {
  /** `ws://` or `wss://` address of the central system, without the SN. */
  url: string;
  devices: number;
  /** SNs are this prefix and a five-digit number starting at 1. Default `SIM`. */
  prefix?: string;
  /** The same seed gives the same charge points and the same decisions. Default 1. */
  seed?: string | number;
  /** Basic authentication: one password for all, or one per SN. */
  password?: string | ((sn: string) => string | undefined);
  /** The share of charge points with OCPP 2.0.1, distributed evenly: with 0.25 every fourth. Default 0. */
  ocpp201?: number;
  /** The share of charge points with OCPP 2.1, distributed evenly, before those with 2.0.1. Default 0. */
  ocpp21?: number;
  /** How many charge points start to connect per second. Default 1000. */
  connectRate?: number;
  /** Heartbeat interval in seconds instead of the one in BootNotification.conf. */
  heartbeat?: number;
  /** Initial `MeterValueSampleInterval`, in simulated seconds. Default 60. */
  meterInterval?: number;
  /** Mean simulated minutes between two charging sessions on a connector; 0 (default): never. */
  sessionEvery?: number;
  /** Mean simulated minutes between two faults of a charge point; 0 (default): never. */
  faultEvery?: number;
  /** Mean simulated minutes between two lost connections of a charge point; 0 (default): never. */
  disconnectEvery?: number;
  /** The share of CALLs with a late response, and the maximum delay. */
  slowAnswers?: { share: number; maxMs: number };
  /** The share of rejected CALLs. */
  refuseShare?: number;
  /** Simulated seconds per real second. Heartbeats, reconnects and slow responses use real time. Default 1. */
  speed?: number;
  /** Number of connectors of every charge point, instead of its model's. */
  connectors?: number;
  /** Whether each charge point requests a certificate after it has booted. Default: no. */
  renewCertificates?: boolean;
  /** A file with the certificate authority of a `wss://` central system. */
  ca?: string;
  /** Accept any certificate. */
  insecure?: boolean;
  /**
   * The minimum and maximum delay before a reconnect, in ms. A failed BootNotification is repeated after half the
   * maximum. Default 1000 and 60000.
   */
  reconnectMs?: { min: number; max: number };
  /** Timeout of a CALL, in ms. Default 30000. */
  callTimeoutMs?: number;
  /** What charge points had before they were started here, by SN. */
  resume?: Readonly<Record<string, StationResume>> | undefined;
}

/** The state of a fleet: its counters since the start, and the number of charge points in each state. */
export interface FleetSummary extends FleetStats {
  devices: number;
  connected: number;
  accepted: number;
  charging: number;
  faulted: number;
}

/** Starts a fleet. Resolves when every charge point has tried to connect once; see also `whenAccepted`. */
export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const fleet = await prepareFleet(options);
  await fleet.connect();
  return fleet;
}

/** A fleet that is not connected yet. Throws when the file of the certificate authority cannot be read. */
export async function prepareFleet(options: FleetOptions): Promise<Fleet> {
  return new Fleet(await settingsFor(options), options);
}

export class Fleet {
  readonly devices: ChargePoint[];
  readonly #stats: FleetStats;
  readonly #connectRate: number;
  #stopping = false;

  constructor(common: CommonSettings, options: FleetOptions) {
    const { password, prefix = 'SIM' } = options;
    this.#stats = common.stats;
    this.#connectRate = options.connectRate ?? 1000;
    this.devices = Array.from({ length: options.devices }, (_, index) => {
      const sn = `${prefix}${String(index + 1).padStart(5, '0')}`;
      const own = typeof password === 'function' ? password(sn) : password;
      return new ChargePoint({
        ...common,
        sn,
        protocol: protocolOf(index, options.ocpp201 ?? 0, options.ocpp21 ?? 0),
        resume: options.resume?.[sn],
        link: { ...common.link, password: own },
      });
    });
  }

  /** Connects all charge points, `connectRate` of them per second. Resolves when each has tried once. */
  async connect(): Promise<void> {
    const startedAt = performance.now();
    const attempts: Promise<void>[] = [];
    for (const device of this.devices) {
      if (this.#stopping) break;
      const dueMs = (attempts.length / this.#connectRate) * 1000;
      const early = dueMs - (performance.now() - startedAt);
      // Timers have a resolution of a millisecond, so start small groups instead of waiting for each.
      if (early > 5) await sleep(early);
      attempts.push(device.start());
    }
    await Promise.all(attempts);
  }

  /** Resolves when the central system has accepted every charge point. */
  async whenAccepted(): Promise<void> {
    await Promise.all(this.devices.map((device) => device.whenAccepted()));
  }

  summary(): FleetSummary {
    const count = (is: (device: ChargePoint) => boolean): number =>
      this.devices.reduce((sum, device) => sum + (is(device) ? 1 : 0), 0);
    return {
      ...this.#stats,
      devices: this.devices.length,
      connected: count((device) => device.connected),
      accepted: count((device) => device.accepted),
      charging: count((device) => device.charging),
      faulted: count((device) => device.faulted),
    };
  }

  /** Shuts down every charge point in order. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all(this.devices.map((device) => device.stop()));
  }
}

const LONGEST_RECONNECT_MS = 60_000;

/** The protocol of the charge point with an index. Among the first n, each version has its share of n, rounded down. */
function protocolOf(index: number, share201: number, share21: number): Protocol {
  const has = (share: number) => Math.floor((index + 1) * share) > Math.floor(index * share);
  if (has(share21)) return '2.1';
  return has(share201) ? '2.0.1' : '1.6';
}

type CommonSettings = Omit<ChargePointSettings, 'sn' | 'protocol'>;

async function settingsFor(options: FleetOptions): Promise<CommonSettings> {
  const { sessionEvery = 0, faultEvery = 0, disconnectEvery = 0 } = options;
  // A context shared by all sockets: loading the certificate authority for each socket costs more than the handshake.
  const secureContext = options.ca === undefined ? undefined : createSecureContext({ ca: await readFile(options.ca) });
  return {
    seed: options.seed ?? 1,
    speed: options.speed ?? 1,
    stats: newStats(),
    callTimeoutMs: options.callTimeoutMs ?? 30_000,
    connectors: options.connectors,
    meterInterval: options.meterInterval,
    heartbeat: options.heartbeat,
    active: sessionEvery > 0,
    renewCertificates: options.renewCertificates ?? false,
    trust: { secureContext, insecure: options.insecure ?? false },
    bootRetryMs: (options.reconnectMs?.max ?? LONGEST_RECONNECT_MS) / 2,
    link: {
      url: options.url.replace(/\/+$/, ''),
      password: undefined,
      secureContext,
      insecure: options.insecure ?? false,
      reconnectMinMs: options.reconnectMs?.min ?? 1_000,
      reconnectMaxMs: options.reconnectMs?.max ?? LONGEST_RECONNECT_MS,
    },
    rates: { sessionEvery, faultEvery, disconnectEvery },
    slowAnswers: options.slowAnswers ?? { share: 0, maxMs: 0 },
    refuseShare: options.refuseShare ?? 0,
  };
}
