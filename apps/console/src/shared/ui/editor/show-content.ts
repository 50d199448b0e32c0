import type { DocumentContent } from '@chargehand/domain';
import type { Editor } from '@tiptap/core';

/**
 * Shows another content, of which only the blocks that differ are replaced: the cursor stays where the author writes.
 * The change is not reported as one of the author's.
 */
export function showContent(editor: Editor, content: DocumentContent): void {
  const { doc, tr } = editor.state;
  const next = editor.schema.nodeFromJSON(content);
  const most = Math.min(doc.childCount, next.childCount);
  let start = 0;
  while (start < most && doc.child(start).eq(next.child(start))) start += 1;
  let same = 0;
  while (same < most - start && doc.child(doc.childCount - 1 - same).eq(next.child(next.childCount - 1 - same))) {
    same += 1;
  }
  const changed = next.children.slice(start, next.childCount - same);
  const [from, to] = [sizeOf(doc.children.slice(0, start)), sizeOf(doc.children.slice(0, doc.childCount - same))];
  editor.view.dispatch(tr.replaceWith(from, to, changed).setMeta('preventUpdate', true));
}

function sizeOf(nodes: readonly { nodeSize: number }[]): number {
  return nodes.reduce((sum, { nodeSize }) => sum + nodeSize, 0);
}
