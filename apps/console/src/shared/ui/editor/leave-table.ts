import { Extension } from '@tiptap/core';
import type { ResolvedPos } from '@tiptap/pm/model';
import { Plugin, TextSelection } from '@tiptap/pm/state';

/**
 * Puts the cursor after a table that was pasted, into a new paragraph if there is none. It would stay in the last cell,
 * and so would what is typed or pasted next.
 */
export const leaveTable = Extension.create({
  name: 'leaveTable',
  addProseMirrorPlugins: () => [
    new Plugin({
      appendTransaction(transactions, before, { doc, selection, schema, tr }) {
        if (!transactions.some((one) => one.getMeta('paste'))) return null;
        const depth = tableDepth(selection.$from);
        if (depth === null || tableDepth(before.selection.$from) !== null) return null;
        const end = selection.$from.after(depth);
        if (!doc.resolve(end).nodeAfter?.isTextblock) tr.insert(end, schema.nodes.paragraph!.create());
        return tr.setSelection(TextSelection.create(tr.doc, end + 1)).scrollIntoView();
      },
    }),
  ],
});

/** The depth of the outermost table around a position; null outside of tables. */
function tableDepth(position: ResolvedPos): number | null {
  for (let depth = 1; depth <= position.depth; depth += 1) {
    if (position.node(depth).type.name === 'table') return depth;
  }
  return null;
}
