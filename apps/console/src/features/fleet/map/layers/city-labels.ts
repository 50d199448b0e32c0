import type { Locale } from '@chargehand/contract';
import { type MapWindow, pointOf } from '../plane.ts';
import { ALL_CITIES } from './cities.ts';

/** The space of a label, in pixels: its height, and the width of a character of a language. */
const HEIGHT = 16;
const CHARACTER: Readonly<Record<Locale, number>> = { 'en-US': 7, 'zh-CN': 12 };
/** Between the dot of a city and its name. */
export const DOT_GAP = 5;

/** A city on the plane. */
interface CityLabel {
  name: string;
  x: number;
  y: number;
}

const PLACED = ALL_CITIES.map((city) => {
  const [x, y] = pointOf(city);
  return { city, x, y };
});

/** The cities of a window whose names have room, the larger ones first. */
export function citiesIn(window: MapWindow, ratio: number, pixels: number, locale: Locale): CityLabel[] {
  const unit = window.width / pixels;
  const shown: (CityLabel & { right: number })[] = [];
  for (const { city, x, y } of PLACED) {
    const inSight = Math.abs(x - window.x) < window.width / 2 && Math.abs(y - window.y) < (window.width * ratio) / 2;
    if (window.width > city.widest || !inSight) continue;
    const name = city.names[locale];
    const right = x + (DOT_GAP + name.length * CHARACTER[locale]) * unit;
    const overlaps = shown.some((one) => Math.abs(one.y - y) < HEIGHT * unit && x < one.right && one.x < right);
    if (!overlaps) shown.push({ name, x, y, right });
  }
  return shown.map(({ name, x, y }) => ({ name, x, y }));
}
