import type { Words } from '../i18n/words.ts';
import { external } from './external.ts';

/** A page of the console: its path as in the router, its title, and its required keys. */
export interface Screen {
  path: string;
  titleKey: keyof Words['routes'];
  keys: readonly string[];
  /** opens without parameters, so that lists of pages can name it */
  listed: boolean;
  /** only these users may open it; undefined: everybody with the keys */
  who: 'root' | 'vendor' | undefined;
}

/** All existing pages; set by the router, which knows them. */
export const screens = external<readonly Screen[]>([]);
