import { Extension } from '@tiptap/core';
import { Plugin } from '@tiptap/pm/state';
import { picturesIn } from './file-node.ts';

/** Uploads files that are pasted or dropped, and pictures in pasted HTML. `position`: where; default: the selection. */
export function takeFiles(take: (files: File[], position?: number) => void): Extension {
  return Extension.create({
    name: 'takeFiles',
    addProseMirrorPlugins: () => [
      new Plugin({
        props: {
          handlePaste(_, event) {
            const data = event.clipboardData;
            const html = data?.getData('text/html') ?? '';
            const files = [...(data?.files ?? [])];
            // Spreadsheets and texts come with a picture of themselves, which is not wanted.
            if (files.length > 0 && !/<(p|table|li|h\d)\b/i.test(html)) {
              take(files);
              return true;
            }
            const pictures = picturesIn(html);
            if (pictures.length > 0) take(pictures);
            return false;
          },
          handleDrop(view, event, _, moved) {
            const files = [...(event.dataTransfer?.files ?? [])];
            if (moved || files.length === 0) return false;
            event.preventDefault();
            take(files, view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos);
            return true;
          },
        },
      }),
    ],
  });
}
