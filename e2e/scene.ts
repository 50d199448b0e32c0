import type { Page } from 'playwright-core';
import type { Words } from './harness/words.ts';

/** One screen in one state. */
export interface Scene {
  name: string;
  path: string;
  signedIn: boolean;
  /** print media; default: screen */
  print?: boolean;
  /** actions on the world before the page is opened */
  before?: () => Promise<unknown>;
  /** actions on the page before the screenshot */
  act?: (page: Page, t: Words) => Promise<unknown>;
}
