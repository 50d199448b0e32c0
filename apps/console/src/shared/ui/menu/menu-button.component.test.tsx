import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { show } from '../../../testing/show.tsx';
import { MenuButton } from './menu-button.tsx';

test('a menu is used with the keyboard, also the first time', async () => {
  const chosen: string[] = [];
  await show(
    <MenuButton menu={{ items: [{ key: 'move', label: 'Move' }], onClick: ({ key }) => chosen.push(key) }}>
      Actions
    </MenuButton>,
  );
  const button = page.getByRole('button', { name: 'Actions' });
  await expect.element(button).toHaveAttribute('aria-expanded', 'false');
  await userEvent.tab();
  await expect.element(button).toHaveFocus();
  for (const time of [1, 2]) {
    await userEvent.keyboard('{Enter}');
    await expect.element(page.getByRole('menuitem', { name: 'Move' })).toHaveFocus();
    await expect.element(button).toHaveAttribute('aria-expanded', 'true');
    await userEvent.keyboard('{Escape}');
    await expect.element(button, { message: `time ${time}` }).toHaveFocus();
    await expect.element(button).toHaveAttribute('aria-expanded', 'false');
  }
  await userEvent.keyboard('{Enter}');
  await expect.element(page.getByRole('menuitem', { name: 'Move' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => chosen).toEqual(['move']);
});
