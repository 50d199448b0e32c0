import { readingsOf } from '../../apps/server/src/platform/search/readings.ts';
import { searchWords } from '../../apps/server/src/platform/search/search-words.ts';
import { type CorpusText, findPlainly, fold, type Query, sequence, wordsOf } from './corpus.ts';

const HAN_RUNS = /\p{Script=Han}+/gu;
const VOWELS = /[aeiouv]/;

/** Searches in pinyin, by initials, and with typing errors, that nothing contains as they are. The same in every run. */
export function mistypedFrom(corpus: readonly CorpusText[], each: number, isFound: (text: string) => boolean): Query[] {
  const random = sequence(13);
  const pick = <T>(from: readonly T[]): T => from[random(from.length)]!;
  const runsOf = (texts: readonly string[], least: number) =>
    texts.flatMap((text) => fold(text).match(HAN_RUNS) ?? []).filter((run) => run.length >= least);
  const piece = (runs: readonly string[], length: number) => {
    const run = pick(runs);
    const start = random(run.length - length + 1);
    return run.slice(start, start + length);
  };
  const runs = runsOf(
    corpus.flatMap(({ sections }) => sections),
    4,
  );
  const headings = runsOf(
    corpus.flatMap((text) => text.headings),
    4,
  );
  const words = wordsOf(corpus).filter((word) => /^[a-z]{5,}$/.test(word));
  const characters = Map.groupBy([...new Set(runs.join(''))], (character) => readingsOf(character)[0]);
  const make = (kind: string, query: () => Omit<Query, 'kind'> | null) => {
    const made: Query[] = [];
    while (made.length < each) {
      const one = query();
      if (one && !isFound(one.text)) made.push({ kind, ...one });
    }
    return made;
  };
  const inFull = () => {
    const meant = piece(runs, 2 + random(3));
    return { text: searchWords(meant).split(' ')[0]!, meant };
  };
  const initials = () => {
    const meant = piece(headings, 3 + random(2));
    const text = [...meant].map((character) => readingsOf(character)[0]![0]).join('');
    return VOWELS.test(text) ? null : { text, meant };
  };
  const typo = () => {
    const meant = pick(words);
    const once = withError(meant, random);
    const text = meant.length > 9 && random(2) === 0 ? withError(once, random) : once;
    return text.length < 4 ? null : { text, meant };
  };
  const homophone = () => {
    const meant = piece(runs, 3 + random(2));
    const at = random(meant.length);
    const other = pick(characters.get(readingsOf(meant[at]!)[0])!);
    return { text: meant.slice(0, at) + other + meant.slice(at + 1), meant };
  };
  return [
    ...make('pinyin', inFull),
    ...make('initials', initials),
    ...make('typing error', typo),
    ...make('wrong Chinese character', homophone),
  ];
}

/** A word with one wrong, missing, additional or swapped letter. */
function withError(word: string, random: (limit: number) => number): string {
  const at = random(word.length);
  const letter = String.fromCodePoint(97 + random(26));
  const [before, here, after] = [word.slice(0, at), word[at]!, word.slice(at + 1)];
  const errors = [before + letter + after, before + after, before + letter + here + after];
  errors.push(before + after.slice(0, 1) + here + after.slice(1));
  return errors[random(errors.length)]!;
}

/** The texts that must be found for a search, and all that may be. */
export interface Expected {
  must: ReadonlySet<string>;
  may: ReadonlySet<string>;
}

/** What a search in pinyin or by initials finds: texts with what was meant, and others that sound the same. */
export function expectedBySound(corpus: readonly CorpusText[], { kind, text, meant }: Query): Expected {
  const within =
    kind === 'initials' ? (one: CorpusText) => one.headings : (one: CorpusText) => [one.shared, ...one.sections];
  const that = (test: (part: string) => boolean) =>
    new Set(corpus.flatMap((one) => (within(one).some((part) => test(fold(part))) ? [`${one.id} ${one.locale}`] : [])));
  const must = that((part) => part.includes(meant!));
  return { must, may: new Set([...must, ...that((part) => soundsLike(part, text, kind === 'initials'))]) };
}

/** Tells if Chinese text somewhere in a part can be read as these letters. The last syllable may be incomplete. */
function soundsLike(part: string, letters: string, initials: boolean): boolean {
  const from = (run: readonly (readonly string[])[], at: number, rest: string, count: number): boolean => {
    if (rest === '') return count > 1;
    return (run[at] ?? []).some((reading) => {
      const read = initials ? reading[0]! : reading;
      if (rest.startsWith(read)) return from(run, at + 1, rest.slice(read.length), count + 1);
      return count > 1 && read.startsWith(rest);
    });
  };
  return readRuns(part).some((run) => run.some((_, at) => from(run, at, letters, 0)));
}

const read = new Map<string, (readonly string[])[][]>();
/** The readings of the characters of each run of Chinese. */
function readRuns(part: string): (readonly string[])[][] {
  let runs = read.get(part);
  if (!runs) {
    runs = (part.match(HAN_RUNS) ?? []).map((run) => [...run].map(readingsOf));
    read.set(part, runs);
  }
  return runs;
}

/** Tells if a correction is one of the most similar words, or Chinese text that sounds the same. */
export function isRightCorrection(words: readonly string[], { kind, text }: Query, corrected: string | null): boolean {
  if (corrected === null) return false;
  if (kind === 'typing error') {
    const distance = differences(text, corrected);
    if (distance > (text.length < 8 ? 1 : 2)) return false;
    return !words.some((word) => /^[a-z]{3,}$/.test(word) && differences(text, word) < distance);
  }
  return (
    corrected.length === text.length &&
    [...corrected].every((character, at) => readingsOf(character).some((read) => readingsOf(text[at]!).includes(read)))
  );
}

/** The differences between two words, by the plain definition: of the best last step. */
function differences(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > 2) return 3;
  const known = new Map<number, number>();
  const between = (at: number, to: number): number => {
    if (at === 0 || to === 0) return at + to;
    const key = at * 100 + to;
    const found = known.get(key);
    if (found !== undefined) return found;
    const same = one[at - 1] === other[to - 1];
    let least = Math.min(between(at - 1, to) + 1, between(at, to - 1) + 1, between(at - 1, to - 1) + (same ? 0 : 1));
    if (at > 1 && to > 1 && one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1]) {
      least = Math.min(least, between(at - 2, to - 2) + 1);
    }
    known.set(key, least);
    return least;
  };
  return between(one.length, other.length);
}

/** The texts that a corrected search finds. */
export function expectedOf(corpus: readonly CorpusText[], text: string, stemOf: ReadonlyMap<string, string>): Expected {
  const must = new Set(findPlainly(corpus, { kind: '', text }, stemOf));
  const letters = text.replaceAll(' ', '');
  const sounding = corpus.flatMap((one) =>
    /^[a-z]+$/.test(letters) &&
    [one.title, one.shared, ...one.sections].some((part) => soundsLike(fold(part), letters, false))
      ? [`${one.id} ${one.locale}`]
      : [],
  );
  return { must, may: new Set([...must, ...sounding]) };
}
