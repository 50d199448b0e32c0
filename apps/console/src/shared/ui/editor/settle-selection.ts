import { Extension } from '@tiptap/core';
import { Plugin } from '@tiptap/pm/state';
import type { EditorView } from '@tiptap/pm/view';

/**
 * Reads the cursor of the page before a key or a paste is handled. Browsers report a moved cursor with an event of low
 * priority: on a busy page, a key that follows at once is handled before it, and `End`, `Enter` would split the line
 * at the place where the cursor was before.
 */
export const settleSelection = Extension.create({
  name: 'settleSelection',
  // Before the handlers of all other extensions.
  priority: 1_000,
  addProseMirrorPlugins: () => [
    new Plugin({ props: { handleDOMEvents: { keydown: settle, beforeinput: settle, paste: settle } } }),
  ],
});

function settle(view: EditorView, event: Event): false {
  const composing = view.composing || ('isComposing' in event && event.isComposing === true);
  // The editor compares the cursor with the one that it knows, and does nothing when both are the same.
  if (!composing) view.dom.ownerDocument.dispatchEvent(new Event('selectionchange'));
  return false;
}
