import { type RefObject, useEffect } from 'react';
import { isDialogOpen } from '../../lib/browser/dialog-open.ts';

/** Elements that handle these keys themselves. */
const TAKES_TEXT = 'input, textarea, select, [contenteditable="true"]';

/**
 * The keyboard shortcuts of a list page, wherever the focus is: `/` goes to the search, the arrow keys and j to the
 * first row, `?` shows the shortcuts. Inactive while a dialog is open or text is typed.
 */
export function useListKeys(table: RefObject<HTMLElement | null>, onHelp: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.target instanceof Element && event.target.closest(TAKES_TEXT)) return;
      if (isDialogOpen()) return;
      if (event.key === '?') onHelp();
      else if (event.key === '/') focus(event, document.querySelector('main search input'));
      else if (event.key === 'j' && !(event.target instanceof Element && event.target.closest('[data-row-key]')))
        focus(event, table.current?.querySelector('[data-row-key]'));
      else if (event.key === 'ArrowDown' && event.target === document.body)
        focus(event, table.current?.querySelector('[data-row-key]'));
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [table, onHelp]);
}

function focus(event: KeyboardEvent, element: Element | null | undefined): void {
  if (!(element instanceof HTMLElement)) return;
  event.preventDefault();
  element.focus();
  if (element instanceof HTMLInputElement) element.select();
}
