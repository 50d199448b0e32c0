import type { Locale } from '@chargehand/contract';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Words } from './words.ts';

/** A person in front of the console, and what went wrong in their browser. */
export class Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly locale: Locale;
  /** what the console says in this person's language */
  readonly t: Words;
  readonly #problems: string[] = [];
  readonly #expected: RegExp[] = [];

  constructor(context: BrowserContext, page: Page, locale: Locale, t: Words) {
    this.context = context;
    this.page = page;
    this.locale = locale;
    this.t = t;
    this.#watch(page);
  }

  /** Errors on the console and failed requests that nobody expected. */
  get problems(): string[] {
    return this.#problems.filter((problem) => !this.#expected.some((pattern) => pattern.test(problem)));
  }

  /** This journey provokes such problems. */
  expects(...patterns: RegExp[]): void {
    this.#expected.push(...patterns);
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  link(name: string): Locator {
    return this.page.getByRole('link', { name, exact: true });
  }

  heading(name: string): Locator {
    return this.page.getByRole('heading', { name, exact: true });
  }

  /** Waits until all of these can be seen. */
  async sees(...things: (string | Locator)[]): Promise<void> {
    await Promise.all(things.map((thing) => this.#locate(thing).waitFor()));
  }

  /** Waits until this cannot be seen. */
  async misses(thing: string | Locator): Promise<void> {
    await this.#locate(thing).waitFor({ state: 'hidden' });
  }

  /** Waits until the address is this path, whatever its query unless one is given. */
  async isAt(path: string): Promise<void> {
    await expect
      .poll(() => this.#place(path.includes('?')), { timeout: 30_000, message: `the address of ${this.page.url()}` })
      .toBe(path);
  }

  #place(withQuery: boolean): string {
    const { pathname, search } = new URL(this.page.url());
    return withQuery ? pathname + search : pathname;
  }

  #locate(thing: string | Locator): Locator {
    return typeof thing === 'string' ? this.page.getByText(thing, { exact: true }).first() : thing;
  }

  #watch(page: Page): void {
    page.on('console', (message) => {
      if (message.type() === 'error') this.#problems.push(`console: ${message.text()} ${message.location().url}`);
    });
    page.on('pageerror', (error) => this.#problems.push(`uncaught: ${error.message}`));
    page.on('requestfailed', (request) => {
      const reason = request.failure()?.errorText ?? '';
      // A call that a newer one replaced, or whose page was left, is no failure.
      if (reason !== 'net::ERR_ABORTED') this.#problems.push(`${reason} ${request.method()} ${request.url()}`);
    });
    page.on('response', (response) => {
      if (response.status() >= 400) this.#problems.push(`${response.status()} ${response.url()}`);
    });
  }
}
