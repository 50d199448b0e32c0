import { pinyin } from 'pinyin-pro';

/**
 * Further words by which a name is found, as one text: its pinyin in full and as initials, the places inside a Chinese
 * word where a search may start, and its form in NFKC if that differs. Empty for a plain Latin name. `深圳站` is found
 * by `shenzhen`, `sz` and `圳站`.
 */
export function searchWords(name: string): string {
  const plain = searchable(name);
  const words = new Set<string>();
  if (plain !== name.toLowerCase()) words.add(plain);
  const read = plain.split(' ').map(readWord);
  for (const { letters, starts } of read) for (const word of [...letters, ...starts]) words.add(word);
  // Without blanks between the words of the name, too.
  if (read.length > 1 && read.some(({ letters }) => letters.length > 0)) {
    const whole = readWord(plain.replaceAll(' ', ''));
    for (const word of whole.letters) words.add(word);
  }
  return [...words].join(' ');
}

/** The column of a name that is written, with what it is found by; nothing when the name is not written. */
export function searchWordsOf(name: string | undefined): { search_words?: string } {
  return name === undefined ? {} : { search_words: searchWords(name) };
}

/** A text as searches compare it: NFKC, lower case, single blanks. */
export function searchable(text: string): string {
  return text.normalize('NFKC').toLowerCase().trim().replaceAll(/\s+/g, ' ');
}

const HAN = /\p{Script=Han}/u;

/**
 * One word of a name: its letters in pinyin, in full and as initials, and the starts of searches inside it. An index of
 * trigrams finds a part of three letters anywhere, but fewer only at the start of a word.
 */
function readWord(word: string): { letters: string[]; starts: string[] } {
  if (!HAN.test(word)) return { letters: [], starts: [] };
  const parts = pinyin(word, { type: 'all', toneType: 'none', v: true, nonZh: 'spaced' });
  const syllables = parts.map(({ isZh, pinyin: syllable, origin }) => (isZh ? syllable : origin));
  const initials = parts.map(({ isZh, pinyin: syllable, origin }) => (isZh ? syllable.slice(0, 1) : origin));
  const pairs = (texts: readonly string[]) =>
    parts.flatMap(({ isZh }, at) => {
      const starts = at > 0 && (isZh || parts[at - 1]?.isZh);
      return starts ? [texts.slice(at, at + 2).join('')] : [];
    });
  return {
    letters: [syllables.join(''), initials.join('')],
    starts: [...pairs(parts.map(({ origin }) => origin)), ...pairs(initials)],
  };
}
