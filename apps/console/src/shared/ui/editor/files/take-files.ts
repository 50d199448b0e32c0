import { Extension } from '@tiptap/core';
import type { Transaction } from '@tiptap/pm/state';
import { Plugin } from '@tiptap/pm/state';
import { markerOf, readPasted } from './pasted-html.ts';

interface Options {
  /** Uploads files to a position of the document, or one position for each; default: the selection. */
  take(files: File[], position?: number | number[]): void;
  /** Pictures of pasted HTML were left out, because they are on other servers or have another format. */
  leftOut(count: number): void;
}

/** Uploads files that are pasted or dropped, and the pictures that pasted HTML contains, in their places. */
export function takeFiles({ take, leftOut }: Options): Extension {
  return Extension.create({
    name: 'takeFiles',
    addProseMirrorPlugins: () => {
      let pictures: File[] = [];
      let remote = 0;
      const nameLeftOut = () => {
        if (remote > 0) leftOut(remote);
        remote = 0;
      };
      return [
        new Plugin({
          props: {
            transformPastedHTML(html) {
              const pasted = readPasted(html);
              pictures = pasted.pictures;
              remote = pasted.remote;
              return pasted.html;
            },
            handlePaste(view, event, slice) {
              const found = pictures;
              pictures = [];
              const data = event.clipboardData;
              const html = data?.getData('text/html') ?? '';
              const files = [...(data?.files ?? [])];
              // Spreadsheets and texts come with a picture of themselves, which is not wanted.
              if (files.length > 0 && !/<(p|table|li|h\d)\b/i.test(html)) {
                // A copied picture of a web page, which also comes as HTML.
                remote = 0;
                take(files);
                return true;
              }
              nameLeftOut();
              if (found.length === 0) return false;
              const transaction = view.state.tr.replaceSelection(slice);
              const positions = withoutMarkers(transaction, found.length);
              view.dispatch(transaction.scrollIntoView().setMeta('paste', true).setMeta('uiEvent', 'paste'));
              take(found, positions);
              return true;
            },
            handleDrop(view, event, _, moved) {
              const files = [...(event.dataTransfer?.files ?? [])];
              if (files.length === 0) nameLeftOut();
              if (moved || files.length === 0) return false;
              remote = 0;
              event.preventDefault();
              take(files, view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos);
              return true;
            },
          },
        }),
      ];
    },
  });
}

/** Removes the markers of pictures, and returns the place of each; a lost one is at the end of the pasted part. */
function withoutMarkers(transaction: Transaction, count: number): number[] {
  const places = Array.from({ length: count }, (_, index) => {
    const marker = markerOf(index);
    let place: number | undefined;
    transaction.doc.descendants((node, position) => {
      const at = node.text?.indexOf(marker) ?? -1;
      if (place === undefined && at !== -1) place = position + at;
      return place === undefined;
    });
    if (place !== undefined) transaction.delete(place, place + marker.length);
    return { place: place ?? transaction.selection.to, from: transaction.steps.length };
  });
  return places.map(({ place, from }) => transaction.mapping.slice(from).map(place));
}
