import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { show } from '../../../testing/show.tsx';
import { NewRoleDialog } from './role-dialogs.tsx';

describe('the dialog of a new role', () => {
  test('sends a double click once', async () => {
    const { server, t, path } = await show(<NewRoleDialog onClose={() => undefined} />, {
      answers: { createRole: { id: 7 } },
    });
    await page.getByLabelText(t('people:name'), { exact: true }).fill('Pressed twice');
    await page.getByRole('button', { name: t('people:role.addOk'), exact: true }).dblClick();
    await expect.poll(path).toBe('/manage/role/auth/data/7');
    expect(server.sent('createRole').map(({ body }) => body)).toEqual([{ name: 'Pressed twice' }]);
  });
});
