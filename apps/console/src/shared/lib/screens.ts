import type { Words } from '../i18n/words.ts';
import { external } from './external.ts';

/** A screen of the console: its path as the router writes it, its title, and the keys that all must be held for it. */
export interface Screen {
  path: string;
  titleKey: keyof Words['routes'];
  keys: readonly string[];
}

/** Every screen that is built; the router, which knows them, writes them down. */
export const screens = external<readonly Screen[]>([]);
