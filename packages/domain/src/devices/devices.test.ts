import { describe, expect, test } from 'vitest';
import { type Level, levelsAll } from '../access/levels.ts';
import {
  chargesVehicles,
  type DeviceFacts,
  datesAreInOrder,
  deviceRights,
  deviceStatus,
  unmaintainedDays,
} from './devices.ts';

const CALM: DeviceFacts = {
  enabled: true,
  maintenance: false,
  connected: true,
  updatingFirmware: false,
  stationStatus: null,
  connectorStatuses: ['Available', 'Available'],
};

test('piles charge vehicles, storage units and power units do not; a type of later may', () => {
  expect([1, 2, 3, 4, 5, 6, 7].filter(chargesVehicles)).toEqual([1, 2, 3, 6, 7]);
});

describe('the status of a device', () => {
  test.each([
    ['connected and idle', {}, 'idle'],
    ['without connectors yet', { connectorStatuses: [] }, 'idle'],
    ['serving a vehicle', { connectorStatuses: ['Available', 'Charging'] }, 'working'],
    ['preparing', { connectorStatuses: ['Preparing'] }, 'working'],
    ['finishing', { connectorStatuses: ['Finishing'] }, 'working'],
    ['one connector out of service', { connectorStatuses: ['Unavailable', 'Reserved'] }, 'idle'],
    ['all connectors out of service', { connectorStatuses: ['Unavailable', 'Unavailable'] }, 'faulted'],
    ['out of service as a whole', { stationStatus: 'Unavailable' }, 'faulted'],
    ['out of service after this session', { stationStatus: 'Unavailable', connectorStatuses: ['Charging'] }, 'working'],
    [
      'available as a whole, no connector is',
      { stationStatus: 'Available', connectorStatuses: ['Unavailable'] },
      'faulted',
    ],
    ['a fault of the station', { stationStatus: 'Faulted' }, 'faulted'],
    ['a fault outweighs work', { connectorStatuses: ['Charging', 'Faulted'] }, 'faulted'],
    ['an update outweighs a fault', { updatingFirmware: true, connectorStatuses: ['Faulted'] }, 'firmwareUpdate'],
    ['a lost connection outweighs earlier reports', { connected: false, connectorStatuses: ['Charging'] }, 'offline'],
    ['maintenance outweighs the connection', { maintenance: true, connected: false }, 'maintain'],
    ['disabling outweighs everything', { enabled: false, maintenance: true }, 'disabled'],
    ['an unknown state', { connectorStatuses: ['Dancing'] }, 'idle'],
  ] as const)('%s', (_, facts, status) => {
    expect(deviceStatus({ ...CALM, ...facts })).toBe(status);
  });
});

test.each([
  [null, null, true],
  ['2026-01-01', null, true],
  [null, '2026-01-01', true],
  ['2026-01-01', '2026-01-01', true],
  ['2026-01-01', '2026-01-02', true],
  ['2026-01-02', '2026-01-01', false],
] as const)('arrival %s, installation %s: %s', (arrival, install, right) => {
  expect(datesAreInOrder(arrival, install)).toBe(right);
});

test.each([
  ['2026-01-10T00:00:00Z', 0],
  ['2026-01-09T00:00:01Z', 0],
  ['2026-01-09T00:00:00Z', 1],
  ['2025-01-10T00:00:00Z', 365],
  ['2026-02-01T00:00:00Z', 0],
])('unmaintained since %s: %s days', (since, days) => {
  expect(unmaintainedDays(new Date(since), new Date('2026-01-10T00:00:00Z'))).toBe(days);
});

describe('the rights of a level', () => {
  const model = { parameterRead: 5, parameterWrite: 3, control: 4 } as const;
  test.each<[Level, string[]]>([
    [0, ['read', 'edit', 'download', 'control', 'readParameters', 'setParameters']],
    [3, ['read', 'edit', 'download', 'control', 'readParameters', 'setParameters']],
    [4, ['read', 'edit', 'download', 'control', 'readParameters']],
    [5, ['read', 'readParameters']],
  ])('level %i everywhere', (level, expected) => {
    const rights = Object.entries(deviceRights(levelsAll(level), model)).filter(([, held]) => held);
    expect(rights.map(([right]) => right)).toEqual(expected);
  });
});
