import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type ConnectorUse,
  connectorCell,
  connectorLabel,
  connectorNumber,
  connectorOfEvse,
  type EvseReport,
  evseConnector,
  evseNumber,
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
  [256, 127, 32_512],
  [255, 128, null],
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
      const { evse = 0, connector = 0 } = evseConnector(number) ?? {};
      expect(connector === null ? evseNumber(evse) : connectorNumber(evse, connector)).toBe(number);
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
  [32_514, null, 'EVSE 2'],
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
  [[1, 2], [32_513], 2, null],
  [[1, 2], [257], 2, 257],
  [[1, 2, 3], [3], 2, null],
  [[1], [2, 2, 2], 2, null],
])(
  'for a device with %j, a report of %j and at most %i connectors: %s is one too many',
  (known, reported, limit, excess) => {
    expect(excessConnector(new Set(known), reported, limit)).toBe(excess);
  },
);

const FREE: ConnectorUse = { number: 1, occupied: false, transaction: null };
const first = (more: Partial<ConnectorUse> = {}) => ({ ...FREE, ...more });
const second = (more: Partial<ConnectorUse> = {}) => ({ ...FREE, number: 257, ...more });
const WHOLE = 32_513;

test.each<[string, ConnectorUse[], EvseReport, number]>([
  ['no connector is known', [], {}, 1],
  ['only the second one is known', [second()], {}, 257],
  ['only one is known, in an old report', [second()], { isNow: false, transaction: 'T' }, 257],
  ['nothing is plugged in', [first(), second()], {}, WHOLE],
  ['the second one is occupied', [first(), second({ occupied: true })], {}, 257],
  [
    'the second one is occupied, and the transaction is new',
    [first(), second({ occupied: true })],
    { transaction: 'T' },
    257,
  ],
  [
    'the second one was occupied, and the report is old',
    [first(), second({ occupied: true })],
    { isNow: false },
    WHOLE,
  ],
  ['both are occupied', [first({ occupied: true }), second({ occupied: true })], {}, WHOLE],
  [
    'both are occupied, and the second one has the open transaction',
    [first({ occupied: true }), second({ occupied: true, transaction: 'T' })],
    {},
    257,
  ],
  [
    'both are occupied, and the second one has another transaction',
    [first({ occupied: true }), second({ occupied: true, transaction: 'T' })],
    { transaction: 'U' },
    WHOLE,
  ],
  ['the second one has the open transaction', [first(), second({ transaction: 'T' })], {}, 257],
  [
    'the transaction of the second one is named, and the first one is occupied',
    [first({ occupied: true }), second({ transaction: 'T' })],
    { transaction: 'T', isNow: false },
    257,
  ],
  [
    'the first one is occupied, and the second one has a transaction without an end',
    [first({ occupied: true }), second({ transaction: 'T' })],
    {},
    1,
  ],
])('a report about EVSE 1 when %s concerns its place', (_, known, report, number) => {
  expect(connectorOfEvse(1, known, report)).toBe(number);
});
