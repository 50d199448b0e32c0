import { expect, test } from 'vitest';
import { unitProblem } from './units.ts';

test.each([
  ['Energy.Active.Import.Register', 'kWh', true],
  ['Energy.Reactive.Import.Register', 'kvarh', true],
  ['Energy.Active.Import.Register', undefined, true],
  ['Energy.Active.Import.Register', 'V', false],
  ['Energy.Active.Import.Interval', 'W', false],
  ['Power.Active.Import', 'Wh', false],
  ['Power.Active.Import.L1', 'kW', true],
  ['Power.Offered', 'A', true],
  ['Power.Factor', 'Percent', true],
  ['Current.Import', 'V', false],
  ['Voltage', 'V', true],
  ['Voltage', 'Celsius', false],
  ['Temperature', 'Celcius', true],
  ['SoC', '%', true],
  ['SoC', 'Wh', false],
  ['Frequency', 'Percent', false],
  ['Battery/SoC', 'Wh', true],
  ['RPM', 'A', true],
])('%s in %s is plausible: %s', (quantity, unit, plausible) => {
  expect(unitProblem(quantity, unit)).toBe(plausible ? null : `${unit} is not a unit of ${quantity}`);
});
