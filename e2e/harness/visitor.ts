import type { Locale } from '@chargehand/contract';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Words } from './words.ts';

/** The target page of a step: its path, its query if relevant, and the text of its main heading. */
interface Target {
  path: string | RegExp;
  heading: string;
}

/** The page and what is open on top of it, without the sidebar and the tabs, which repeat its texts. */
const CONTENT = 'main, [role="dialog"]';
/** The frame around every page. */
const FRAME = '.header, .sidebar, .history-row, .impersonation-banner';
/** Where texts are searched: the page, what is open on top of it, messages, and the status of the live connection. */
const SEEN = `${CONTENT}, .toaster, .live-indicator, .impersonation-banner`;

/** A user of the console, and the errors of their browser. */
export class Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly locale: Locale;
  /** texts of the console in this user's language */
  readonly t: Words;
  /** how many times `press` and `enter` were called: what the goals of docs/console.md count */
  steps = 0;
  readonly #problems: string[] = [];
  readonly #expected: RegExp[] = [];

  constructor(context: BrowserContext, page: Page, locale: Locale, t: Words) {
    this.context = context;
    this.page = page;
    this.locale = locale;
    this.t = t;
    this.#watch(page);
  }

  /** Unexpected console errors and failed requests. */
  get problems(): string[] {
    return this.#problems.filter((problem) => !this.#expected.some((pattern) => pattern.test(problem)));
  }

  /** Problems that this journey provokes and expects. */
  expects(...patterns: RegExp[]): void {
    this.#expected.push(...patterns);
  }

  /** A button of the page, or of what is open on top of it. */
  button(name: string): Locator {
    return this.#content.getByRole('button', { name, exact: true });
  }

  /** A link of the page, or of what is open on top of it. */
  link(name: string): Locator {
    return this.#content.getByRole('link', { name, exact: true });
  }

  /** The page and what is open on top of it, for other locators. */
  get main(): Locator {
    return this.#content;
  }

  heading(name: string): Locator {
    return this.#content.getByRole('heading', { name, exact: true });
  }

  /** A button of the frame: the header, the sidebar or the impersonation banner. */
  frameButton(name: string): Locator {
    return this.page.locator(FRAME).getByRole('button', { name, exact: true });
  }

  /** An entry of the sidebar. */
  menuLink(name: string): Locator {
    return this.page.locator('.sidebar').getByRole('link', { name, exact: true });
  }

  /**
   * Runs a step that leads to another page, and waits until that page is shown: its address and its main heading. Until
   * then the previous page still reacts to clicks, so that later actions could happen there.
   */
  async follow(step: Locator | (() => Promise<unknown>), target: Target): Promise<void> {
    await (typeof step === 'function' ? step() : step.click());
    await this.arrivesAt(target);
  }

  get signInPage(): Target {
    return { path: '/login', heading: this.t('access:login.title') };
  }

  /** Waits until a page is shown that another action leads to. */
  async arrivesAt({ path, heading }: Target): Promise<void> {
    await this.isAt(path);
    await this.page.getByRole('main').getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
  }

  /** A step: a click or a tap. */
  async press(target: Locator): Promise<void> {
    this.steps += 1;
    await target.click();
  }

  /** A step: a text or a number in a field. */
  async enter(target: Locator, text: string): Promise<void> {
    this.steps += 1;
    await target.fill(text);
  }

  /** Waits until all of these are visible. */
  async sees(...targets: (string | Locator)[]): Promise<void> {
    await Promise.all(targets.map((target) => this.#locate(target).waitFor()));
  }

  /** Waits until this is not visible. */
  async misses(target: string | Locator): Promise<void> {
    await this.#locate(target).waitFor({ state: 'hidden' });
  }

  /** Waits until the address is this path, with any query unless one is given, or until it matches a pattern. */
  async isAt(path: string | RegExp): Promise<void> {
    const options = { timeout: 30_000, message: `the address of ${this.page.url()}` };
    if (typeof path === 'string') await expect.poll(() => this.#place(path.includes('?')), options).toBe(path);
    else await expect.poll(() => this.#place(true), options).toMatch(path);
  }

  #place(withQuery: boolean): string {
    const { pathname, search } = new URL(this.page.url());
    return withQuery ? pathname + search : pathname;
  }

  #locate(target: string | Locator): Locator {
    return typeof target === 'string' ? this.page.locator(SEEN).getByText(target, { exact: true }).first() : target;
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
      // A call that was replaced by a newer one, or whose page was left, is not an error.
      if (reason !== 'net::ERR_ABORTED') this.#problems.push(`${reason} ${request.method()} ${request.url()}`);
    });
    page.on('response', (response) => {
      if (response.status() >= 400) this.#problems.push(`${response.status()} ${response.url()}`);
    });
  }
}
