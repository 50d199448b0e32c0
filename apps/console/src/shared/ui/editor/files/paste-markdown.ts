import { Extension } from '@tiptap/core';
import { closeHistory } from '@tiptap/pm/history';
import { Plugin, TextSelection } from '@tiptap/pm/state';
import { htmlOfMarkdown, looksLikeMarkdown } from './markdown.ts';

/**
 * Pasted Markdown becomes headings, lists and tables. The text is inserted first as it is, so that undoing once gives the
 * plain text back. With Shift, as in code, it stays text.
 */
export function pasteMarkdown(converted: () => void): Extension {
  return Extension.create({
    name: 'pasteMarkdown',
    // Before the block of code that Visual Studio Code's clipboard would become.
    priority: 200,
    addProseMirrorPlugins() {
      let shift = false;
      const noteShift = (_: unknown, event: KeyboardEvent | MouseEvent) => {
        shift = event.shiftKey;
        return false;
      };
      return [
        new Plugin({
          props: {
            handleDOMEvents: { keydown: noteShift, keyup: noteShift, mousedown: noteShift },
            handlePaste(view, event, slice) {
              const text = markdownOf(event.clipboardData);
              if (text === null || shift || view.state.selection.$from.parent.type.spec.code) return false;
              const { from } = view.state.selection;
              const before = view.state.doc;
              view.dispatch(view.state.tr.replaceSelection(slice).setMeta('paste', true).setMeta('uiEvent', 'paste'));
              const { doc, selection } = view.state;
              // It was refused: too much for the document.
              if (doc.eq(before)) return true;
              view.dispatch(closeHistory(view.state.tr.setSelection(TextSelection.create(doc, from, selection.to))));
              view.pasteHTML(htmlOfMarkdown(text));
              converted();
              return true;
            },
          },
        }),
      ];
    },
  });
}

/** The Markdown text of a clipboard; null when it has none. */
function markdownOf(data: DataTransfer | null): string | null {
  if (!data || data.files.length > 0) return null;
  const text = data.getData('text/plain');
  // Its HTML only colors the source.
  const isSource = /"mode":"markdown"/.test(data.getData('vscode-editor-data'));
  return (isSource || data.getData('text/html') === '') && looksLikeMarkdown(text) ? text : null;
}
