import { expect } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import type { Stage } from './show.tsx';

/**
 * Closes a partly filled dialog or form: Escape asks first, "stay" keeps the input of `field`, and "leave" discards it.
 * `close` closes it the second time; default Escape.
 */
export async function expectConfirmBeforeClosing(
  stage: Stage,
  field: Locator,
  close = () => userEvent.keyboard('{Escape}'),
): Promise<void> {
  const before = (field.element() as HTMLInputElement).value;
  await userEvent.keyboard('{Escape}');
  await expect.element(stage.text('common:leave.text')).toBeVisible();
  await stage.button('common:leave.stay').click();
  await expect.element(stage.text('common:leave.text')).not.toBeVisible();
  await expect.element(field).toHaveValue(before);
  await close();
  await stage.button('common:leave.leave').click();
  await expect.element(field).not.toBeInTheDocument();
}

/** The `html` element, to search outside the page, too. */
const everywhere = (): Locator => page.elementLocator(document.body);

/** An option of the open list. */
export function option(text: string): Locator {
  return everywhere().getByText(text, { exact: true }).last();
}

/** Waits until all of these are visible; a text may occur several times. */
export async function sees(...targets: (Locator | string)[]): Promise<void> {
  for (const target of targets) {
    const locator = typeof target === 'string' ? everywhere().getByText(target, { exact: true }).first() : target;
    await expect.element(locator).toBeVisible();
  }
}

/** Waits until this does not exist. */
export async function misses(target: Locator): Promise<void> {
  await expect.poll(() => target.elements().length).toBe(0);
}

/** The rows of a table that contain a text. */
export function rowWith(text: string | RegExp): Locator {
  return page.getByRole('row').filter({ hasText: text });
}

/** Opens a select field by its label and selects an option. */
export async function pick(label: string, entry: string, search = ''): Promise<void> {
  const field = page.getByRole('combobox', { name: label });
  await field.click();
  if (search !== '') await field.fill(search);
  await option(entry).click();
}

/** A name of 200 characters without a space, as devices and cameras write them. */
export const LONG_NAME = `${'protocol_2026-01-02_'.repeat(13).slice(0, 251)}.log`;

/** Waits until a long name takes two lines at most wherever it is in a part of the page; `names`: how often it is. */
export async function expectShortNames(part: Locator, names: number): Promise<void> {
  const shown = part.getByTitle(LONG_NAME, { exact: false });
  await expect.poll(() => shown.elements().length).toBe(names);
  for (const name of shown.all()) {
    await expect.element(name).toBeVisible();
    await expect.poll(() => name.element().getBoundingClientRect().height).toBeLessThanOrEqual(50);
    const row = name.element().closest('tr');
    // It must not squeeze the other columns of a table either.
    if (row && innerWidth > 600) await expect.poll(() => row.getBoundingClientRect().height).toBeLessThanOrEqual(125);
  }
}

/** How far the page, or a table in it, can be scrolled horizontally; 0 when everything fits. */
export function tooWide(): string[] {
  return [document.documentElement, ...document.querySelectorAll('[data-scroll], .data-table')]
    .filter((box) => box.scrollWidth > box.clientWidth + 1)
    .map((box) => `${box.tagName} ${box.className}: ${box.scrollWidth} in ${box.clientWidth}`);
}
