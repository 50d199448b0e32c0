import type { ChainedCommands, Editor } from '@tiptap/core';
import type { Suggested } from './suggestions/suggestions.ts';

/** A kind of block that authors insert from the toolbar or after `/`. */
export const BLOCK_NAMES = [
  ...(['text', 'heading1', 'heading2', 'heading3', 'heading4', 'bulletList', 'orderedList', 'taskList'] as const),
  ...(['info', 'success', 'warning', 'danger', 'quote', 'code', 'table', 'rule'] as const),
] as const;
export type BlockName = (typeof BLOCK_NAMES)[number];

/** Further words that find a block after `/`: what it is called elsewhere. */
const ALSO = new Map<BlockName, string>([
  ['text', 'text paragraph zhengwen'],
  ['heading1', 'h1 heading biaoti'],
  ['heading2', 'h2 heading biaoti'],
  ['heading3', 'h3 heading biaoti'],
  ['heading4', 'h4 heading biaoti'],
  ['bulletList', 'ul bullet list liebiao'],
  ['orderedList', 'ol numbered list liebiao'],
  ['taskList', 'todo task step checklist buzhou'],
  ['info', 'note info callout shuoming'],
  ['success', 'tip callout tishi'],
  ['warning', 'warning caution callout zhuyi'],
  ['danger', 'danger callout weixian'],
  ['quote', 'blockquote quote yinyong'],
  ['code', 'code pre daima'],
  ['table', 'table biaoge'],
  ['rule', 'hr line divider fengexian'],
]);

/** Applies a kind of block to the selection. */
export function applyBlock(chain: ChainedCommands, name: BlockName): ChainedCommands {
  switch (name) {
    case 'text':
      return chain.setParagraph();
    case 'heading1':
    case 'heading2':
    case 'heading3':
    case 'heading4':
      return chain.setHeading({ level: Number(name.at(-1)) as 1 | 2 | 3 | 4 });
    case 'bulletList':
      return chain.toggleBulletList();
    case 'orderedList':
      return chain.toggleOrderedList();
    case 'taskList':
      return chain.toggleTaskList();
    case 'quote':
      return chain.toggleBlockquote();
    case 'code':
      return chain.toggleCodeBlock();
    case 'table':
      return chain.insertTable({ rows: 3, cols: 3, withHeaderRow: true });
    case 'rule':
      return chain.setHorizontalRule();
    default:
      return chain.toggleCallout(name);
  }
}

/** The kinds of block that match what was typed after `/`, in the user's language, English or pinyin. */
export function findBlocks(query: string, labelOf: (name: BlockName) => string): Suggested[] {
  const wanted = query.toLowerCase();
  return BLOCK_NAMES.flatMap((name) => {
    const label = labelOf(name);
    if (!`${label.toLowerCase()} ${ALSO.get(name)}`.includes(wanted)) return [];
    return [
      {
        label,
        note: '',
        run: (editor: Editor, range) => applyBlock(editor.chain().focus().deleteRange(range), name).run(),
      },
    ] satisfies Suggested[];
  });
}
