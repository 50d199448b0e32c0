import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { CSRF_COOKIE, LOCALE_COOKIE, type Locale, TOKEN_COOKIE } from '@chargehand/contract';
import type { BrowserContextOptions } from 'playwright-core';
import { expect, test } from 'vitest';
import type { DatabaseConnection } from '../../apps/server/src/platform/database/connect.ts';
import { openSession } from '../../apps/server/src/testing/client.ts';
import type { Person, World } from '../../apps/server/src/testing/world.ts';
import type { Product } from './product.ts';
import { Visitor } from './visitor.ts';
import { wordsOf } from './words.ts';

interface JourneyOptions {
  /** the user who is signed in at the start; default: nobody */
  as?: Person;
  /** an existing session of the user, instead of a new one */
  session?: { token: string; csrf: string } | null;
  /**
   * English by default. Both (`LOCALES`) where the language matters: sign-in, error texts, formats, names in the user's
   * language.
   */
  locales?: readonly Locale[];
  /** size of the window; default 1440 by 900 */
  size?: { width: number; height: number };
  theme?: 'light' | 'dark';
  /** It runs only in `npm run test:full`. */
  full?: boolean;
}

/** What a visit needs of a product. */
interface Visited extends Pick<Product, 'browser' | 'url'> {
  server: { database: Pick<DatabaseConnection, 'db'>; world: World };
}

const DEFAULT_LOCALES: readonly Locale[] = ['en-US'];
/** Whether this run is `npm run test:full`, which runs what `npm test` leaves out (vitest.config.ts). */
export const isFullRun = process.env.TEST_PART === 'full';
const FAILURES = join(import.meta.dirname, '../../screenshots/failures');
/** The timeout of user actions. A machine under load needs part of it. */
const TIMEOUT_MS = 30_000;

/**
 * A test from the perspective of one user: with a fresh browser profile. At the end it fails on console errors or
 * failed requests that the journey did not expect. In `npm test` it runs in its first language, in `npm run test:full` in
 * the others.
 */
export function journey(
  product: Product,
  title: string,
  options: JourneyOptions,
  walk: (visitor: Visitor) => Promise<void>,
): void {
  const locales = localesOf(options);
  if (locales.length === 0) test.skip(title);
  test.each(locales)(`${title} (%s)`, async (locale) => {
    const visitor = await visit(product, locale, options);
    try {
      await walk(visitor);
    } catch (error) {
      mkdirSync(FAILURES, { recursive: true });
      const name = `${title} ${locale}`.replace(/[^\w-]+/g, '-');
      await visitor.page.screenshot({ path: join(FAILURES, `${name}.png`) });
      if (error instanceof Error)
        error.message += visitor.problems.map((problem) => `\n  browser: ${problem}`).join('');
      throw error;
    } finally {
      // A response mocked by the journey may still be pending. Without a page it would become an unhandled error.
      if (!visitor.page.isClosed()) await visitor.page.unrouteAll({ behavior: 'ignoreErrors' });
      await visitor.context.close();
    }
    expect(visitor.problems).toEqual([]);
  });
}

/** The languages of a journey in this run. */
function localesOf({ locales = DEFAULT_LOCALES, full = false }: JourneyOptions): Locale[] {
  if (full || expect.getState().testPath?.endsWith('.full.ts')) return isFullRun ? [...locales] : [];
  return isFullRun ? locales.slice(1) : locales.slice(0, 1);
}

/** Opens a new browser profile at the product. */
export async function visit(product: Visited, locale: Locale, options: JourneyOptions = {}): Promise<Visitor> {
  const { as, size = { width: 1440, height: 900 }, theme = 'light' } = options;
  const settings: BrowserContextOptions = {
    baseURL: product.url,
    viewport: size,
    colorScheme: theme,
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
    acceptDownloads: true,
    // The certificate of a product with TLS is its own.
    ignoreHTTPSErrors: true,
  };
  const context = await product.browser.newContext(settings);
  context.setDefaultTimeout(TIMEOUT_MS);
  const cookie = (name: string, value: string) => ({ name, value, url: product.url });
  await context.addCookies([cookie(LOCALE_COOKIE, locale)]);
  const { db } = product.server.database;
  const session = options.session ?? (as && (await openSession(db, product.server.world.users[as])));
  if (session) {
    await context.addCookies([
      { ...cookie(TOKEN_COOKIE, session.token), httpOnly: true },
      cookie(CSRF_COOKIE, session.csrf),
    ]);
  }
  return new Visitor(context, await context.newPage(), locale, wordsOf(locale));
}
