import type { KeyboardEvent } from 'react';

const next = (row: Element) => row.nextElementSibling;
const previous = (row: Element) => row.previousElementSibling;
const WAYS = {
  ArrowDown: next,
  j: next,
  ArrowUp: previous,
  k: previous,
  Home: (row: Element) => row.parentElement?.querySelector('[data-row-key]') ?? null,
  End: (row: Element) => row.parentElement?.lastElementChild ?? null,
} as const;

/**
 * The keyboard shortcuts of a focused row: arrow keys, j, k, Home and End move between rows, Enter opens, Space selects,
 * and a letter presses the control of the row that has it (`aria-keyshortcuts`). Keys typed into a control inside the row
 * are ignored.
 */
export function onRowKey(event: KeyboardEvent<HTMLElement>, open?: () => void, select?: () => void): void {
  if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Enter') {
    // Otherwise the key would also press the focused element of what opens.
    event.preventDefault();
    open?.();
  } else if (event.key === ' ' && select) {
    event.preventDefault();
    select();
  } else if (event.key in WAYS) {
    const row = WAYS[event.key as keyof typeof WAYS](event.currentTarget);
    if (!(row instanceof HTMLElement)) return;
    event.preventDefault();
    row.focus();
  } else if (/^[a-z]$/.test(event.key)) {
    const control = event.currentTarget.querySelector<HTMLElement>(`[aria-keyshortcuts="${event.key}"]`);
    if (!control) return;
    event.preventDefault();
    control.click();
  }
}
