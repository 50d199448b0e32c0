import { type DocumentContent, DRAFT_KEPT_MS } from '@chargehand/domain';

/** An unsaved text in this browser. */
export interface LocalCopy {
  /** milliseconds since 1970 */
  at: number;
  baseVersion: number;
  /** the draft on the server that this text replaces; null: none */
  replaces: string | null;
  title: string;
  description: string;
  body: DocumentContent;
}

/** Where a copy is stored: by user, because several people may use one browser. */
export function placeOf(userId: number, documentId: number, locale: string): string {
  return `chargehand.text.${userId}.${documentId}.${locale}`;
}

/** Stores the text that the server does not have yet, so that it survives a crash of the browser. */
export function storeCopy(place: string, copy: LocalCopy): void {
  try {
    localStorage.setItem(place, JSON.stringify(copy));
  } catch (error) {
    // Full or forbidden: the server's draft is at most 30 seconds old.
    console.warn('The unsaved text could not be stored in the browser', error);
  }
}

/** The text of a place if it is at most two minutes old (spec §9); older ones are deleted. */
export function readCopy(place: string, now = Date.now()): LocalCopy | null {
  try {
    const copy = JSON.parse(localStorage.getItem(place) ?? 'null') as LocalCopy | null;
    if (copy && now - copy.at <= DRAFT_KEPT_MS && copy.body?.type === 'doc') return copy;
  } catch (error) {
    console.warn('The unsaved text in the browser could not be read', error);
  }
  dropCopy(place);
  return null;
}

export function dropCopy(place: string): void {
  localStorage.removeItem(place);
}
