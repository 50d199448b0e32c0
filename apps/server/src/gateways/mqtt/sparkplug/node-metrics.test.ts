import { describe, expect, test } from 'vitest';
import { Condition } from '../condition.ts';
import { type Aliases, NodeMetrics, type Reading } from './node-metrics.ts';
import { type IMetric, Payload } from './proto.ts';

const NOW = new Date('2026-03-01T12:00:00.000Z');
const MINUTE = 60_000;
const DAY = 86_400_000;
/** Milliseconds of a time relative to NOW. */
const later = (ms: number) => NOW.getTime() + ms;

const TYPES = { Int32: 3, UInt16: 6, Int64: 4, UInt64: 8, Float: 9, Double: 10, Boolean: 11, String: 12 } as const;
type Type = keyof typeof TYPES;
type Value = number | boolean | string | null;

const FIELDS = {
  ...{ Int32: 'intValue', UInt16: 'intValue', Int64: 'longValue', UInt64: 'longValue', Float: 'floatValue' },
  ...{ Double: 'doubleValue', Boolean: 'booleanValue', String: 'stringValue' },
};

/** A metric of a message. One of a data message usually has no type. */
function metric(name: string, type: Type | null, value: Value, more: object = {}): IMetric {
  const plain = typeof value === 'boolean' ? 'Boolean' : typeof value === 'string' ? 'String' : 'Double';
  return Payload.Metric.create({
    ...(name === '' ? {} : { name }),
    ...(type === null ? {} : { datatype: TYPES[type] }),
    ...(value === null ? { isNull: true } : { [FIELDS[type ?? plain]]: value }),
    ...more,
  }) as IMetric;
}
const alias = (number: number, value: Value, more: object = {}) => metric('', null, value, { alias: number, ...more });
const message = (metrics: IMetric[], timestamp: number | null = NOW.getTime()) => ({
  ...{ timestamp, seq: 0, metrics },
  refused: [],
});

/** Notes and refusals together, as the protocol log shows them. */
const logged = (reading: Reading) => ({ ...reading, notes: [...reading.notes, ...reading.refused] });

function scene(prefix = '') {
  const aliases: Aliases = new Map();
  const condition = new Condition();
  const nodeMetrics = new NodeMetrics(prefix, aliases);
  return {
    aliases,
    nodeMetrics,
    condition,
    born: (metrics: IMetric[], timestamp?: number | null) =>
      logged(nodeMetrics.born(message(metrics, timestamp), NOW, condition)),
    data: (metrics: IMetric[], timestamp?: number | null) =>
      logged(nodeMetrics.data(message(metrics, timestamp), NOW, condition)),
  };
}

/** A reading as it is compared: its time and its values. */
const reading = (values: Record<string, number>, at: number = NOW.getTime()) =>
  expect.objectContaining({
    ...{ kind: 'reading', connector: 0, at: new Date(at), receivedAt: NOW, transactionId: null },
    values: Object.entries(values).map(([key, value]) => expect.objectContaining({ key, value })),
  });
const texts = (values: Record<string, string>, at: number = NOW.getTime()) => ({
  ...{ kind: 'texts', connector: 0, at: new Date(at), receivedAt: NOW },
  values: Object.entries(values).map(([key, value]) => ({ key, value })),
});
const parameters = (entries: [key: string, value: string | null, readonly: boolean][], complete: boolean) => ({
  ...{ kind: 'parameters', at: NOW, unknownKeys: [], complete },
  entries: entries.map(([key, value, readonly]) => ({ key, value, readonly })),
});
const NO_PARAMETERS = parameters([], true);

describe('a birth', () => {
  test('gives one reading for each topic, sorted by key, with units and counters', () => {
    const properties = { keys: ['engUnit'], values: [{ type: 12, stringValue: '%' }] };
    const { events, facts, notes, rebirthNeeded } = scene().born([
      metric('bdSeq', 'UInt64', 3),
      metric('Grid/Power', 'Double', 7),
      metric('Battery/SoC', 'Float', 50, { properties }),
      metric('Battery/Cycles', 'Int32', 12),
      metric('Battery/Missing', 'Double', null),
      metric('Grid/Connected', 'Boolean', true),
    ]);
    expect(events).toEqual([
      {
        ...{ kind: 'reading', connector: 0, at: NOW, receivedAt: NOW, transactionId: null },
        values: [
          { key: 'Battery/Cycles', unit: '', counter: true, value: 12 },
          { key: 'Battery/SoC', unit: '%', counter: false, value: 50 },
        ],
      },
      reading({ 'Grid/Connected': 1, 'Grid/Power': 7 }),
      NO_PARAMETERS,
    ]);
    expect(facts).toContainEqual({ type: 'value', key: 'Battery/Missing', value: null });
    expect(facts).toHaveLength(5);
    expect([notes, rebirthNeeded]).toEqual([[], false]);
  });

  test('a topic with more than 64 values has several readings', () => {
    const { born, data } = scene();
    const metrics = Array.from({ length: 130 }, (_, n) => metric(`A/${String(n).padStart(3, '0')}`, 'Int32', n));
    const readings = born(metrics).events.filter(({ kind }) => kind === 'reading');
    expect(readings.map((event) => 'values' in event && event.values.length)).toEqual([64, 64, 2]);
    // A change is stored with its group.
    expect(data([metric('A/129', null, 5)]).events).toEqual([]);
    expect(data([metric('A/129', 'Int32', 5)]).events).toEqual([reading({ 'A/128': 128, 'A/129': 5 })]);
  });

  test.each<[string, number | null, number]>([
    ['a plausible time is used', later(-MINUTE), later(-MINUTE)],
    ['without a time, the time of receipt is used', null, NOW.getTime()],
  ])('%s', (_, timestamp, at) => {
    const result = scene().born([metric('A', 'Int32', 1), metric('B', 'String', 'x')], timestamp);
    expect(result.events).toEqual([reading({ A: 1 }, at), texts({ B: 'x' }, at), NO_PARAMETERS]);
    expect(result.notes).toEqual([]);
  });

  test.each([
    [60 * MINUTE, 'is more than 5 minutes in the future'],
    [DAY + 1, 'is more than 5 minutes in the future'],
    [-367 * DAY, 'is more than a year old'],
  ])('its values are ignored with a note when its time is %i ms ahead', (ahead, problem) => {
    const result = scene().born([metric('A', 'Int32', 1), metric('B', 'String', 'x')], later(ahead));
    expect(result.events).toEqual([NO_PARAMETERS]);
    const at = new Date(later(ahead)).toISOString();
    expect(result.notes).toEqual([`the time ${at} ${problem}; its values are ignored`]);
  });

  test.each<[string, IMetric[], string[]]>([
    ['a metric twice', [metric('A', 'Int32', 1), metric('A', 'Int32', 2)], ['A occurs twice; the first one counts']],
    ['a value that is not a number', [metric('A', 'Double', Number.NaN)], ['A is NaN; left out']],
    ['an infinite value', [metric('A', 'Float', Number.POSITIVE_INFINITY)], ['A is Infinity; left out']],
    [
      'a value of another type',
      [metric('A', 'Boolean', null, { isNull: false, intValue: 1 })],
      ['the value of A is no Boolean; left out'],
    ],
    [
      'a type that is not stored',
      [metric('A', null, 1, { datatype: 17 })],
      ['A has a type that is not stored (17); left out'],
    ],
    [
      'an alias twice',
      [metric('A', 'Int32', 1, { alias: 1 }), metric('B', 'Int32', 2, { alias: 1 })],
      ['alias 1 of B is also the alias of another metric'],
    ],
  ])('notes %s', (_, metrics, notes) => {
    expect(scene().born(metrics).notes).toEqual(notes);
  });

  test('notes each fault once, eight of them, and the number of the others', () => {
    const { notes } = scene().born(Array.from({ length: 12 }, (_, n) => metric(`M${n % 11}`, 'Double', Number.NaN)));
    expect(notes).toHaveLength(9);
    expect(notes[7]).toBe('M7 is NaN; left out');
    expect(notes[8]).toBe('and 4 more');
    const same = scene().born([1, 2, 3].map(() => metric('A', null, 1, { datatype: 17 })));
    expect(same.notes).toHaveLength(1);
  });

  test('notes a changed type, and the former values are gone', () => {
    const { born, data } = scene();
    born([metric('A', 'Int32', 1, { alias: 1 }), metric('B', 'Int32', 2)]);
    expect(born([metric('A', 'Double', 1.5, { alias: 2 })]).notes).toEqual([
      'A was Int32 and is Double since this birth',
    ]);
    expect(born([metric('A', 'Double', 1.5, { alias: 2 })]).notes).toEqual([]);
    expect(data([alias(1, 3)])).toMatchObject({ notes: ['alias 1 was not in a birth; ignored'], rebirthNeeded: true });
    expect(data([metric('B', 'Int32', 3)])).toMatchObject({ notes: ['B was not in a birth; ignored'] });
    expect(data([alias(2, 3)])).toMatchObject({ notes: [], events: [reading({ A: 3 })], rebirthNeeded: false });
  });

  test('the parameters are complete for a device, and partial for a component behind it', () => {
    const metrics = [
      metric('Settings/Limit', 'Int32', 10),
      metric('Settings/Name', 'String', null, {
        properties: { keys: ['readOnly'], values: [{ type: 11, booleanValue: true }] },
      }),
    ];
    expect(scene().born(metrics).events).toEqual([
      parameters(
        [
          ['Settings/Limit', '10', false],
          ['Settings/Name', null, true],
        ],
        true,
      ),
    ]);
    expect(scene('unit/').born(metrics).events).toEqual([
      parameters(
        [
          ['unit/Settings/Limit', '10', false],
          ['unit/Settings/Name', null, true],
        ],
        false,
      ),
    ]);
    expect(scene('unit/').born([metric('A', 'Int32', 1)]).events).toEqual([reading({ 'unit/A': 1 })]);
  });

  test('states, faults and availability are one connector status each', () => {
    const { events, notes } = scene().born([
      metric('State', 'String', 'charging'),
      metric('Inverter/Fault', 'UInt16', 7),
      metric('Node Control/Enabled', 'Boolean', false),
    ]);
    expect(events).toEqual([
      reading({ 'Inverter/Fault': 7 }),
      texts({ State: 'charging' }),
      expect.objectContaining({ kind: 'connectorStatus', connector: 0, status: 'Unavailable' }),
      expect.objectContaining({
        kind: 'connectorStatus',
        connector: 1,
        status: 'Charging',
        vendorErrorCode: 'Inverter/Fault:7',
      }),
      NO_PARAMETERS,
    ]);
    expect(notes).toEqual([]);
    const unknown = scene().born([
      metric('State', 'String', 'x'.repeat(50)),
      metric('Node Control/Enabled', 'Boolean', true),
    ]);
    expect(unknown.notes).toEqual([`State ${'x'.repeat(40)} is not a known state`]);
    expect(unknown.events).toContainEqual(expect.objectContaining({ connector: 0, status: 'Available' }));
  });

  test('alarms are reported with their code, level and kind', () => {
    const properties = {
      keys: ['level', 'kind'],
      values: [
        { type: 12, stringValue: 'CA' },
        { type: 12, stringValue: 'fault' },
      ],
    };
    const alarm = (code: string, active: boolean, more: object = {}) => ({
      ...{ kind: 'alarm', connector: 0, at: NOW, code, alarmKind: 'alarm', level: 'OA', info: null, active, ...more },
    });
    const { events } = scene().born([
      metric('Alarms/Door', 'Boolean', true, { properties }),
      metric('Alarms/Fan', 'Int32', 0),
      metric('Alarms/Heat', 'Boolean', false),
      metric(`Alarms/${'x'.repeat(80)}`, 'Int32', 3),
      metric('Alarms/None', 'Int32', null),
    ]);
    expect(events.filter(({ kind }) => kind === 'alarm')).toEqual([
      alarm('Door', true, { alarmKind: 'fault', level: 'CA' }),
      alarm('Fan', false),
      alarm('Heat', false),
      alarm('x'.repeat(64), true),
    ]);
    const behind = scene('unit/').born([metric('Alarms/Door', 'Boolean', true)]);
    expect(behind.events).toContainEqual(alarm('unit/Door', true));
  });

  test.each<['firmwareStatus' | 'diagnosticsStatus', string]>([
    ['firmwareStatus', 'Firmware'],
    ['diagnosticsStatus', 'Log'],
  ])('%s is the progress of a request', (kind, name) => {
    const { born, data } = scene();
    const status = `${name}/Status`;
    const progress = (more: object = {}) => ({ kind, at: NOW, status: 'Working', ...more });
    expect(born([metric(status, 'String', 'Working')]).events).toContainEqual(progress());
    expect(born([metric(status, 'String', 'Working'), metric(`${name}/Request`, 'Int32', 7)]).events).toContainEqual(
      progress({ requestId: '7' }),
    );
    const kinds = (value: string) => data([metric(status, null, value)]).events.map((event) => event.kind);
    expect([kinds('Idle'), kinds(''), kinds('Done')]).toEqual([['texts'], ['texts'], ['texts', kind]]);
  });
});

describe('a boot', () => {
  test('has the version and the first sixty properties that have a value', () => {
    const { born, nodeMetrics } = scene();
    born([metric('A', 'Int32', 1)]);
    expect(nodeMetrics.boot()).toEqual({ softVersion: null, boot: {} });
    born([
      metric('Properties/Serial', 'String', null),
      metric('Properties/Firmware', 'String', '2.1'),
      metric('Properties/Model', 'String', 'Wall'),
      metric('Other', 'String', 'x'),
    ]);
    expect(nodeMetrics.boot()).toEqual({
      softVersion: '2.1',
      boot: { 'Properties/Firmware': '2.1', 'Properties/Model': 'Wall' },
    });
    born(Array.from({ length: 70 }, (_, n) => metric(`Properties/${n}`, 'Int32', n)));
    expect(Object.keys(nodeMetrics.boot().boot)).toHaveLength(60);
  });

  test('a version without a value is unknown', () => {
    const { born, nodeMetrics } = scene();
    born([metric('Properties/Firmware', 'String', null)]);
    expect(nodeMetrics.boot().softVersion).toBeNull();
  });
});

describe('data', () => {
  const metrics = [
    metric('A/X', 'Int32', 1, { alias: 1 }),
    metric('A/Y', 'Double', 2, { alias: 2 }),
    metric('B/Z', 'Int64', 3, { alias: 3 }),
    metric('Word', 'String', 'one', { alias: 4 }),
    metric('Settings/Limit', 'Int32', 10, { alias: 5 }),
  ];

  test('changes are stored with the other values of their group, by name or alias', () => {
    const { born, data } = scene();
    born(metrics);
    expect(data([alias(1, null, { isNull: false, intValue: 5 })])).toEqual({
      events: [reading({ 'A/X': 5, 'A/Y': 2 })],
      facts: [{ type: 'value', key: 'A/X', value: 5 }],
      notes: [],
      refused: [],
      rebirthNeeded: false,
    });
    expect(data([metric('A/Y', null, 2.5)]).events).toEqual([reading({ 'A/X': 5, 'A/Y': 2.5 })]);
    expect(data([metric('Word', null, 'two')]).events).toEqual([texts({ Word: 'two' })]);
    expect(data([metric('Settings/Limit', 'Int32', 11)]).events).toEqual([
      parameters([['Settings/Limit', '11', false]], false),
    ]);
    expect(data([metric('A/Y', null, null)]).events).toEqual([reading({ 'A/X': 5 })]);
  });

  test('a group has the newest time of its changes; other groups have their own', () => {
    const { born, data } = scene();
    born(metrics);
    const { events } = data(
      [
        metric('A/X', 'Int32', 5, { timestamp: later(-3_000) }),
        metric('A/Y', 'Double', 6, { timestamp: later(-5_000) }),
        metric('B/Z', 'Int64', 7),
      ],
      later(-1_000),
    );
    expect(events).toEqual([reading({ 'A/X': 5, 'A/Y': 6 }, later(-3_000)), reading({ 'B/Z': 7 }, later(-1_000))]);
    expect(data([metric('A/X', 'Int32', 6)], null).events).toEqual([reading({ 'A/X': 6, 'A/Y': 6 })]);
  });

  test.each<[string, IMetric, string, boolean]>([
    ['unknown name', metric('C', 'Int32', 1), 'C was not in a birth; ignored', true],
    ['a long unknown name', metric('C'.repeat(90), 'Int32', 1), `${'C'.repeat(80)} was not in a birth; ignored`, true],
    ['unknown alias', alias(9, 1), 'alias 9 was not in a birth; ignored', true],
    ['another type', metric('A/X', 'Double', 1), 'A/X was in a birth as Int32 and came as Double; ignored', true],
    [
      'a type that is not stored',
      metric('A/X', null, 1, { datatype: 17 }),
      'A/X was in a birth as Int32 and came as type 17; ignored',
      true,
    ],
    [
      'a value of another type',
      metric('A/X', null, true),
      'A/X was in a birth as Int32 and came with a value of another type; ignored',
      true,
    ],
    ['a value that is not a number', metric('A/Y', null, Number.NaN), 'A/Y is NaN; ignored', false],
    [
      'an impossible time',
      metric('A/Y', null, 1, { timestamp: later(DAY + 1) }),
      'A/Y is of 2026-03-02T12:00:00.001Z, more than a day in the future; ignored',
      false,
    ],
    [
      'a time that no date can hold',
      metric('A/Y', null, 1, { timestamp: 9e15 }),
      'A/Y is of 9000000000000000, more than a day in the future; ignored',
      false,
    ],
  ])('a metric with %s is ignored, and the others count', (_, wrong, note, rebirthNeeded) => {
    const { born, data } = scene();
    born(metrics);
    const result = data([wrong, metric('B/Z', 'Int64', 7)]);
    expect(result).toMatchObject({ notes: [note], rebirthNeeded });
    expect(result.events).toEqual([reading({ 'B/Z': 7 })]);
  });

  test('the type 0 is no type', () => {
    const { born, data } = scene();
    born(metrics);
    expect(data([metric('A/Y', null, 4, { datatype: 0 })]).notes).toEqual([]);
  });

  test('readings with an implausible time are ignored with a note', () => {
    const { born, data } = scene();
    born(metrics);
    const { events, notes } = data([metric('A/X', 'Int32', 5)], later(60 * MINUTE));
    expect(events).toEqual([]);
    expect(notes).toEqual([expect.stringContaining('is more than 5 minutes in the future')]);
  });

  test('historical values are stored alone at their time, and are not the latest', () => {
    const { born, data } = scene();
    born(metrics);
    const past = { isHistorical: true, timestamp: later(-10 * MINUTE) };
    const { events, facts } = data([
      metric('A/X', 'Int32', 9, past),
      metric('A/Y', 'Double', null, past),
      metric('Word', 'String', 'old', past),
      metric('Settings/Limit', 'Int32', 99, past),
    ]);
    expect(events).toEqual([reading({ 'A/X': 9 }, later(-10 * MINUTE)), texts({ Word: 'old' }, later(-10 * MINUTE))]);
    expect(facts).toEqual([]);
    expect(data([metric('A/Y', 'Double', 3)]).events).toEqual([reading({ 'A/X': 1, 'A/Y': 3 })]);
  });

  test('of a metric that occurs twice, the earlier value was valid in between', () => {
    const { born, data } = scene();
    born(metrics);
    const { events, facts } = data([
      metric('A/X', 'Int32', 5, { timestamp: later(-2_000) }),
      metric('A/X', 'Int32', 6, { timestamp: later(-1_000) }),
    ]);
    expect(events).toEqual([reading({ 'A/X': 5 }, later(-2_000)), reading({ 'A/X': 6, 'A/Y': 2 }, later(-1_000))]);
    expect(facts).toEqual([{ type: 'value', key: 'A/X', value: 6 }]);
  });

  test('an integer that a double cannot hold is a text', () => {
    const { born, data } = scene();
    born([metric('A/Big', 'UInt64', 1), metric('A/Small', 'Int32', 2)]);
    const wide = metric('A/Big', 'UInt64', null, { isNull: false, longValue: '9007199254740993' });
    expect(data([wide]).events).toEqual([reading({ 'A/Small': 2 }), texts({ 'A/Big': '9007199254740993' })]);
    const past = metric('A/Big', 'UInt64', null, {
      ...{ isNull: false, longValue: '9007199254740995', isHistorical: true, timestamp: later(-MINUTE) },
    });
    expect(data([past]).events).toEqual([texts({ 'A/Big': '9007199254740995' }, later(-MINUTE))]);
  });

  test('a response to a command is a fact of its own', () => {
    const { born, data } = scene();
    born([metric('Node Control/Answer', 'String', '')]);
    const answer = { id: 'x', status: 'accepted' };
    expect(data([metric('Node Control/Answer', null, JSON.stringify(answer))])).toMatchObject({
      events: [],
      facts: [{ type: 'answer', id: 'x', status: 'accepted', detail: null, answer }],
    });
  });
});

describe('the components of an edge node', () => {
  test('share its aliases: each reads only its own, and the death of one leaves those of the others', () => {
    const aliases: Aliases = new Map();
    const [node, unit] = [new NodeMetrics('', aliases), new NodeMetrics('unit/', aliases)];
    const condition = new Condition();
    node.born(message([metric('A', 'Int32', 1, { alias: 1 })]), NOW, condition);
    unit.born(message([metric('A', 'Int32', 2, { alias: 2 })]), NOW, condition);
    const read = (metrics: NodeMetrics, number: number) =>
      metrics.data(message([alias(number, null, { isNull: false, intValue: 5 })]), NOW, condition);
    expect(read(node, 2)).toMatchObject({ events: [], rebirthNeeded: true });
    expect(read(unit, 2)).toMatchObject({ events: [reading({ 'unit/A': 5 })], rebirthNeeded: false });
    expect([node.find('A')?.key, unit.find('unit/A')?.key, unit.find('A'), unit.own('A')?.key]).toEqual([
      ...['A', 'unit/A', undefined, 'unit/A'],
    ]);
    unit.clear();
    expect([unit.size, node.size, aliases.size]).toEqual([0, 1, 1]);
    expect(read(unit, 2).rebirthNeeded).toBe(true);
    expect(read(node, 1)).toMatchObject({ events: [reading({ A: 5 })] });
  });

  test('a fault ends with a birth that no longer has its metric, and with the death of its component', () => {
    const { nodeMetrics, born, condition } = scene('unit/');
    const faults = () =>
      condition.events(NOW).map((event) => ('vendorErrorCode' in event ? event.vendorErrorCode : null));
    const fault = (events: readonly object[]) => events.filter((event) => 'vendorErrorCode' in event);
    const code = (vendorErrorCode: string | null) => [expect.objectContaining({ connector: 1, vendorErrorCode })];
    expect(fault(born([metric('A/Fault', 'UInt16', 7)]).events)).toEqual(code('unit/A/Fault:7'));
    // While the component has not been born again, nothing new is known of its fault.
    nodeMetrics.clear();
    expect(faults()).toEqual([]);
    expect(fault(born([metric('A/Fault', 'UInt16', 7)]).events)).toEqual([]);
    expect(fault(born([metric('B/Fault', 'UInt16', 8)]).events)).toEqual(code('unit/B/Fault:8'));
    nodeMetrics.leave(condition);
    expect(nodeMetrics.size).toBe(0);
    expect(faults()).toEqual([null]);
  });

  test('an alias that another component took over stays with it', () => {
    const aliases: Aliases = new Map();
    const [node, unit] = [new NodeMetrics('', aliases), new NodeMetrics('unit/', aliases)];
    const condition = new Condition();
    node.born(message([metric('A', 'Int32', 1, { alias: 1 })]), NOW, condition);
    const { notes } = unit.born(message([metric('B', 'Int32', 2, { alias: 1 })]), NOW, condition);
    expect(notes).toEqual(['alias 1 of unit/B is also the alias of another metric']);
    node.clear();
    expect(aliases.get('1')?.key).toBe('unit/B');
  });
});
