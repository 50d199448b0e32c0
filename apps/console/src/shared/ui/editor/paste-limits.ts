import { CONTENT_LEVELS, cleanContent } from '@chargehand/domain';
import { Extension } from '@tiptap/core';
import { Fragment, Slice } from '@tiptap/pm/model';
import { Plugin } from '@tiptap/pm/state';
import { lengthWithoutPictures } from './files/pasted-html.ts';

/** Longest pasted text and HTML in characters. More would block the page, and the server accepts 4 MB. */
const PASTE_TEXT = 1_000_000;
const PASTE_HTML = 4_000_000;
/** Longest pasted HTML with its pictures: about one picture of 20 MB. */
const PASTE_PICTURES = 30_000_000;

/** Refuses what is too long to paste before it is parsed, and flattens what is nested too deep. */
export function pasteLimits(refused: () => void): Extension {
  return Extension.create({
    name: 'pasteLimits',
    addProseMirrorPlugins() {
      const refuses = (data: DataTransfer | null) =>
        (data?.getData('text/plain').length ?? 0) > PASTE_TEXT || tooLong(data?.getData('text/html') ?? '');
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
            transformPasted: (slice, view) => {
              const { $from } = view.state.selection;
              // The texts in the innermost blocks are a level, too.
              if (depthOf(slice.content) <= CONTENT_LEVELS - $from.depth + 2) return slice;
              const { content } = cleanContent({ type: 'doc', content: slice.content.toJSON() }, $from.depth);
              return new Slice(Fragment.fromJSON(view.state.schema, content), 0, 0);
            },
          },
        }),
      ];
    },
  });
}

/** The number of nested nodes, without recursion. */
function depthOf(fragment: Fragment): number {
  let deepest = 0;
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

function tooLong(html: string): boolean {
  return html.length > PASTE_PICTURES || (html.length > PASTE_HTML && lengthWithoutPictures(html) > PASTE_HTML);
}
