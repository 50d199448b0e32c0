import { messageOf } from '@chargehand/contract';
import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { LANGUAGES } from '../../../testing/languages.ts';
import { show } from '../../../testing/show.tsx';
import { Refused } from '../../../testing/stub-server.ts';
import { CustomerActions } from './customer-actions.tsx';
import { CustomerFormDialog } from './customer-form-dialog.tsx';
import type { CustomerSubject } from './customer-list.ts';

const customer: CustomerSubject = {
  ...{
    id: 3,
    name: 'Customer north',
    code: 'north',
    issuePrefix: 'CN',
    logo: null,
    contact: '',
    address: '',
    country: null,
  },
  ...{ province: null, city: null, enabled: true, readOnly: false, platformVendor: false, revision: 'r' },
  ...{ siteCount: 0, userCount: 0 },
};
const may = { edit: true, manage: true };

describe('the actions of a customer', () => {
  test.each(LANGUAGES)('explain in the dialog why a customer with sites cannot be deleted (%s)', async (locale) => {
    const { t, button } = await show(<CustomerActions customer={customer} may={may} />, {
      locale,
      answers: {
        deleteCustomer: () => {
          throw new Refused('customerHasSites');
        },
      },
    });
    await button('places:more', { name: customer.name }).click();
    await page.getByRole('menuitem', { name: t('places:delete.ok'), exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: t('places:delete.ok'), exact: true }).click();
    await expect.element(dialog.getByText(messageOf('customerHasSites', locale))).toBeVisible();
  });

  test.each(['disable', 'delete'] as const)(
    'with the keyboard: the dialog of "%s" returns the focus to the menu',
    async (action) => {
      const { t, button } = await show(<CustomerActions customer={customer} may={may} />);
      const menu = button('places:more', { name: customer.name });
      (menu.element() as HTMLElement).focus();
      await userEvent.keyboard('{Enter}');
      // The menu gets the focus some frames after it appears.
      await expect.poll(() => document.querySelector('[role="menu"]:focus-within')).not.toBeNull();
      const entry = page.getByRole('menuitem', { name: t(`places:${action}.ok`), exact: true });
      (entry.element() as HTMLElement).focus();
      await userEvent.keyboard('{Enter}');
      await expect.element(page.getByRole('dialog')).toBeVisible();
      await expect.poll(() => document.querySelector('[role="dialog"]:focus-within')).not.toBeNull();
      await userEvent.keyboard('{Escape}');
      await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
      await expect.element(menu).toHaveFocus();
    },
  );
});

test.each(LANGUAGES)('the form of a customer shows at the field that the name is taken (%s)', async (locale) => {
  const { t, button, field } = await show(<CustomerFormDialog manage onClose={() => undefined} />, {
    locale,
    answers: {
      createCustomer: () => {
        throw new Refused('customerNameExists', {}, 'name');
      },
    },
  });
  await field('places:name').fill('customer north');
  await field('places:code').fill('ACME');
  await page.getByRole('radio', { name: t('places:form.tokenPolicy.known') }).click();
  await button('places:form.add').click();
  await expect.element(page.getByText(messageOf('customerNameExists', locale))).toBeVisible();
  await expect
    .element(field('places:name'))
    .toHaveAccessibleDescription(new RegExp(messageOf('customerNameExists', locale)));
});
