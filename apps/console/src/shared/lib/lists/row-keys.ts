import type { KeyboardEvent } from 'react';

const WAYS = {
  ArrowDown: (row: Element) => row.nextElementSibling,
  ArrowUp: (row: Element) => row.previousElementSibling,
  Home: (row: Element) => row.parentElement?.querySelector('[data-row-key]') ?? null,
  End: (row: Element) => row.parentElement?.lastElementChild ?? null,
} as const;

/**
 * The keyboard shortcuts of a focused row: arrow keys, Home and End move between rows, Enter opens, Space selects. Keys
 * typed into a control inside the row are ignored.
 */
export function onRowKey(event: KeyboardEvent<HTMLElement>, open?: () => void, select?: () => void): void {
  if (event.target !== event.currentTarget) return;
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
  }
}
