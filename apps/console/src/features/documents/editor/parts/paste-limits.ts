import { Extension } from '@tiptap/core';
import { Fragment, type Node, Slice } from '@tiptap/pm/model';
import { Plugin } from '@tiptap/pm/state';

/** Longest pasted text and HTML in characters. More would block the page, and the server accepts 4 MB. */
const PASTE_TEXT = 1_000_000;
const PASTE_HTML = 4_000_000;
/**
 * Maximum number of nested blocks of a pasted text. The server accepts JSON of 32 levels, and every block has two.
 */
const NESTED = 10;

/** Refuses what is too long to paste before it is parsed, and flattens what is nested too deep. */
export function pasteLimits(refused: () => void): Extension {
  return Extension.create({
    name: 'pasteLimits',
    addProseMirrorPlugins() {
      const refuses = (data: DataTransfer | null) =>
        (data?.getData('text/plain').length ?? 0) > PASTE_TEXT || (data?.getData('text/html').length ?? 0) > PASTE_HTML;
      const check = (_: unknown, event: ClipboardEvent | DragEvent) => {
        const data = 'clipboardData' in event ? event.clipboardData : event.dataTransfer;
        if (!refuses(data)) return false;
        event.preventDefault();
        refused();
        return true;
      };
      return [
        new Plugin({
          props: {
            handleDOMEvents: { paste: check, drop: check },
            transformPasted: (slice) => {
              const content = flattened(slice.content, NESTED);
              return content === slice.content ? slice : new Slice(content, 0, 0);
            },
          },
        }),
      ];
    },
  });
}

/** A fragment in which blocks nested deeper than `levels` are replaced by their texts. */
function flattened(fragment: Fragment, levels: number): Fragment {
  if (depthOf(fragment) <= levels) return fragment;
  const nodes: Node[] = [];
  fragment.forEach((node) => {
    if (depthOf(node.content) < levels) nodes.push(node);
    else if (levels > 2 && !node.isTextblock) nodes.push(node.copy(flattened(node.content, levels - 1)));
    else nodes.push(...textBlocks(node));
  });
  return Fragment.from(nodes);
}

function depthOf(fragment: Fragment): number {
  let deepest = 0;
  // The depth of each node, without recursion.
  const left: [Fragment, number][] = [[fragment, 1]];
  for (let entry = left.pop(); entry; entry = left.pop()) {
    const [one, depth] = entry;
    if (one.childCount > 0) deepest = Math.max(deepest, depth);
    one.forEach((node) => {
      left.push([node.content, depth + 1]);
    });
  }
  return deepest;
}

function textBlocks(node: Node): Node[] {
  const blocks: Node[] = [];
  if (node.isTextblock) return [node];
  node.descendants((child) => {
    if (child.isTextblock) blocks.push(child);
    return !child.isTextblock;
  });
  return blocks;
}
