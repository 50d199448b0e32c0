import type { ThemeChoice } from '@chargehand/contract';
import { external, useExternal } from '../lib/external.ts';

export type Theme = 'light' | 'dark';

/** Also read by public/start.js before the first paint. */
const STORAGE_KEY = 'chargehand.theme';
const darkMachine = typeof matchMedia === 'function' ? matchMedia('(prefers-color-scheme: dark)') : null;

const choice = external<ThemeChoice>(storedChoice());
const theme = external<Theme>(themeOf(choice.get()));
darkMachine?.addEventListener('change', () => theme.set(themeOf(choice.get())));

/** Applies the user's choice now and saves it for future visits. */
export function chooseTheme(next: ThemeChoice): void {
  if (next === 'system') {
    localStorage.removeItem(STORAGE_KEY);
    delete document.documentElement.dataset.theme;
  } else {
    localStorage.setItem(STORAGE_KEY, next);
    document.documentElement.dataset.theme = next;
  }
  choice.set(next);
  theme.set(themeOf(next));
}

/** The current theme. */
export function useTheme(): Theme {
  return useExternal(theme);
}

/** The user's choice in this browser. */
export function themeChoice(): ThemeChoice {
  return choice.get();
}

/** The user's choice. */
export function useThemeChoice(): ThemeChoice {
  return useExternal(choice);
}

function storedChoice(): ThemeChoice {
  const stored = typeof localStorage === 'undefined' ? null : localStorage.getItem(STORAGE_KEY);
  return stored === 'light' || stored === 'dark' ? stored : 'system';
}

function themeOf(chosen: ThemeChoice): Theme {
  if (chosen !== 'system') return chosen;
  return darkMachine?.matches ? 'dark' : 'light';
}
