import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { createSecureContext } from 'node:tls';
import type { Protocol } from './behaviour/station.ts';
import { type FleetStats, newStats } from './behaviour/stats.ts';
import { ChargePoint, type ChargePointSettings } from './ocpp16/charge-point.ts';

/** What a fleet is and how it behaves. Whatever is left out is quiet: nothing happens by itself. */
export interface FleetOptions {
  /** `ws://` or `wss://` address of the central system, without the SN. */
  url: string;
  devices: number;
  /** SNs are this and a number of five digits from 1 on. Default `SIM`. */
  prefix?: string;
  /** The same seed gives the same charge points and the same decisions. Default 1. */
  seed?: string | number;
  /** Basic authentication: one password for all, or one a SN. */
  password?: string | ((sn: string) => string | undefined);
  /** The share of charge points that speak OCPP 2.0.1, spread evenly: with 0.25 every fourth. Default 0. */
  ocpp201?: number;
  /** The share of charge points that speak OCPP 2.1, spread evenly; they come before those of 2.0.1. Default 0. */
  ocpp21?: number;
  /** How many charge points begin to connect in a second. Default 1000. */
  connectRate?: number;
  /** Heartbeat interval in seconds instead of the one in BootNotification.conf. */
  heartbeat?: number;
  /** `MeterValueSampleInterval` at first, in seconds of behaviour. Default 60. */
  meterInterval?: number;
  /** Mean minutes of behaviour between two charging sessions at a connector; 0, the default: never. */
  sessionEvery?: number;
  /** Mean minutes between two faults of a charge point; 0, the default: never. */
  faultEvery?: number;
  /** Mean minutes between two lost connections of a charge point; 0, the default: never. */
  disconnectEvery?: number;
  /** The share of CALLs answered late, and how late at most. */
  slowAnswers?: { share: number; maxMs: number };
  /** The share of CALLs refused. */
  refuseShare?: number;
  /** How many seconds of behaviour pass in a second. Heartbeats, reconnects and slow answers keep real time. Default 1. */
  speed?: number;
  /** Connectors of every charge point, instead of what its model has. */
  connectors?: number;
  /** Whether each charge point asks for a certificate after it has booted. Default: none does. */
  renewCertificates?: boolean;
  /** A file with the certificate authority of a `wss://` central system. */
  ca?: string;
  /** Accept any certificate. */
  insecure?: boolean;
  /** The shortest and the longest delay before a reconnect, in ms; half the longest before a failed BootNotification is repeated. Default 1000 and 60000. */
  reconnectMs?: { min: number; max: number };
  /** How long a CALL waits for its answer, in ms. Default 30000. */
  callTimeoutMs?: number;
}

/** How a fleet is doing: its counters since the start, and how many charge points are in each state now. */
export interface FleetSummary extends FleetStats {
  devices: number;
  connected: number;
  accepted: number;
  charging: number;
  faulted: number;
}

/** Starts a fleet. Resolves when every charge point has tried to connect once; see `whenAccepted` for more. */
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
        link: { ...common.link, password: own },
      });
    });
  }

  /** Lets all charge points connect, `connectRate` of them a second. Resolves when each has tried once. */
  async connect(): Promise<void> {
    const begun = performance.now();
    const attempts: Promise<void>[] = [];
    for (const device of this.devices) {
      if (this.#stopping) break;
      const dueMs = (attempts.length / this.#connectRate) * 1000;
      const early = dueMs - (performance.now() - begun);
      // A timer has a grain of a millisecond: catch up in small groups rather than wait for each.
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

  /** Switches every charge point off in order. */
  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all(this.devices.map((device) => device.stop()));
  }
}

const LONGEST_RECONNECT_MS = 60_000;

/** The protocol of the charge point with an index: of the first n, a version has its share of n, rounded down. */
function protocolOf(index: number, share201: number, share21: number): Protocol {
  const has = (share: number) => Math.floor((index + 1) * share) > Math.floor(index * share);
  if (has(share21)) return '2.1';
  return has(share201) ? '2.0.1' : '1.6';
}

type CommonSettings = Omit<ChargePointSettings, 'sn' | 'protocol'>;

async function settingsFor(options: FleetOptions): Promise<CommonSettings> {
  const { sessionEvery = 0, faultEvery = 0, disconnectEvery = 0 } = options;
  // One context for all: reading the authority anew for each socket costs more than the handshake.
  const secureContext = options.ca === undefined ? undefined : createSecureContext({ ca: await readFile(options.ca) });
  return {
    seed: options.seed ?? 1,
    speed: options.speed ?? 1,
    stats: newStats(),
    callTimeoutMs: options.callTimeoutMs ?? 30_000,
    connectors: options.connectors,
    meterInterval: options.meterInterval,
    heartbeat: options.heartbeat,
    lively: sessionEvery > 0,
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
