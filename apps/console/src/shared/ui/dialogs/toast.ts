import { TOAST_MS } from '@chargehand/contract/constants';
import { external } from '../../lib/external.ts';

export interface Toast {
  id: number;
  tone: 'error' | 'success' | 'info';
  text: string;
}

/** The displayed message: a new one replaces the previous one (spec §9: at most 1, for 5 s). */
export const shownToast = external<Toast | null>(null);

/** Short messages that require no response. */
export const toast = {
  error: (text: string) => show('error', text),
  success: (text: string) => show('success', text),
  info: (text: string) => show('info', text),
  dismiss: () => shownToast.set(null),
};

let last = 0;

function show(tone: Toast['tone'], text: string): void {
  last += 1;
  const id = last;
  shownToast.set({ id, tone, text });
  setTimeout(() => {
    if (shownToast.get()?.id === id) shownToast.set(null);
  }, TOAST_MS);
}
