import type { Country, Locale } from '@chargehand/contract';
import { Problem } from '../../platform/http/problem.ts';
import { regionData } from './region-data.ts';

/** The region of a place, from the country down; null from the first unknown level on. */
export interface RegionCodes {
  country: string | null;
  province: string | null;
  city: string | null;
}

type Known = Pick<Country, 'code' | 'en' | 'zh'>;

let data: Country[] | undefined;
let known: Map<string, Known> | undefined;

/** Every country with provinces and cities, built on first use. */
export function allRegions(): Country[] {
  data ??= regionData();
  return data;
}

/** Every region by the path of its codes. */
function byPath(): Map<string, Known> {
  if (known) return known;
  known = new Map();
  for (const country of allRegions()) {
    known.set(country.code, country);
    for (const province of country.provinces) {
      known.set(`${country.code}/${province.code}`, province);
      for (const city of province.cities) known.set(`${country.code}/${province.code}/${city.code}`, city);
    }
  }
  return known;
}

/**
 * The names of codes in a language, from the country down. A code that is no longer in the data is shown as the code.
 */
export function regionName({ country, province, city }: RegionCodes, locale: Locale): string {
  if (country === null) return '';
  const codes = [country, province, city].filter((code) => code !== null);
  return codes
    .map((code, index) => {
      const region = byPath().get(codes.slice(0, index + 1).join('/'));
      return region ? (locale === 'zh-CN' ? region.zh : region.en) : code;
    })
    .join(' · ');
}

const LEVELS = ['country', 'province', 'city'] as const;

/**
 * The region of a place after a user entered parts of it. Parts that are not given are unchanged, and levels below a
 * changed part are cleared. @throws Problem `regionUnknown`, `regionWithoutWhole` with the wrong field
 */
export function enteredRegion(
  current: RegionCodes,
  entered: { [K in keyof RegionCodes]?: string | null },
): RegionCodes {
  const next: RegionCodes = { country: null, province: null, city: null };
  let path = '';
  let changed = false;
  for (const [index, level] of LEVELS.entries()) {
    const given = entered[level];
    const code = given === undefined ? (changed ? null : current[level]) : given;
    if (code !== current[level]) changed = true;
    if (code === null) continue;
    const whole = LEVELS[index - 1];
    if (whole !== undefined && next[whole] === null) throw new Problem('regionWithoutWhole', { field: level });
    path = path === '' ? code : `${path}/${code}`;
    // A stored region is kept even when newer data no longer contains it.
    if (given !== undefined && code !== current[level] && !byPath().has(path)) {
      throw new Problem('regionUnknown', { field: level });
    }
    next[level] = code;
  }
  return next;
}

/** The region of a filter such as `CN/440000`. @throws Problem `regionUnknown` */
export function filteredRegion(path: string | undefined): RegionCodes | undefined {
  if (path === undefined) return undefined;
  if (!byPath().has(path)) throw new Problem('regionUnknown', { field: 'region' });
  const [country = null, province = null, city = null] = path.split('/');
  return { country, province, city };
}
