import { expect, test } from 'vitest';
import { type DeviceSnapshot, deviceScene } from './device-scene.ts';

const AT = '2026-01-01T00:00:00Z';
type One = DeviceSnapshot['connectors'][number];

/** `number:status`, with `*` for an open session and `@` before its power in W. */
function connector(text: string): One {
  const [, number, status = '', session, power] = /^(\d+):(\w*)(\*?)(?:@(\d+))?$/.exec(text) ?? [];
  return {
    ...{ connector: Number(number), status, since: AT, session: session ? { startedAt: AT } : null },
    readings: power ? [{ key: 'Power.Active.Import', unit: 'W', value: Number(power) }] : [],
  };
}

const pile = (status: DeviceSnapshot['status'], connectors: string[], more: Partial<DeviceSnapshot> = {}) =>
  deviceScene({
    ...{ type: 1, status, connected: true, everConnected: true, modelConnectors: null },
    connectors: connectors.map(connector),
    ...more,
  });

test.each([
  ['Available', 'free', false],
  ['Preparing', 'connected', true],
  ['Charging', 'charging', true],
  ['SuspendedEV', 'paused', true],
  ['SuspendedEVSE', 'paused', true],
  ['Finishing', 'connected', true],
  ['Occupied', 'connected', true],
  ['Reserved', 'reserved', false],
  ['Unavailable', 'unavailable', false],
  ['Faulted', 'faulted', false],
  ['Sleeping', 'unknown', false],
] as const)('a connector that reports %s is drawn as %s, with a vehicle: %s', (status, state, vehicle) => {
  expect(pile('idle', [`1:${status}`]).plugs).toMatchObject([{ connector: 1, state, vehicle }]);
});

test.each([
  ['charging', 'working', ['0:', '1:Charging*@48000', '2:Available'], 'charging', [1], 48_000],
  ['two are charging', 'working', ['1:Charging@7000', '2:Charging@4000'], 'charging', [1, 2], 11_000],
  ['charging without a reported power', 'working', ['1:Charging*'], 'charging', [1], null],
  ['a session of OCPP 2.0.1', 'working', ['1:Occupied*@3000'], 'charging', [1], 3_000],
  ['paused', 'working', ['1:SuspendedEV*'], 'paused', [1], null],
  ['a vehicle is plugged in', 'working', ['1:Preparing', '2:Available'], 'vehicle', [1], null],
  ['all free', 'idle', ['1:Available', '2:Available'], 'free', [], null],
  ['one is out of service', 'idle', ['1:Available', '2:Unavailable'], 'idle', [], null],
  ['faulted', 'faulted', ['1:Charging@7000', '2:Faulted'], 'faulted', [], null],
  ['offline', 'offline', ['1:Charging@7000'], 'offline', [], null],
  ['maintained', 'maintain', ['1:Available'], 'maintain', [], null],
  ['updated', 'firmwareUpdate', ['1:Available'], 'firmwareUpdate', [], null],
] as const)('in words: %s', (_, status, connectors, key, named, powerW) => {
  expect(pile(status, [...connectors]).sentence).toEqual({ key, connectors: named, powerW });
});

test('a device that never connected is an outline with the connectors of its model, in no known state', () => {
  const never = { connected: false, everConnected: false };
  expect(pile('offline', [], { ...never, modelConnectors: 2 })).toMatchObject({
    ...{ live: false, blank: true, sentence: { key: 'neverConnected' } },
    plugs: [
      { connector: 1, state: 'unknown' },
      { connector: 2, state: 'unknown' },
    ],
  });
  expect(pile('offline', [], never).plugs).toHaveLength(1);
});

test('a device that is offline keeps its last known state, which is not live', () => {
  const scene = pile('offline', ['1:Charging*@7000'], { connected: false });
  expect(scene).toMatchObject({ live: false, blank: false, plugs: [{ state: 'charging', vehicle: true }] });
});

const storage = (values: Record<string, number | null>) =>
  deviceScene({
    ...{ type: 5, status: 'working', connected: true, everConnected: true, modelConnectors: null },
    connectors: [
      {
        ...{ connector: 1, status: '', since: AT, session: null },
        readings: Object.entries(values).map(([key, value]) => ({
          key,
          unit: key === 'Battery/SoC' ? '%' : 'kW',
          value,
        })),
      },
    ],
  });

test.each([
  [
    'charging from the sun',
    { 'Battery/Power': 3, 'PV/Power': 5, 'Grid/Power': -1, 'Load/Power': 1 },
    'batteryCharging',
    3_000,
    { solar: 'from', grid: 'to', battery: 'to', load: 'to' },
  ],
  [
    'discharging',
    { 'Battery/Power': -2, 'Grid/Power': 0.5 },
    'batteryDischarging',
    2_000,
    { grid: 'from', battery: 'from' },
  ],
  ['nothing flows', { 'Battery/Power': 0.01, 'Grid/Power': 0 }, 'batteryIdle', 10, { grid: 'none', battery: 'none' }],
] as const)('the energy flow of a storage device: %s', (_, values, key, powerW, edges) => {
  const { kind, flow, sentence } = storage(values);
  expect({ kind, sentence }).toEqual({ kind: 'storage', sentence: { key, connectors: [], powerW } });
  expect(Object.fromEntries(flow.map(({ of, direction }) => [of, direction]))).toEqual(edges);
});

test('a storage device without values has a grid and a battery of unknown power, not of none', () => {
  const { flow, soc, sentence } = storage({ 'Battery/SoC': 40 });
  expect(flow).toEqual([
    { of: 'grid', powerW: null, direction: 'none' },
    { of: 'battery', powerW: null, direction: 'none' },
  ]);
  expect([soc, sentence.key]).toEqual([40, 'working']);
});
