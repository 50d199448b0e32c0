import type { Country, Locale } from '@chargehand/contract';
import {
  type DictionaryEntry,
  type DictionaryValue,
  placedRegion,
  type RegionCodes,
  type RegionValues,
  regionEntries,
  regionValue,
} from '@chargehand/domain';
import type { Kysely } from 'kysely';
import { keepDictionary, storedValues } from '../../dictionaries/index.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import type { Database } from '../../platform/database/schema.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { Log } from '../../platform/log.ts';
import { DICTIONARY_CHANGED } from '../../ports/settings/dictionaries.ts';
import { regionData } from './region-data.ts';

/** The regions of the installation: the shipped ones with its names, and its own. */
export interface Regions {
  /** every country with provinces and cities; the same object until a region changes */
  all(): Country[];
  /** The names of codes in a language, from the country down. A code that does not exist is shown as the code. */
  name(codes: RegionCodes, locale: Locale): string;
  /** The region of a filter such as `CN/440000`. @throws Problem `regionUnknown` */
  filtered(path: string | undefined): RegionCodes | undefined;
  /**
   * The region of a place after a user entered parts of it. An entered region is not removed before the end of the
   * transaction. @throws Problem `regionUnknown`, `regionWithoutWhole`, `regionOff` with the wrong field
   */
  entered(trx: Kysely<Database>, current: RegionCodes, entered: Partial<RegionCodes>): Promise<RegionCodes>;
  /** Reads again what the installation changed. */
  reload(): Promise<void>;
  stop(): void;
}

type Known = Pick<Country, 'code' | 'en' | 'zh'>;

let data: Country[] | undefined;
let values: Map<string, DictionaryValue> | undefined;

/** Every shipped country with provinces and cities, built on first use. */
export function allRegions(): Country[] {
  data ??= regionData();
  return data;
}

/** The shipped regions as entries of their dictionary. */
export function shippedRegions(): RegionValues {
  if (values) return values;
  values = new Map();
  const add = ({ code, en, zh }: Known, parent?: string) =>
    values!.set(code, { nameEn: en, nameZh: zh, enabled: true, position: 0, ...(parent !== undefined && { parent }) });
  for (const country of allRegions()) {
    add(country);
    for (const province of country.provinces) {
      add(province, country.code);
      for (const city of province.cities) add(city, province.code);
    }
  }
  return values;
}

const FAULTS = { unknown: 'regionUnknown', withoutWhole: 'regionWithoutWhole', off: 'regionOff' } as const;

/**
 * Keeps the regions of the installation in this process. What it changed is read at the start, and again after each change
 * in any process, so lists need no query for names.
 */
export async function openRegions(parts: { db: Kysely<Database>; bus: Bus; log: Log }): Promise<Regions> {
  const { db, bus, log } = parts;
  let stored: RegionValues = new Map();
  let built: { countries: Country[]; byPath: Map<string, Known> } | undefined;
  let reading: Promise<void> = Promise.resolve();

  /** One at a time, so that an older answer never replaces a newer one. */
  function reload(): Promise<void> {
    const next = reading.then(async () => {
      stored = await storedValues(db, 'regions');
      built = undefined;
    });
    reading = next.catch(() => undefined);
    return next;
  }
  const current = () => {
    built ??= build(stored);
    return built;
  };

  await reload();
  const readAgain = () => {
    void reload().catch((error) => log.error({ err: error }, 'the regions could not be read again'));
  };
  const stops = [
    bus.subscribe(DICTIONARY_CHANGED, ({ dictionary }) => {
      if (dictionary === 'regions') readAgain();
    }),
    bus.onGap(readAgain),
  ];
  const stop = () => {
    for (const one of stops) one();
  };
  return {
    all: () => current().countries,

    name({ country, province, city }, locale) {
      if (country === null) return '';
      const codes = [country, province, city].filter((code) => code !== null);
      return codes
        .map((code, index) => {
          const region = current().byPath.get(codes.slice(0, index + 1).join('/'));
          return region ? (locale === 'zh-CN' ? region.zh : region.en) : code;
        })
        .join(' · ');
    },

    filtered(path) {
      if (path === undefined) return undefined;
      if (!current().byPath.has(path)) throw new Problem('regionUnknown', { field: 'region' });
      const [country = null, province = null, city = null] = path.split('/');
      return { country, province, city };
    },

    async entered(trx, place, { country, province, city }) {
      const given = { country, province, city };
      const same = Object.entries(given).every(
        ([level, code]) => code === undefined || code === place[level as keyof RegionCodes],
      );
      if (same) return { country: place.country, province: place.province, city: place.city };
      await keepDictionary(trx, 'regions');
      const own = await storedValues(trx, 'regions');
      const placed = placedRegion(place, given, (code) => regionValue(shippedRegions(), own, code));
      if ('fault' in placed) throw new Problem(FAULTS[placed.fault], { field: placed.field });
      return placed;
    },

    reload,
    stop,
  };
}

/** The regions as a tree, and by the path of their codes. */
function build(stored: RegionValues): { countries: Country[]; byPath: Map<string, Known> } {
  const countries = stored.size === 0 ? allRegions() : treeOf(regionEntries(shippedRegions(), stored));
  const byPath = new Map<string, Known>();
  for (const country of countries) {
    byPath.set(country.code, country);
    for (const province of country.provinces) {
      byPath.set(`${country.code}/${province.code}`, province);
      for (const city of province.cities) byPath.set(`${country.code}/${province.code}/${city.code}`, city);
    }
  }
  return { countries, byPath };
}

/** Entries, each before those below it, as countries with their provinces and cities. */
function treeOf(entries: readonly DictionaryEntry[]): Country[] {
  const countries = new Map<string, Country>();
  const provinces = new Map<string, Country['provinces'][number]>();
  for (const { code, nameEn: en, nameZh: zh, enabled, parent } of entries) {
    const region = { code, en, zh, ...(!enabled && { off: true as const }) };
    const country = countries.get(parent ?? '');
    if (parent === undefined) countries.set(code, { ...region, provinces: [] });
    else if (country) {
      const province = { ...region, cities: [] };
      provinces.set(code, province);
      country.provinces.push(province);
    } else provinces.get(parent)?.cities.push(region);
  }
  return [...countries.values()];
}
