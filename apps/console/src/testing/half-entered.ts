import { expect } from 'vitest';
import { type Locator, page, userEvent } from 'vitest/browser';
import type { Stage } from './show.tsx';

/**
 * Closes a dialog or form that is half filled in: Escape asks first, "stay" keeps what was entered in `field`, and "leave"
 * takes it away. `close` is what closes it the second time; Escape unless given.
 */
export async function expectAskedBeforeClosing(
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

/** The option of the list that is open. */
export function option(text: string): Locator {
  return page.elementLocator(document.body).getByText(text, { exact: true }).last();
}
