import type { ReadingItem } from '@chargehand/contract';

/** A quantity of a connector, as in the URL. */
export function itemOf({ connector, key }: Pick<ReadingItem, 'connector' | 'key'>): string {
  return `${connector}:${key}`;
}

/** The default quantities: power, and the state of charge of the vehicle or the battery. */
const FIRST_KEYS = [
  ...['Power.Active.Import', 'SoC', 'Current.Import', 'Voltage', 'Energy.Active.Import.Register'],
  ...['Battery/SoC', 'Battery/Power', 'Grid/Power'],
];
/** For devices with other keys: units of quantities that change over time. */
const FIRST_UNITS: readonly string[] = ['W', 'kW', '%', 'Percent', 'A', 'V', '°C', 'Celsius'];
/** Rated values, which do not change. */
const FIXED = /rated|nominal|max|min|limit/i;
const FIRST_COUNT = 3;

/** The default quantities of the first connector that has any, in order of importance. */
export function firstItems(items: readonly ReadingItem[]): string[] {
  const connectors = [...new Set(items.map(({ connector }) => connector))].sort((a, b) => a - b);
  const connector = connectors.find((one) => one > 0) ?? connectors[0];
  const of = items.filter((item) => item.connector === connector);
  const groups = FIRST_KEYS.map((first) => of.filter(({ key }) => key.split(/\.L\d|@/)[0] === first));
  const known = groups.filter((group) => group.length > 0).slice(0, FIRST_COUNT);
  if (known.length > 0) return known.flat().map(itemOf);
  const moving = FIRST_UNITS.flatMap((unit) => of.filter((item) => item.unit === unit && !FIXED.test(item.key)));
  return (moving.length > 0 ? moving : of).slice(0, FIRST_COUNT).map(itemOf);
}
