import type { ContentNode, DocumentContent } from '@chargehand/domain';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type BlockChange, diffContents } from './diff.ts';

const paragraph = (text: string): ContentNode => ({
  type: 'paragraph',
  ...(text !== '' && { content: [{ type: 'text', text }] }),
});
const doc = (...texts: string[]): DocumentContent => ({ type: 'doc', content: texts.map(paragraph) });

/** `+` added, `-` removed, `~` changed, with words as `[-old-]` and `[+new+]`. */
function shown(changes: BlockChange[]): string[] {
  return changes.flatMap((change) => {
    if (change.kind === 'changed') {
      const signs = { same: '', removed: '-', added: '+' };
      const words = change.words.map(({ kind, text }) =>
        kind === 'same' ? text : `[${signs[kind]}${text}${signs[kind]}]`,
      );
      return [`~${words.join('')}`];
    }
    const sign = { same: ' ', removed: '-', added: '+' }[change.kind];
    return change.blocks.map(({ content }) => `${sign}${content?.[0]?.text ?? ''}`);
  });
}

test.each<[title: string, before: string[], after: string[], shown: string[]]>([
  ['nothing', ['a'], ['a'], [' a']],
  ['a new block', ['a', 'c'], ['a', 'b', 'c'], [' a', '+b', ' c']],
  ['a removed block', ['a', 'b'], ['a'], [' a', '-b']],
  [
    'a changed word',
    ['Open the left door first'],
    ['Open the right door first'],
    ['~Open the [-left-][+right+] door first'],
  ],
  ['a changed Chinese word', ['请先断开输入电源'], ['请先断开输出电源'], ['~请先断开输[-入-][+出+]电源']],
  ['a first text', [''], ['a'], ['+a']],
  ['another text', ['Open the door'], ['Zzz'], ['-Open the door', '+Zzz']],
])('shows %s', (_, before, after, expected) => {
  expect(shown(diffContents(doc(...before), doc(...after), 'en-US'))).toEqual(expected);
});

/** An empty text has no blocks. */
const blocksOf = (texts: string[]) => (texts.length === 1 && texts[0] === '' ? [] : doc(...texts).content);

test('a difference contains both versions completely', () => {
  const texts = fc.array(fc.constantFrom('a b c', 'a b d', 'e', 'f g', ''), { maxLength: 8 });
  fc.assert(
    fc.property(texts, texts, (before, after) => {
      const changes = diffContents(doc(...before), doc(...after), 'en-US');
      const side = (other: 'added' | 'removed', one: 'before' | 'after') =>
        changes.flatMap((change) =>
          change.kind === 'changed' ? [change[one]] : change.kind === other ? [] : change.blocks,
        );
      expect(side('added', 'before')).toEqual(blocksOf(before));
      expect(side('removed', 'after')).toEqual(blocksOf(after));
    }),
  );
});
