import type { Locale } from '@chargehand/contract';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Words } from './words.ts';

/** A page that a step leads to: its path, with its query if that matters, and what its main heading says. */
interface Target {
  path: string | RegExp;
  heading: string;
}

/** The page itself and what is open on top of it: without the sidebar and the tabs, which repeat its words. */
const CONTENT = 'main, [role="dialog"]';
/** What stands around every page. */
const FRAME = '.header, .sidebar, .impersonation-banner';
/** Where texts are looked for: the page, what is open on top of it, messages, and whether the page is live. */
const SEEN = `${CONTENT}, .toaster, .live-indicator, .impersonation-banner`;

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

  /** A button of the page itself, or of what is open on top of it. */
  button(name: string): Locator {
    return this.#content.getByRole('button', { name, exact: true });
  }

  /** A link of the page itself, or of what is open on top of it. */
  link(name: string): Locator {
    return this.#content.getByRole('link', { name, exact: true });
  }

  /** The page itself and what is open on top of it, for whatever else is looked for there. */
  get main(): Locator {
    return this.#content;
  }

  heading(name: string): Locator {
    return this.#content.getByRole('heading', { name, exact: true });
  }

  /** A button of what stands around every page: the header, the sidebar, the banner of an impersonation. */
  frameButton(name: string): Locator {
    return this.page.locator(FRAME).getByRole('button', { name, exact: true });
  }

  /** The button of the areas beside the sidebar, whose name counts what waits there. */
  get moreAreas(): Locator {
    return this.page.locator(FRAME).getByRole('button', { name: this.t('common:shell.more') });
  }

  /** An entry of the sidebar. */
  menuLink(name: string): Locator {
    return this.page.locator('.sidebar').getByRole('link', { name, exact: true });
  }

  /**
   * Does what leads to another page, and waits until that page is shown: its address and its main heading. Until then
   * the page that is left still answers clicks, so that whatever comes next could happen there.
   */
  async follow(step: Locator | (() => Promise<unknown>), target: Target): Promise<void> {
    await (typeof step === 'function' ? step() : step.click());
    await this.arrivesAt(target);
  }

  get signInPage(): Target {
    return { path: '/login', heading: this.t('access:login.title') };
  }

  /** Waits until a page is shown that something else led to. */
  async arrivesAt({ path, heading }: Target): Promise<void> {
    await this.isAt(path);
    await this.page.getByRole('main').getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
  }

  /** Waits until all of these can be seen. */
  async sees(...things: (string | Locator)[]): Promise<void> {
    await Promise.all(things.map((thing) => this.#locate(thing).waitFor()));
  }

  /** Waits until this cannot be seen. */
  async misses(thing: string | Locator): Promise<void> {
    await this.#locate(thing).waitFor({ state: 'hidden' });
  }

  /** Waits until the address is this path, whatever its query unless one is given; or a path of such a form. */
  async isAt(path: string | RegExp): Promise<void> {
    const options = { timeout: 30_000, message: `the address of ${this.page.url()}` };
    if (typeof path === 'string') await expect.poll(() => this.#place(path.includes('?')), options).toBe(path);
    else await expect.poll(() => this.#place(true), options).toMatch(path);
  }

  #place(withQuery: boolean): string {
    const { pathname, search } = new URL(this.page.url());
    return withQuery ? pathname + search : pathname;
  }

  #locate(thing: string | Locator): Locator {
    return typeof thing === 'string' ? this.page.locator(SEEN).getByText(thing, { exact: true }).first() : thing;
  }

  get #content(): Locator {
    return this.page.locator(CONTENT);
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
