import type { DeviceStatus, DeviceType } from '../devices.ts';

/** What is known of a device, as far as its drawing needs it. Power in W, positive to the vehicle. */
export interface DeviceSnapshot {
  type: DeviceType;
  status: DeviceStatus;
  connected: boolean;
  /** false: it never connected, so nothing is known of it */
  everConnected: boolean;
  /** the number of connectors of its model; null: not defined */
  modelConnectors: number | null;
  connectors: readonly {
    connector: number;
    /** ConnectorStatus of OCPP, or whatever the device reports; empty: it reports none */
    status: string;
    since: string;
    session: { startedAt: string } | null;
    readings: readonly { key: string; unit: string; value: number | null }[];
  }[];
}

/** What a connector looks like. `unknown` is drawn as unknown, never as free. */
export type PlugState =
  | 'free'
  | 'connected'
  | 'charging'
  | 'paused'
  | 'reserved'
  | 'unavailable'
  | 'faulted'
  | 'unknown';

export interface Plug {
  connector: number;
  state: PlugState;
  /** a cable to a vehicle is drawn */
  vehicle: boolean;
  powerW: number | null;
  /** charge of the vehicle's battery, percent */
  soc: number | null;
  since: string | null;
  sessionSince: string | null;
}

/** One edge of the energy flow of a storage device. `direction`: from the element to the device, to it, or none. */
export interface FlowEdge {
  of: 'grid' | 'battery' | 'load' | 'solar';
  /** null: not reported */
  powerW: number | null;
  direction: 'from' | 'to' | 'none';
}

export interface DeviceScene {
  kind: 'pile' | 'storage';
  /** false: what is drawn is the last known state */
  live: boolean;
  /** nothing is known: an outline only */
  blank: boolean;
  plugs: Plug[];
  flow: FlowEdge[];
  /** charge of the storage, percent */
  soc: number | null;
  /** the state in one sentence: its text, and the numbers of connectors or the power that it names */
  sentence: { key: SceneSentence; connectors: number[]; powerW: number | null };
}

export type SceneSentence =
  | 'neverConnected'
  | 'offline'
  | 'disabled'
  | 'maintain'
  | 'firmwareUpdate'
  | 'faulted'
  | 'charging'
  | 'paused'
  | 'vehicle'
  | 'free'
  | 'batteryCharging'
  | 'batteryDischarging'
  | 'batteryIdle'
  | 'working'
  | 'idle';

const PLUGS: Readonly<Record<string, PlugState>> = {
  Available: 'free',
  Occupied: 'connected',
  Preparing: 'connected',
  Charging: 'charging',
  SuspendedEV: 'paused',
  SuspendedEVSE: 'paused',
  Finishing: 'connected',
  Reserved: 'reserved',
  Unavailable: 'unavailable',
  Faulted: 'faulted',
};
const WITH_VEHICLE: ReadonlySet<PlugState> = new Set(['connected', 'charging', 'paused']);

const POWER_KEYS = ['Power.Active.Import'];
const SOC_KEYS = ['SoC'];
/** The quantities of each element of the energy flow, and the direction of a positive value. */
const FLOW: readonly { of: FlowEdge['of']; keys: readonly string[]; positive: 'from' | 'to' }[] = [
  { of: 'solar', keys: ['PV/Power'], positive: 'from' },
  { of: 'grid', keys: ['Grid/Power'], positive: 'from' },
  { of: 'battery', keys: ['Battery/Power'], positive: 'to' },
  { of: 'load', keys: ['Load/Power'], positive: 'to' },
];
const STORAGE_SOC = ['Battery/SoC'];
/** Below this power, nothing visibly flows: meters are never exactly zero. W */
const QUIET_W = 20;

const STORAGE: ReadonlySet<DeviceType> = new Set<DeviceType>([4, 5]);

/** What the drawing of a device shows, and its state in words. */
export function deviceScene(snapshot: DeviceSnapshot): DeviceScene {
  const { connected, everConnected, connectors } = snapshot;
  const readings = connectors.flatMap((one) => one.readings);
  const flow = FLOW.flatMap(({ of, keys, positive }) => {
    const powerW = powerOf(readings, keys);
    if (powerW === null && !(of === 'grid' || of === 'battery')) return [];
    return [{ of, powerW, direction: directionOf(powerW, positive) }];
  });
  const isStorage =
    STORAGE.has(snapshot.type) ||
    (connectors.every(({ status }) => status === '') && flow.some((edge) => edge.powerW !== null));
  const plugs = isStorage ? [] : plugsOf(snapshot);
  return {
    kind: isStorage ? 'storage' : 'pile',
    live: connected,
    blank: !everConnected,
    plugs,
    flow: isStorage ? flow : [],
    soc: isStorage ? firstValue(readings, STORAGE_SOC) : null,
    sentence: sentenceOf(snapshot, plugs, isStorage ? flow : null),
  };
}

function plugsOf({ connectors, modelConnectors, everConnected }: DeviceSnapshot): Plug[] {
  const reported = connectors
    .filter(({ connector }) => connector > 0)
    .map(({ connector, status, since, session, readings }): Plug => {
      const state = PLUGS[status] ?? 'unknown';
      const charging = state === 'charging' || state === 'paused' || (state === 'connected' && session !== null);
      return {
        connector,
        // OCPP 2.0.1 reports only Occupied: the session tells that it charges.
        state: status === 'Occupied' && session !== null ? 'charging' : state,
        vehicle: WITH_VEHICLE.has(state) || session !== null,
        powerW: charging ? powerOf(readings, POWER_KEYS) : null,
        soc: charging ? firstValue(readings, SOC_KEYS) : null,
        since,
        sessionSince: session?.startedAt ?? null,
      };
    });
  const known = new Set(reported.map(({ connector }) => connector));
  const missing = Array.from({ length: modelConnectors ?? (everConnected ? 0 : 1) }, (_, index) => index + 1)
    .filter((connector) => !known.has(connector))
    .map(
      (connector): Plug => ({
        ...{ connector, state: 'unknown', vehicle: false, powerW: null, soc: null, since: null, sessionSince: null },
      }),
    );
  return [...reported, ...missing].sort((a, b) => a.connector - b.connector);
}

function sentenceOf(
  { status, everConnected }: DeviceSnapshot,
  plugs: readonly Plug[],
  flow: readonly FlowEdge[] | null,
): DeviceScene['sentence'] {
  const only = (key: SceneSentence) => ({ key, connectors: [], powerW: null });
  if (!everConnected && (status === 'offline' || status === 'idle')) return only('neverConnected');
  if (status !== 'working' && status !== 'idle') return only(status);
  if (flow) {
    const battery = flow.find(({ of }) => of === 'battery');
    if (!battery || battery.powerW === null) return only(status);
    const key =
      battery.direction === 'to'
        ? 'batteryCharging'
        : battery.direction === 'from'
          ? 'batteryDischarging'
          : 'batteryIdle';
    return { key, connectors: [], powerW: Math.abs(battery.powerW) };
  }
  for (const [state, key] of [
    ['charging', 'charging'],
    ['paused', 'paused'],
    ['connected', 'vehicle'],
  ] as const) {
    const some = plugs.filter((plug) => plug.state === state);
    if (some.length === 0) continue;
    const powers = some.flatMap(({ powerW }) => powerW ?? []);
    return {
      key,
      connectors: some.map(({ connector }) => connector),
      powerW: powers.length === 0 ? null : powers.reduce((sum, one) => sum + one, 0),
    };
  }
  if (status === 'working') return only('working');
  return only(plugs.length > 0 && plugs.every(({ state }) => state === 'free') ? 'free' : 'idle');
}

type Readings = DeviceSnapshot['connectors'][number]['readings'];

function firstValue(readings: Readings, keys: readonly string[]): number | null {
  return readings.find(({ key, value }) => keys.includes(key) && value !== null)?.value ?? null;
}

/** The sum of the values of a quantity, in W; null when there is none. */
function powerOf(readings: Readings, keys: readonly string[]): number | null {
  const values = readings.flatMap(({ key, unit, value }) =>
    keys.includes(key) && value !== null ? [unit === 'kW' ? value * 1_000 : value] : [],
  );
  return values.length === 0 ? null : values.reduce((sum, one) => sum + one, 0);
}

function directionOf(powerW: number | null, positive: 'from' | 'to'): FlowEdge['direction'] {
  if (powerW === null || Math.abs(powerW) < QUIET_W) return 'none';
  const other = positive === 'from' ? 'to' : 'from';
  return powerW > 0 ? positive : other;
}
