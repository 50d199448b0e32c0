import type { DictionaryEntry, DictionaryValue } from './dictionaries.ts';

/** The levels of regions, from the largest down. Each region but a country is part of one of the level above. */
export const REGION_LEVELS = ['country', 'province', 'city'] as const;
export type RegionLevel = (typeof REGION_LEVELS)[number];

/** Codes are as long as the columns of customers and sites allow. */
export const REGION_CODE_LENGTH = { least: 2, most: 10 } as const;

/** Regions by code, a region before those below it. Countries have no `parent`. */
export type RegionValues = ReadonlyMap<string, DictionaryValue>;

/** The region of a code as it applies; undefined: there is none. An installation does not move shipped regions. */
export function regionValue(shipped: RegionValues, stored: RegionValues, code: string): DictionaryValue | undefined {
  const [own, byDefault] = [stored.get(code), shipped.get(code)];
  if (own === undefined || byDefault === undefined) return own ?? byDefault;
  return { ...own, parent: byDefault.parent };
}

/**
 * All regions: countries in the order of their English names, each followed by its provinces, and these by their cities. A
 * region whose parent is no longer shipped is missing, because nothing can be below it.
 */
export function regionEntries(shipped: RegionValues, stored: RegionValues): DictionaryEntry[] {
  const names = new Intl.Collator('en');
  const parts = new Map<string | undefined, DictionaryEntry[]>();
  for (const code of new Set([...shipped.keys(), ...stored.keys()])) {
    const value = regionValue(shipped, stored, code);
    if (value === undefined) continue;
    const entry = { ...value, code, byDefault: shipped.get(code) ?? null, changed: stored.has(code) };
    const siblings = parts.get(value.parent) ?? [];
    siblings.push(entry);
    parts.set(value.parent, siblings);
  }
  const below = (parent: string | undefined, depth: number): DictionaryEntry[] => {
    if (depth === REGION_LEVELS.length) return [];
    const siblings = parts.get(parent) ?? [];
    siblings.sort((a, b) => names.compare(a.nameEn, b.nameEn) || (a.code < b.code ? -1 : 1));
    return siblings.flatMap((entry) => [entry, ...below(entry.code, depth + 1)]);
  };
  return below(undefined, 0);
}

/** The codes of a region and those above it, from the country down; empty when one of them does not exist. */
export function regionPath(regions: ReadonlyMap<string, { parent?: string }>, code: string): string[] {
  const path: string[] = [];
  for (let at: string | undefined = code; at !== undefined; ) {
    const region: { parent?: string } | undefined = regions.get(at);
    if (region === undefined || path.length === REGION_LEVELS.length) return [];
    path.unshift(at);
    at = region.parent;
  }
  return path;
}

export type RegionFault = 'nameEmpty' | 'nameTaken' | 'codeLength' | 'parentUnknown' | 'tooDeep';

/**
 * Why a region cannot get a value; null: it can. Names that an installation enters differ from those of the other regions
 * with the same parent. Shipped names may be the same, such as those of a town and the area around it. `value` null: the
 * region is removed or gets its default.
 */
export function regionFault(
  entries: readonly DictionaryEntry[],
  code: string,
  value: DictionaryValue | null,
): { fault: RegionFault; field: 'code' | 'parent' | 'nameEn' | 'nameZh' } | null {
  if (value === null) return null;
  const regions = new Map(entries.map((one) => [one.code, one]));
  const byDefault = regions.get(code)?.byDefault;
  const parent = byDefault ? byDefault.parent : value.parent;
  if (!byDefault && (code.length < REGION_CODE_LENGTH.least || code.length > REGION_CODE_LENGTH.most)) {
    return { fault: 'codeLength', field: 'code' };
  }
  if (parent !== undefined) {
    const above = regionPath(regions, parent);
    if (above.length === 0 || above.includes(code)) return { fault: 'parentUnknown', field: 'parent' };
    if (above.length === REGION_LEVELS.length) return { fault: 'tooDeep', field: 'parent' };
  }
  const siblings = entries.filter((one) => one.parent === parent && one.code !== code);
  for (const field of ['nameEn', 'nameZh'] as const) {
    const name = value[field];
    if (name.trim() === '') return { fault: 'nameEmpty', field };
    if (name === byDefault?.[field]) continue;
    if (siblings.some((one) => one[field].toLowerCase() === name.toLowerCase())) return { fault: 'nameTaken', field };
  }
  return null;
}

/** The region codes of a place, from the country down; null from the first unknown level on. */
export type RegionCodes = Record<RegionLevel, string | null>;

/**
 * The region of a place after a user entered parts of it. Parts that are not given are unchanged, and levels below a
 * changed part are cleared. A region that the place has already is kept, also when it is turned off or no longer exists.
 */
export function placedRegion(
  current: RegionCodes,
  entered: Partial<RegionCodes>,
  regionOf: (code: string) => Pick<DictionaryValue, 'enabled' | 'parent'> | undefined,
): RegionCodes | { fault: 'unknown' | 'withoutWhole' | 'off'; field: RegionLevel } {
  const next: RegionCodes = { country: null, province: null, city: null };
  let changed = false;
  let above: string | undefined;
  for (const [index, level] of REGION_LEVELS.entries()) {
    const given = entered[level];
    const code = given === undefined ? (changed ? null : current[level]) : given;
    if (code !== current[level]) changed = true;
    if (code === null) {
      above = undefined;
      continue;
    }
    if (index > 0 && above === undefined) return { fault: 'withoutWhole', field: level };
    if (changed) {
      const region = regionOf(code);
      if (region === undefined || region.parent !== above) return { fault: 'unknown', field: level };
      if (!region.enabled) return { fault: 'off', field: level };
    }
    next[level] = code;
    above = code;
  }
  return next;
}
