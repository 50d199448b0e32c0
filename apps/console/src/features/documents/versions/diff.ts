import { type ContentNode, cleanContent, type DocumentContent, textOfContent } from '@chargehand/domain';
import { diffArrays, diffWordsWithSpace } from 'diff';

/** A part of a text that only one of two versions has, or both. */
export interface WordChange {
  kind: 'same' | 'removed' | 'added';
  text: string;
}

/** A difference between two versions, in the order of the text. */
export type BlockChange =
  | { kind: 'same' | 'removed' | 'added'; blocks: ContentNode[] }
  | { kind: 'changed'; before: ContentNode; after: ContentNode; words: WordChange[] };

/** Longer texts are shown as replaced as a whole: comparing their words would block the page. */
const WORDS_LENGTH = 20_000;
/** Maximum number of changed blocks; more are shown as one replaced text. */
const MOST_CHANGES = 3_000;

/** The differences between two contents: by blocks, and by words within blocks that were changed. */
export function diffContents(before: DocumentContent, after: DocumentContent, locale: string): BlockChange[] {
  const [old, current] = [blocksOf(before), blocksOf(after)];
  const parts = diffArrays(
    old.map((node) => JSON.stringify(node)),
    current.map((node) => JSON.stringify(node)),
    { maxEditLength: MOST_CHANGES },
  ) ?? [
    { removed: true, added: false, count: old.length },
    { removed: false, added: true, count: current.length },
  ];
  const segmenter = new Intl.Segmenter(locale, { granularity: 'word' });
  const changes: BlockChange[] = [];
  let [at, place] = [0, 0];
  for (const { removed, added, count = 0 } of parts) {
    if (removed) {
      changes.push({ kind: 'removed', blocks: old.slice(at, at + count) });
      at += count;
      continue;
    }
    const blocks = current.slice(place, place + count);
    place += count;
    if (!added) at += count;
    const previous = changes.at(-1);
    if (added && previous?.kind === 'removed') {
      changes.pop();
      changes.push(...paired(previous.blocks, blocks, segmenter));
    } else changes.push({ kind: added ? 'added' : 'same', blocks });
  }
  return changes;
}

/** A text of a field as a content: a paragraph for each line. */
export function contentOfLines(text: string): DocumentContent {
  const paragraph = (line: string): ContentNode => ({
    type: 'paragraph',
    ...(line !== '' && { content: [{ type: 'text', text: line }] }),
  });
  return { type: 'doc', content: text.split('\n').map(paragraph) };
}

/** The blocks of a content; none when it is empty. */
function blocksOf(content: DocumentContent): ContentNode[] {
  const blocks = cleanContent(content).content;
  return blocks.length === 1 && blocks[0]!.type === 'paragraph' && !blocks[0]!.content ? [] : blocks;
}

/** Removed blocks and those in their place: pairs of one type with similar texts are compared by words. */
function paired(removed: readonly ContentNode[], added: readonly ContentNode[], segmenter: Intl.Segmenter) {
  const changes: BlockChange[] = [];
  const put = (kind: 'removed' | 'added', block: ContentNode) => {
    const last = changes.at(-1);
    if (last?.kind === kind) last.blocks.push(block);
    else changes.push({ kind, blocks: [block] });
  };
  const length = Math.max(removed.length, added.length);
  for (let index = 0; index < length; index += 1) {
    const [before, after] = [removed[index], added[index]];
    const words = before && after ? wordsOf(before, after, segmenter) : null;
    if (words) changes.push({ kind: 'changed', before: before!, after: after!, words });
    else {
      if (before) put('removed', before);
      if (after) put('added', after);
    }
  }
  return changes;
}

/** The words of two blocks; null when they cannot be compared usefully. */
function wordsOf(before: ContentNode, after: ContentNode, intlSegmenter: Intl.Segmenter): WordChange[] | null {
  if (before.type !== after.type) return null;
  const [old, current] = [textOfContent(before), textOfContent(after)];
  // The same text with other marks, or none: shown as blocks.
  if (old === current || old === '' || current === '' || old.length + current.length > WORDS_LENGTH) return null;
  const words = diffWordsWithSpace(old, current, { intlSegmenter }).map(
    ({ added, removed, value }): WordChange => ({
      kind: added ? 'added' : removed ? 'removed' : 'same',
      text: value,
    }),
  );
  const same = words.reduce((sum, { kind, text }) => sum + (kind === 'same' ? text.length : 0), 0);
  return same * 3 >= Math.min(old.length, current.length) ? words : null;
}
