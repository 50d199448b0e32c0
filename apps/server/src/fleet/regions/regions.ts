import type { Country, Locale } from '@chargehand/contract';
import { Problem } from '../../platform/http/problem.ts';
import { regionData } from './region-data.ts';

/** Where a place is, from the whole to the part; null from where it is not known. */
export interface RegionCodes {
  country: string | null;
  province: string | null;
  city: string | null;
}

type Known = Pick<Country, 'code' | 'en' | 'zh'>;

let data: Country[] | undefined;
let known: Map<string, Known> | undefined;

/** Every country with provinces and cities; put together when it is first asked for. */
export function allRegions(): Country[] {
  data ??= regionData();
  return data;
}

/** Every region under the path of its codes. */
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

/** The names of codes in a language, from the whole to the part; a code that the data does not know any more stands for itself. */
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
 * The region of a place after somebody entered parts of it: what is not given stays, and what lay below a part that
 * changed is forgotten. @throws Problem `regionUnknown`, `regionWithoutWhole` with the field at fault
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
    // What was stored is kept even when newer data does not know it any more.
    if (given !== undefined && code !== current[level] && !byPath().has(path)) {
      throw new Problem('regionUnknown', { field: level });
    }
    next[level] = code;
  }
  return next;
}

/** The region that a filter such as `CN/440000` names. @throws Problem `regionUnknown` */
export function filteredRegion(path: string | undefined): RegionCodes | undefined {
  if (path === undefined) return undefined;
  if (!byPath().has(path)) throw new Problem('regionUnknown', { field: 'region' });
  const [country = null, province = null, city = null] = path.split('/');
  return { country, province, city };
}
