import { expect, test } from 'vitest';
import { indexedSounds, soundAlikes, soundedTerms, soundOfHan, soundQuery, spellingsOf } from './search-sounds.ts';
import { searchTerms } from './search-terms.ts';

/** Readings of some characters. */
const READ: Record<string, string[]> = {
  ...{ 接: ['jie'], 地: ['di', 'de'], 故: ['gu'], 障: ['zhang'], 固: ['gu'], 西: ['xi'], 安: ['an'], 先: ['xian'] },
  ...{ 绿: ['lv', 'lu'], 重: ['zhong', 'chong'], 启: ['qi'] },
};
const readings = (character: string) => READ[character] ?? [];

test.each([
  ['接地', 'D', "'jie.di':1 'jie.de':1"],
  ['接地', 'A', "'jie.di':1A 'jie.de':1A '~jd':1A"],
  ['重启', 'B', "'zhong.qi':1B 'chong.qi':1B '~zq':1B '~cq':1B"],
  ['接地，故障', 'D', "'jie.di':1 'jie.de':1 'gu.zhang':3"],
  ['接', 'A', ''],
  ['CCU', 'A', ''],
] as const)('the sounds of %s with the weight %s are %s', (text, weight, indexed) => {
  expect(indexedSounds([{ text, weight }], readings)).toBe(indexed);
});

/** The sounds that a search is looked for by. */
function read(search: string): string[] {
  return soundedTerms(searchTerms(search)).map((part) => soundQuery(part) ?? '-');
}

test.each<[string, string[]]>([
  ['jiedi', ["('jie.di')"]],
  ['JieDi', ["('jie.di')"]],
  ['jie di', ["('jie.di')"]],
  ["jie'di", ["('jie.di')"]],
  ['jiēdì', ["('jie.di')"]],
  ['jie1di4', ["('jie.di')"]],
  ['jiediguzhang', ["('jie.di' <-> 'di.gu' <-> 'gu.zhang':*)"]],
  ['jie di gu zhang', ["('jie.di' <-> 'di.gu' <-> 'gu.zhang':*)"]],
  ['jiedi guzhang', ["('jie.di')", "('gu.zhang')"]],
  ['jiedi gu zhang', ["('jie.di' <-> 'di.gu' <-> 'gu.zhang':*)"]],
  ['jiedig', ["('jie.di' <-> 'di.g':*)"]],
  ['lüdi', ["('lv.di')"]],
  ['lǜdi', ["('lv.di')"]],
  ['lueduan', ["('lve.duan') | ('lve.du' <-> 'du.an':*)"]],
  // More than one division is possible.
  ['fangan', ["('fang.an') | ('fan.gan')"]],
  ['xian', ["('xi.an')"]],
  ['eding', ["('e.ding')"]],
  ["qu'eding", ["('qu.e' <-> 'e.ding':*)"]],
  // Too short: one syllable, and two with an incomplete one.
  ['jie', ['-']],
  ['jied', ['-']],
  ['jdgz', ["('~jd' <-> '~dg' <-> '~gz')"]],
  ['jd', ['-']],
  ['v2g', ['-']],
  ['chaoe', ["('chao.e')"]],
  ['contactor', ['-']],
  ['接地', ['-']],
])('%s is looked for by the sounds %j', (search, sounds) => {
  expect(read(search)).toEqual(sounds);
});

test.each([
  ['zhuangqueding', ["zhuangqu'eding"]],
  ['quedianque', ["quedianqu'e", "qu'edianque", "qu'edianqu'e"]],
  ['jiedi', ["ji'edi"]],
  // One syllable, words that are not pinyin, and text without such a vowel.
  ['que', []],
  ['connector', []],
  ['v2g', []],
  ['guzhang', []],
])('%s may also be spelled %j', (word, spellings) => {
  expect(spellingsOf(word)).toEqual(spellings);
});

test('a search may be limited to titles and headings', () => {
  const [part] = soundedTerms(searchTerms('jiediguzhang'));
  expect(soundQuery(part!, 'AB')).toBe("('jie.di':AB <-> 'di.gu':AB <-> 'gu.zhang':*AB)");
});

test('Chinese text with a wrong character is looked for by its sound', () => {
  const [term] = searchTerms('接地固障');
  const sound = soundOfHan(term!, readings)!;
  const query = soundQuery({ sounds: [sound], initials: null });
  expect(query).toBe("(('jie.di' | 'jie.de') <-> ('di.gu' | 'de.gu') <-> 'gu.zhang')");
  expect(soundAlikes('请检查接地故障。', [sound], readings)).toEqual(['接地故障']);
  expect(soundOfHan(searchTerms('固障')[0]!, readings)).toBeNull();
});

test('what is found by pinyin is marked in the text', () => {
  const marked = (search: string, text: string) =>
    soundAlikes(
      text,
      soundedTerms(searchTerms(search)).flatMap(({ sounds }) => sounds),
      readings,
    );
  expect(marked('xian', '西安先')).toEqual(['西安']);
  expect(marked('jiediguz', '有接地故障')).toEqual(['接地故障']);
  expect(marked('jiedi', '接地接地')).toEqual(['接地']);
});

test('the longest search is divided in bounded time', () => {
  expect(soundedTerms(searchTerms('a'.repeat(200)))).toHaveLength(1);
  expect(soundedTerms(searchTerms(`${'xian'.repeat(49)}q`))).toHaveLength(1);
});
