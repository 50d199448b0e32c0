import { describe, expect, test } from 'vitest';
import { normalise } from '../../ocpp/tolerance/units.ts';
import { mapMeterValues, type SampledValue } from './readings.ts';

describe('units are converted to those in which values are stored', () => {
  test.each<[measurand: string, unit: string | undefined, value: number, stored: string, as: number]>([
    ['Energy.Active.Import.Register', 'Wh', 5, 'Wh', 5],
    ['Energy.Active.Import.Register', 'kWh', 1.1, 'Wh', 1_100],
    ['Energy.Active.Import.Register', undefined, 5, 'Wh', 5],
    ['Energy.Reactive.Import.Register', 'kvarh', 2, 'varh', 2_000],
    ['Energy.Reactive.Import.Register', undefined, 2, 'varh', 2],
    ['Power.Active.Import', 'kW', 7.2, 'W', 7_200],
    ['Power.Offered', 'kVA', 11, 'VA', 11_000],
    ['Power.Reactive.Import', 'kvar', 0.5, 'var', 500],
    ['Power.Factor', undefined, 0.98, '', 0.98],
    ['Current.Import', 'A', 16, 'A', 16],
    ['Voltage', undefined, 230, 'V', 230],
    ['Frequency', undefined, 50, 'Hz', 50],
    ['Temperature', 'Celcius', 40, 'Celsius', 40],
    ['Temperature', 'Fahrenheit', 212, 'Celsius', 100],
    ['Temperature', 'K', 300, 'Celsius', 26.85],
    ['SoC', 'Percent', 80, 'Percent', 80],
    ['SoC', '%', 80, '%', 80],
  ])('%s %s %d is stored as %s %d', (measurand, unit, value, stored, as) => {
    expect(normalise(measurand, unit, value)).toEqual({ unit: stored, value: as });
  });
});

const received = new Date('2026-05-01T12:00:00Z');
const map = (...sampledValue: SampledValue[]) =>
  mapMeterValues(1, 7, [{ timestamp: '2026-05-01T11:59:00Z', sampledValue }], received);
const valuesOf = (...samples: SampledValue[]) => map(...samples).events.flatMap((event) => event.values);

describe('a sample is keyed by measurand, phase and location', () => {
  test.each<[SampledValue, string, boolean]>([
    [{ value: '1' }, 'Energy.Active.Import.Register', true],
    [{ value: '1', location: 'Outlet' }, 'Energy.Active.Import.Register', true],
    [{ value: '1', location: 'Inlet' }, 'Energy.Active.Import.Register@Inlet', true],
    [{ value: '1', measurand: 'Voltage', phase: 'L1-N' }, 'Voltage.L1-N', false],
    [{ value: '1', measurand: 'Temperature', phase: 'L1', location: 'Cable' }, 'Temperature.L1@Cable', false],
    [{ value: '1', measurand: 'Energy.Active.Import.Interval' }, 'Energy.Active.Import.Interval', false],
  ])('%j', (sample, key, counter) => {
    expect(valuesOf(sample)).toEqual([expect.objectContaining({ key, counter })]);
  });
});

describe('a value that is not a number is left out and noted', () => {
  test.each(['', 'abc', '0x10', 'Infinity', 'NaN', '1e9999', '1,5', '12 V'])('%j', (value) => {
    const { events, refused } = map({ value });
    expect(events).toEqual([]);
    expect(refused).toEqual(['the value of Energy.Active.Import.Register is not a number']);
  });

  test.each([
    ['1', 1],
    [' -2.5 ', -2.5],
    ['+.5', 0.5],
    ['3.', 3],
    ['1.5e3', 1_500],
  ])('%j is %d', (value, number) => {
    expect(valuesOf({ value })[0]?.value).toBe(number);
  });

  test('signed data is not read', () => {
    const { events, notes } = map({ value: 'c2lnbmVk', format: 'SignedData' }, { value: '1' });
    expect(events).toHaveLength(1);
    expect(notes[0]).toContain('signed data');
  });
});

test('a quantity that occurs twice in one sample counts once, with its last value', () => {
  expect(valuesOf({ value: '1', context: 'Transaction.Begin' }, { value: '2' })).toEqual([
    expect.objectContaining({ value: 2 }),
  ]);
});

test.each(['2031-01-01T00:00:00Z', '2026-05-01T20:00:00Z', '1970-01-01T00:00:00Z'])(
  'readings with the implausible time %s are left out, with a note',
  (timestamp) => {
    const sampledValue = [{ value: '1' }];
    const meterValues = [timestamp, '2026-05-01T11:59:00Z'].map((one) => ({ timestamp: one, sampledValue }));
    const { events, refused } = mapMeterValues(1, null, meterValues, received);
    expect(events.map(({ at }) => at)).toEqual([new Date('2026-05-01T11:59:00Z')]);
    expect(refused).toEqual([expect.stringContaining(`the time ${timestamp} of readings is more than`)]);
  },
);

test('a value with a unit of another quantity is left out, with a note', () => {
  const { events, refused } = map({ value: '230', unit: 'V' }, { value: '16', measurand: 'Current.Import', unit: 'A' });
  expect(events.flatMap(({ values }) => values.map(({ key }) => key))).toEqual(['Current.Import']);
  expect(refused).toEqual(['V is not a unit of Energy.Active.Import.Register; left out']);
});
