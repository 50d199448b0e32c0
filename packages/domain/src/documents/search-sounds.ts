import type { SearchTerm } from './search-terms.ts';

/*
 * How Chinese text is found by pinyin. Each pair of neighbouring characters is indexed by its two syllables (`jie.di`),
 * with a lexeme for each common reading of the characters at the same position, so that a search is a phrase of pairs,
 * like one for characters. Titles and headings are also indexed by the initials of each pair (`~jd`).
 */

/** The common readings of a Han character, without tones, `ü` as `v`. Empty for a character without any. */
export type Readings = (character: string) => readonly string[];

/** How much a part of a document counts in the ranking: its title, a heading, names of attachments, or text. */
export type SearchWeight = 'A' | 'B' | 'C' | 'D';

/** A part of a search that is read as pinyin: for each syllable what it may be. */
export interface Sound {
  syllables: readonly (readonly string[])[];
  /** the last syllable may be incomplete, because the user is still typing */
  open: boolean;
}

/** Words of a search that are found as they are, or as Chinese text that sounds like one of `sounds`. */
export interface SoundedTerm {
  terms: readonly SearchTerm[];
  sounds: readonly Sound[];
  /** letters that may be the initials of Chinese characters in a title or heading */
  initials: string | null;
}

const SYLLABLES: ReadonlySet<string> = /*#__PURE__*/ readSyllables();
/** Ways to divide letters into syllables that are compared. */
const DIVISIONS = 8;
/** Fewer syllables are too common, and are often English words. */
const LEAST_SYLLABLES = 2;
/** With fewer complete syllables before it, an incomplete one is not searched: most English words start like that. */
const BEFORE_OPEN = 2;
/** Fewer initials are mostly abbreviations of other words. */
const LEAST_INITIALS = 3;
const MOST_INITIALS = 8;
/** Syllables of a character that a search for Chinese text of the same sound compares. */
const READ_AS = 2;
/** The last position of a `tsvector`. */
const LAST_POSITION = 16_383;
const HAN_RUNS = /\p{Script=Han}+/gu;

/** Tells if letters are a syllable of Mandarin. */
export function isSyllable(letters: string): boolean {
  return SYLLABLES.has(letters);
}

/** The sounds of the Chinese text in parts of a section, as the text of a `tsvector`. */
export function indexedSounds(parts: readonly { text: string; weight: SearchWeight }[], readings: Readings): string {
  const positions = new Map<string, string[]>();
  let position = 0;
  const add = (lexeme: string, weight: SearchWeight) => {
    const known = positions.get(lexeme);
    const here = `${position}${weight === 'D' ? '' : weight}`;
    if (known) known.push(here);
    else positions.set(lexeme, [here]);
  };
  for (const { text, weight } of parts) {
    for (const [run] of text.normalize('NFKC').matchAll(HAN_RUNS)) {
      const sounds = [...run].map(readings);
      for (let at = 0; at + 1 < sounds.length && position < LAST_POSITION; at += 1) {
        position += 1;
        for (const pair of pairsOf(sounds[at]!, sounds[at + 1]!)) add(pair, weight);
        if (weight !== 'A' && weight !== 'B') continue;
        for (const pair of initialsOf(sounds[at]!, sounds[at + 1]!)) add(pair, weight);
      }
      // Runs do not follow each other.
      position += 1;
    }
  }
  return [...positions].map(([lexeme, at]) => `'${lexeme}':${at.join(',')}`).join(' ');
}

/**
 * A search with its words read as pinyin. A word of one syllable belongs to its neighbour: `gu zhang` is the same as
 * `guzhang`, but `jiedi guzhang` are two words, which may be far from each other.
 */
export function soundedTerms(terms: readonly SearchTerm[]): SoundedTerm[] {
  const groups: { terms: SearchTerm[]; letters: string | null; last: number }[] = [];
  for (const term of terms) {
    const letters = term.han ? null : pinyinLetters(term.text);
    const count = letters === null ? 0 : (syllablesOf(letters, false)[0]?.length ?? 0);
    const before = groups.at(-1);
    if (before?.letters && letters !== null && count > 0 && before.last > 0 && (count === 1 || before.last === 1)) {
      before.terms.push(term);
      before.letters += `'${letters}`;
      before.last = count + before.last;
    } else {
      groups.push({ terms: [term], letters, last: count });
    }
  }
  return groups.map((group) => ({
    terms: group.terms,
    sounds: group.letters === null ? [] : soundsOf(group.letters),
    // Letters that are syllables are not initials.
    initials: group.letters !== null && group.last === 0 ? initialLetters(group.letters) : null,
  }));
}

/**
 * Other spellings of a word in pinyin, with the apostrophe that users leave out: `zhuangqu'eding` for `zhuangqueding`,
 * which is first of all read as `zhuang que ding`.
 */
export function spellingsOf(word: string): string[] {
  const letters = pinyinLetters(word);
  if (letters === null) return [];
  const spellings = divisionsOf(letters, false)
    .filter(({ syllables, parts }) => parts > 0 && syllables.length - parts >= LEAST_SYLLABLES)
    .map(({ syllables }) => syllables.map((one, at) => (at > 0 && one.length === 1 ? `'${one}` : one)).join(''));
  return [...new Set(spellings)];
}

/** The sounds of Chinese text of three or more characters, by which the text is found with a wrong character. */
export function soundOfHan({ han, text }: SearchTerm, readings: Readings): Sound | null {
  const syllables = [...text].map((character) => readings(character).slice(0, READ_AS));
  if (!han || syllables.length < 3 || syllables.some((read) => read.length === 0)) return null;
  return { syllables, open: false };
}

/** A `tsquery` for the sounds of a term, or null when it has none. `places` are the weights that it is found in. */
export function soundQuery(
  { sounds, initials }: Pick<SoundedTerm, 'sounds' | 'initials'>,
  places: '' | 'AB' = '',
): string | null {
  const label = places === '' ? '' : `:${places}`;
  const phrases = sounds.map(({ syllables, open }) =>
    syllables
      .slice(0, -1)
      .map((first, at) => {
        const last = open && at + 2 === syllables.length;
        const lexemes = pairsOf(first, syllables[at + 1]!).map((pair) => `'${pair}'${last ? `:*${places}` : label}`);
        return lexemes.length === 1 ? lexemes[0] : `(${lexemes.join(' | ')})`;
      })
      .join(' <-> '),
  );
  if (initials !== null) {
    const pairs = [...initials].slice(0, -1).map((first, at) => `'~${first}${initials[at + 1]}'${label}`);
    phrases.push(pairs.join(' <-> '));
  }
  return phrases.length === 0 ? null : phrases.map((phrase) => `(${phrase})`).join(' | ');
}

/** The pieces of a folded text that sound like a search, each once, in the order of the text. */
export function soundAlikes(text: string, sounds: readonly Sound[], readings: Readings): string[] {
  const found = new Set<string>();
  for (const [run] of text.matchAll(HAN_RUNS)) {
    const characters = [...run];
    const read = characters.map(readings);
    for (let at = 0; at < characters.length; at += 1) {
      for (const { syllables, open } of sounds) {
        const end = at + syllables.length;
        if (end > characters.length) continue;
        const alike = syllables.every((options, index) =>
          read[at + index]!.some((sound) =>
            options.some((option) => (open && at + index + 1 === end ? sound.startsWith(option) : sound === option)),
          ),
        );
        if (alike) found.add(characters.slice(at, end).join(''));
      }
    }
  }
  return [...found];
}

/** The letters of a word as pinyin is written on a keyboard: without tones, `ü` as `v`. Null for other words. */
function pinyinLetters(word: string): string | null {
  const plain = word
    .normalize('NFD')
    .replaceAll('u\u0308', 'v')
    .replaceAll(/[\u0300\u0301\u0304\u030C]/g, '')
    .replaceAll(/(?<=[a-z])[1-5]/g, '')
    .replaceAll(/(?<=[ln])ue/g, 've');
  return /^[a-z]+$/.test(plain) ? plain : null;
}

function soundsOf(letters: string): Sound[] {
  const whole = syllablesOf(letters, false);
  const divisions = whole.length > 0 ? whole : syllablesOf(letters, true).filter(({ length }) => length > BEFORE_OPEN);
  return divisions
    .filter(({ length }) => length >= LEAST_SYLLABLES)
    .map((syllables) => ({ syllables: syllables.map((one) => [one]), open: syllables.length > BEFORE_OPEN }));
}

/** The usual ways to divide letters into syllables, of which the last may be `open`. */
function syllablesOf(letters: string, open: boolean): string[][] {
  return divisionsOf(letters, open).flatMap(({ syllables, parts }) => (parts === 0 ? [syllables] : []));
}

/** A way to divide letters into syllables. */
interface Division {
  syllables: string[];
  /** syllables of one vowel that continue the one before them: `qu e` for `que`, which is written `qu'e` */
  parts: number;
}

/**
 * The ways to divide letters into syllables, of which the last may be `open`; those with the fewest `parts` first. An
 * apostrophe divides, too. `xian` is equally often `xi an`.
 */
function divisionsOf(letters: string, open: boolean): Division[] {
  const ends: number[][] = [];
  const isEnd = (from: number, to: number) => {
    const part = letters.slice(from, to);
    if (SYLLABLES.has(part)) return true;
    return open && to === letters.length && [...SYLLABLES].some((syllable) => syllable.startsWith(part));
  };
  const isPart = (at: number, to: number, before: string | undefined) =>
    to - at === 1 && before !== undefined && letters[at - 1] !== "'" && SYLLABLES.has(before + letters[at]);
  // From the end, so that dead ends are not followed.
  const after = (at: number) => (letters[at] === "'" ? at + 1 : at);
  for (let from = letters.length - 1; from >= 0; from -= 1) {
    ends[from] = [6, 5, 4, 3, 2, 1]
      .map((length) => from + length)
      .filter((to) => to <= letters.length && isEnd(from, to))
      .filter((to) => to === letters.length || ends[after(to)]!.length > 0);
  }
  let divisions: (Division & { at: number })[] = [{ syllables: [], parts: 0, at: 0 }];
  while (divisions.some(({ at }) => at < letters.length)) {
    divisions = divisions
      .flatMap((one) =>
        one.at === letters.length
          ? [one]
          : ends[one.at]!.map((to) => ({
              syllables: [...one.syllables, letters.slice(one.at, to)],
              parts: one.parts + (isPart(one.at, to, one.syllables.at(-1)) ? 1 : 0),
              at: after(to),
            })),
      )
      .sort((one, other) => one.parts - other.parts)
      .slice(0, DIVISIONS);
  }
  return divisions;
}

/** Letters that may each be the start of a syllable. */
function initialLetters(letters: string): string | null {
  const { length } = letters;
  return length >= LEAST_INITIALS && length <= MOST_INITIALS && !/[^a-hj-tw-z]/.test(letters) ? letters : null;
}

function pairsOf(first: readonly string[], second: readonly string[]): string[] {
  return first.flatMap((one) => second.map((other) => `${one}.${other}`));
}

function initialsOf(first: readonly string[], second: readonly string[]): string[] {
  return [...new Set(first.flatMap((one) => second.map((other) => `~${one[0]}${other[0]}`)))];
}

function readSyllables(): Set<string> {
  const rows = [
    'a ai an ang ao ba bai ban bang bao bei ben beng bi bian biao bie bin bing bo bu ca cai can cang cao ce cen ceng',
    'cha chai chan chang chao che chen cheng chi chong chou chu chua chuai chuan chuang chui chun chuo ci cong cou cu',
    'cuan cui cun cuo da dai dan dang dao de dei den deng di dia dian diao die ding diu dong dou du duan dui dun duo',
    'e ei en eng er fa fan fang fei fen feng fo fou fu ga gai gan gang gao ge gei gen geng gong gou gu gua guai guan',
    'guang gui gun guo ha hai han hang hao he hei hen heng hong hou hu hua huai huan huang hui hun huo ji jia jian',
    'jiang jiao jie jin jing jiong jiu ju juan jue jun ka kai kan kang kao ke kei ken keng kong kou ku kua kuai kuan',
    'kuang kui kun kuo la lai lan lang lao le lei leng li lia lian liang liao lie lin ling liu lo long lou lu luan',
    'lun luo lv lve ma mai man mang mao me mei men meng mi mian miao mie min ming miu mo mou mu na nai nan nang nao',
    'ne nei nen neng ni nian niang niao nie nin ning niu nong nou nu nuan nuo nv nve o ou pa pai pan pang pao pei pen',
    'peng pi pian piao pie pin ping po pou pu qi qia qian qiang qiao qie qin qing qiong qiu qu quan que qun ran rang',
    'rao re ren reng ri rong rou ru rua ruan rui run ruo sa sai san sang sao se sen seng sha shai shan shang shao she',
    'shei shen sheng shi shou shu shua shuai shuan shuang shui shun shuo si song sou su suan sui sun suo ta tai tan',
    'tang tao te tei teng ti tian tiao tie ting tong tou tu tuan tui tun tuo wa wai wan wang wei wen weng wo wu xi',
    'xia xian xiang xiao xie xin xing xiong xiu xu xuan xue xun ya yan yang yao ye yi yin ying yo yong you yu yuan',
    'yue yun za zai zan zang zao ze zei zen zeng zha zhai zhan zhang zhao zhe zhei zhen zheng zhi zhong zhou zhu zhua',
    'zhuai zhuan zhuang zhui zhun zhuo zi zong zou zu zuan zui zun zuo',
  ];
  return new Set(rows.flatMap((row) => row.split(' ')));
}
