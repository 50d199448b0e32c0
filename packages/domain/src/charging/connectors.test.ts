import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  connectorCell,
  connectorLabel,
  connectorNumber,
  evseConnector,
  excessConnector,
  type ModelProtocol,
  protocolFits,
} from './connectors.ts';

test.each([
  [0, undefined, 0],
  [1, undefined, 1],
  [1, 1, 1],
  [2, 0, 2],
  [256, 1, 256],
  [1, 2, 257],
  [2, 2, 258],
  [255, 128, 32_767],
  [256, 128, null],
  [257, 1, null],
  [-1, 1, null],
  [1, -1, null],
  [1.5, 1, null],
])('EVSE %s, connector %s is number %s', (evse, connector, number) => {
  expect(connectorNumber(evse, connector)).toBe(number);
});

test('the number of every connector gives its EVSE and connector', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 32_767 }), (number) => {
      const place = evseConnector(number);
      expect(place && connectorNumber(place.evse, place.connector)).toBe(number);
    }),
  );
});

test.each([
  [0, 'ocpp2.0.1', { kind: 'station' }],
  [0, 'ocpp1.6', { kind: 'station' }],
  [2, 'ocpp1.6', { kind: 'number', number: 2 }],
  [2, null, { kind: 'number', number: 2 }],
  [0, 'sparkplug-b', { kind: 'station' }],
  [1, 'sparkplug-b', { kind: 'unit', number: 1 }],
  [1, 'mqtt3.1.1', { kind: 'unit', number: 1 }],
  [2, 'mqtt-json', { kind: 'unit', number: 2 }],
  [2, 'ocpp2.0.1', { kind: 'evse', evse: 2, connector: 1 }],
  [2, 'ocpp2.1', { kind: 'evse', evse: 2, connector: 1 }],
  [258, 'ocpp2.0.1', { kind: 'evse', evse: 2, connector: 2 }],
  [258, null, { kind: 'evse', evse: 2, connector: 2 }],
])('number %s of %s is called %j', (number, protocol, label) => {
  expect(connectorLabel(number, protocol)).toEqual(label);
});

test.each([
  [0, 'ocpp2.0.1', 0],
  [2, 'ocpp1.6', 2],
  [2, 'ocpp2.0.1', 'EVSE 2 · 1'],
  [258, null, 'EVSE 2 · 2'],
])('a cell shows number %s of %s as %s', (number, protocol, cell) => {
  expect(connectorCell(number, protocol)).toBe(cell);
});

test.each<[ModelProtocol | null, string | null, boolean]>([
  ['ocpp16', 'ocpp1.6', true],
  ['ocpp16', 'ocpp2.0.1', false],
  ['ocpp2', 'ocpp2.0.1', true],
  ['ocpp2', 'ocpp2.1', true],
  ['ocpp2', 'ocpp1.6', false],
  ['mqtt', 'sparkplug-b', true],
  ['mqtt', 'mqtt-json', true],
  ['mqtt', 'ocpp1.6', false],
  ['ocpp2', 'mqtt-json', false],
  [null, 'ocpp1.6', true],
  ['ocpp16', null, true],
])('a model for %s fits a device that uses %s: %s', (model, spoken, fits) => {
  expect(protocolFits(model, spoken)).toBe(fits);
});

test.each<[number[], number[], number, number | null]>([
  [[], [1, 2], 2, null],
  [[], [1, 2, 3], 2, 3],
  [[1, 2], [2, 1], 2, null],
  [[1, 2], [0], 2, null],
  [[1, 2], [257], 2, 257],
  [[1, 2, 3], [3], 2, null],
  [[1], [2, 2, 2], 2, null],
])(
  'for a device with %j, a report of %j and at most %i connectors: %s is one too many',
  (known, reported, limit, excess) => {
    expect(excessConnector(new Set(known), reported, limit)).toBe(excess);
  },
);
