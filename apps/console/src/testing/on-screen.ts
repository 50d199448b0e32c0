import { expect } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import type { Stage } from './show.tsx';

/**
 * Closes a dialog or form that is half filled in: Escape asks first, "stay" keeps what was entered in `field`, and "leave"
 * takes it away. `close` is what closes it the second time; Escape unless given.
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

/** What stands under `html`, for looking behind and beyond the page. */
const everywhere = (): Locator => page.elementLocator(document.body);

/** The option of the list that is open. */
export function option(text: string): Locator {
  return everywhere().getByText(text, { exact: true }).last();
}

/** Waits until all of these can be seen; a text may stand in several places. */
export async function sees(...things: (Locator | string)[]): Promise<void> {
  for (const thing of things) {
    const locator = typeof thing === 'string' ? everywhere().getByText(thing, { exact: true }).first() : thing;
    await expect.element(locator).toBeVisible();
  }
}

/** Waits until this is not there. */
export async function misses(thing: Locator): Promise<void> {
  await expect.poll(() => thing.elements().length).toBe(0);
}

/** The rows of a table that have a text. */
export function rowWith(text: string | RegExp): Locator {
  return page.getByRole('row').filter({ hasText: text });
}

/** Opens a field with a list under its label and takes an entry of it. */
export async function pick(label: string, entry: string, search = ''): Promise<void> {
  const field = page.getByRole('combobox', { name: label });
  await field.click();
  if (search !== '') await field.fill(search);
  await option(entry).click();
}

/** How far the page, or a table in it, can be scrolled sideways: nothing, on a screen that everything fits. */
export function tooWide(): string[] {
  return [document.documentElement, ...document.querySelectorAll('.ant-table-content, .ant-table-body, .data-table')]
    .filter((box) => box.scrollWidth > box.clientWidth + 1)
    .map((box) => `${box.tagName} ${box.className}: ${box.scrollWidth} in ${box.clientWidth}`);
}
