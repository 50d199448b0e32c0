import { expect, test } from 'vitest';
import { type AxisQuantity, axisRange } from './chart-axis.ts';

const V: AxisQuantity = { unit: 'V' };

test.each<[string, number | null, number | null, AxisQuantity, [number, number]]>([
  ['no values', null, null, V, [0, 1]],
  ['values that are not numbers', Number.NaN, 3, V, [0, 1]],
  ['a quiet mains voltage is flat', 229.9, 230.1, V, [218.495, 241.505]],
  ['a voltage that leaves its band fills the chart', 190, 250, V, [185.2, 254.8]],
  ['a constant current is flat', 16, 16, { unit: 'A' }, [14.4, 17.6]],
  ['a small current does not go below zero', 0, 0.1, { unit: 'A' }, [0, 2]],
  ['an idle power is no drama', 2, 6, { unit: 'W' }, [0, 500]],
  ['the same in kilowatts', 0.002, 0.006, { unit: 'kW' }, [0, 0.5]],
  ['millivolts', 3_300, 3_301, { unit: 'mV' }, [3_050.5, 3_550.5]],
  ['power in both directions', -1_000, 1_000, { unit: 'W' }, [-1_160, 1_160]],
  [
    'a counter does not hide its increase',
    12_000_000,
    12_001_000,
    { unit: 'Wh', counter: true },
    [11_999_920, 12_001_080],
  ],
  ['a counter that stands is flat', 12_000_000, 12_000_000, { unit: 'Wh', counter: true }, [11_999_750, 12_000_250]],
  ['the frequency of the mains', 49.98, 50.02, { unit: 'Hz' }, [49.4998, 50.5002]],
  ['a temperature', 35.5, 36, { unit: 'Celsius' }, [33.25, 38.25]],
  ['frost', -0.5, 0.5, { unit: 'Celsius' }, [-2.5, 2.5]],
  ['a full battery', 99, 100, { unit: 'Percent' }, [90, 100]],
  ['an empty battery', 0, 1, { unit: '%' }, [0, 10]],
  ['more than all of it', 99, 104, { unit: '%' }, [96.5, 106.5]],
  ['bars begin at zero', 400, 500, { unit: 'Wh', bars: true }, [0, 540]],
  ['few bars', 1, 2, { unit: 'Wh', bars: true }, [0, 500]],
  ['an unknown unit', 100, 100, { unit: 'lx' }, [97.5, 102.5]],
  ['zero of an unknown unit', 0, 0, { unit: '' }, [0, 1]],
])('%s', (_, min, max, quantity, [low, high]) => {
  const range = axisRange(min, max, quantity);
  expect(range[0]).toBeCloseTo(low, 6);
  expect(range[1]).toBeCloseTo(high, 6);
});
