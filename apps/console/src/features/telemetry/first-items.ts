import type { ReadingItem } from '@chargehand/contract';
import { itemOf } from './chart-queries.ts';

/** What is shown before anybody chose: how much power flows, and what the vehicle or the battery has. */
const FIRST_KEYS = ['Power.Active.Import', 'SoC', 'Current.Import', 'Voltage', 'Energy.Active.Import.Register'];
const FIRST_COUNT = 3;

/** Some quantities of the first connector that has any, in the order in which one wants to see them. */
export function firstItems(items: readonly ReadingItem[]): string[] {
  const connectors = [...new Set(items.map(({ connector }) => connector))].sort((a, b) => a - b);
  const connector = connectors.find((one) => one > 0) ?? connectors[0];
  const of = items.filter((item) => item.connector === connector);
  const groups = FIRST_KEYS.map((first) => of.filter(({ key }) => key.split(/\.L\d|@/)[0] === first));
  const known = groups.filter((group) => group.length > 0).slice(0, FIRST_COUNT);
  return (known.length > 0 ? known.flat() : of.slice(0, FIRST_COUNT)).map(itemOf);
}
