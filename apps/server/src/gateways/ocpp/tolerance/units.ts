/** How a reported unit is converted to the unit in which values are stored. */
interface Conversion {
  unit: string;
  convert(value: number): number;
}

const scale = (unit: string, factor: number): Conversion => ({ unit, convert: (value) => value * factor });
const same = (unit: string): Conversion => ({ unit, convert: (value) => value });

/**
 * Units of OCPP 1.6 §7.45 UnitOfMeasure and the units in which they are stored: multiples of a thousand become base
 * units, temperatures become Celsius (the schema also allows the specification's misspelling Celcius).
 */
const UNITS: ReadonlyMap<string, Conversion> = new Map([
  ['Wh', same('Wh')],
  ['kWh', scale('Wh', 1000)],
  ['varh', same('varh')],
  ['kvarh', scale('varh', 1000)],
  ['W', same('W')],
  ['kW', scale('W', 1000)],
  ['VA', same('VA')],
  ['kVA', scale('VA', 1000)],
  ['var', same('var')],
  ['kvar', scale('var', 1000)],
  ['A', same('A')],
  ['V', same('V')],
  ['Celsius', same('Celsius')],
  ['Celcius', same('Celsius')],
  ['Fahrenheit', { unit: 'Celsius', convert: (value) => ((value - 32) * 5) / 9 }],
  ['K', { unit: 'Celsius', convert: (value) => value - 273.15 }],
  ['Percent', same('Percent')],
]);

/**
 * Default units of measurands without a unit. OCPP 1.6 §7.43: the default is Wh when the measurand is of type Energy;
 * for the others the specification names the unit with the measurand (§7.31).
 */
const DEFAULT_UNITS: readonly [prefix: string, unit: string][] = [
  ['Energy.Reactive', 'varh'],
  ['Energy', 'Wh'],
  ['Power.Factor', ''],
  ['Power.Reactive', 'var'],
  ['Power', 'W'],
  ['Current', 'A'],
  ['Voltage', 'V'],
  ['Temperature', 'Celsius'],
  ['SoC', 'Percent'],
  ['Frequency', 'Hz'],
  ['RPM', 'rpm'],
];

/** A value in the unit in which its quantity is stored. A unit that is not in the table is unchanged. */
export function normalise(measurand: string, unit: string | undefined, value: number): { unit: string; value: number } {
  if (unit === undefined) {
    return { unit: DEFAULT_UNITS.find(([prefix]) => measurand.startsWith(prefix))?.[1] ?? '', value };
  }
  const conversion = UNITS.get(unit);
  if (!conversion) return { unit, value };
  // 1.1 kWh is 1100 Wh, not 1100.0000000000001.
  return { unit: conversion.unit, value: Number(conversion.convert(value).toPrecision(12)) };
}
