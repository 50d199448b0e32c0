import type { RoleRow } from '@chargehand/contract';
import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { LANGUAGES } from '../../../testing/languages.ts';
import { show } from '../../../testing/show.tsx';
import { type Answers, HttpFailure } from '../../../testing/stub-server.ts';
import RoleListPage from './role-list-page.tsx';

const role = (id: number, name: string): RoleRow => ({
  ...{
    id,
    name,
    customerAccess: 0,
    siteAccess: 0,
    remoteAccess: 0,
    emailAlarm: false,
    secondFactor: false,
    users: 0,
    menus: 0,
  },
  ...{ createdAt: '2026-01-01T00:00:00Z', grantable: true },
});
const roles = [role(1, 'Night watch'), role(2, 'Day watch')];
const listRoles: Answers['listRoles'] = ({ input }) => {
  const items = roles.filter(({ name }) => name.includes(input.query.search ?? ''));
  return { items, total: items.length };
};

/**
 * Runs an action once, after the next URL change and before it is rendered, like a user who is faster than the machine.
 */
function beforeDrawn(next: () => void): void {
  const { replaceState } = history;
  history.replaceState = async (...given) => {
    history.replaceState = replaceState;
    replaceState.apply(history, given);
    // The change of the URL completes first; rendering starts later.
    for (let turn = 0; turn < 100; turn += 1) await null;
    next();
  };
}

test.each([
  ['en-US', 'Platform engineer'],
  ['zh-CN', '平台工程师'],
] as const)('shows a built-in role with its name in the language of the console (%s)', async (locale, name) => {
  const items = [role(1, 'Platform engineer'), role(2, 'Night watch')];
  await show(<RoleListPage />, { locale, path: '/manage/role/list', answers: { listRoles: { items, total: 2 } } });
  await expect.element(page.getByText(name, { exact: true })).toBeVisible();
  await expect.element(page.getByText('Night watch', { exact: true })).toBeVisible();
});

describe('a list', () => {
  test('toggles its order twice when its header is clicked twice before it is rendered', async () => {
    const { t, path } = await show(<RoleListPage />, { path: '/manage/role/list', answers: { listRoles } });
    const heading = page.getByRole('columnheader', { name: t('people:name'), exact: true });
    await expect.element(heading).toBeVisible();
    const button = heading.getByRole('button');
    const click = () => (button.element() as HTMLElement).click();
    beforeDrawn(click);
    click();
    await expect.poll(path).toBe('/manage/role/list?sort=-name');
    await expect.element(heading).toHaveAttribute('aria-sort', 'descending');
    await button.click();
    await expect.poll(path).toBe('/manage/role/list');
  });

  test('loses no typed text while it updates', async () => {
    const { t } = await show(<RoleListPage />, { path: '/manage/role/list', answers: { listRoles } });
    const search = page.getByRole('searchbox', { name: t('people:role.search') });
    await expect.element(page.getByText('Day watch')).toBeVisible();
    const input = search.element() as HTMLInputElement;
    const type = (text: string) => {
      Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text);
      input.dispatchEvent(new Event('input', { bubbles: true }));
    };
    const seen = new Set<string>();
    let more = false;
    beforeDrawn(() => {
      type('Night');
      more = true;
    });
    type('Ni');
    while (!location.search.includes('Night')) {
      await new Promise(requestAnimationFrame);
      if (more) seen.add(input.value);
    }
    expect([...seen]).toEqual(['Night']);
    await expect.element(page.getByText('Day watch')).not.toBeInTheDocument();
    await expect.element(search).toHaveValue('Night');
  });

  test.each(LANGUAGES)('shows a failed request and tries again (%s)', async (locale) => {
    let broken = true;
    const { button, text } = await show(<RoleListPage />, {
      ...{ locale, path: '/manage/role/list' },
      answers: {
        listRoles: (call) => {
          if (broken) throw new HttpFailure(500);
          return (listRoles as (one: typeof call) => ReturnType<() => { items: RoleRow[]; total: number }>)(call);
        },
      },
    });
    await expect.element(text('common:com_error_500')).toBeVisible();
    broken = false;
    await button('common:error.retry').click();
    await expect.element(page.getByText('Night watch')).toBeVisible();
  });

  test('shows the progress of an export, and stops it', async () => {
    const wait = Promise.withResolvers<never>();
    const { button, server } = await show(<RoleListPage />, {
      path: '/manage/role/list',
      answers: { listRoles, exportRoles: () => wait.promise },
    });
    await button('common:list.export').click();
    await expect.poll(() => server.sent('exportRoles').length).toBe(1);
    await button('common:list.cancelExport').click();
    await expect.element(button('common:list.export')).toBeVisible();
  });

  test('explains why it is empty', async () => {
    const { text } = await show(<RoleListPage />, {
      path: '/manage/role/list',
      answers: { listRoles: { items: [], total: 0 } },
    });
    await expect.element(text('people:role.empty')).toBeVisible();
  });
});
