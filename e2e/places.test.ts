import { messageOf } from '@chargehand/contract';
import { describe, expect } from 'vitest';
import { journey } from './harness/journey.ts';
import { product } from './harness/product.ts';
import type { Visitor } from './harness/visitor.ts';

const chargehand = product();
const tagOf = ({ locale }: Visitor) => (locale === 'en-US' ? 'EN' : 'ZH');
const field = ({ page }: Visitor, name: string) => page.getByRole('textbox', { name, exact: true });

describe('customers', () => {
  journey(chargehand, 'are added, changed, disabled, enabled and deleted', { as: 'root' }, async (visitor) => {
    const { page, t } = visitor;
    const name = `Acme ${tagOf(visitor)}`;
    const more = async (entry: string) => {
      await visitor.button(t('places:more', { name })).click();
      await page.getByRole('menuitem', { name: entry, exact: true }).click();
    };
    const confirm = (label: string) =>
      page.getByRole('dialog').getByRole('button', { name: label, exact: true }).click();

    await page.goto('/manage/customer/list');
    await visitor.button(t('places:customerAdd')).click();
    await field(visitor, t('places:name')).fill(name);
    await field(visitor, t('places:code')).fill(`ACME-${tagOf(visitor)}`);
    await visitor.follow(() => confirm(t('places:form.add')), {
      path: /^\/manage\/customer\/detail\/\d+$/,
      heading: name,
    });

    await visitor.button(t('places:edit')).click();
    await field(visitor, t('places:contact')).fill('Ada Leung');
    await confirm(t('common:save'));
    await visitor.sees('Ada Leung');
    await more(t('places:disable.ok'));
    await confirm(t('places:disable.ok'));
    await visitor.sees(page.locator('.headline').getByText(t('places:disabled'), { exact: true }));
    await more(t('places:enable.ok'));
    await confirm(t('places:enable.ok'));
    await visitor.misses(page.locator('.headline').getByText(t('places:disabled'), { exact: true }));
    await more(t('places:delete.ok'));
    await visitor.follow(() => confirm(t('places:delete.ok')), {
      path: '/manage/customer/list',
      heading: t('routes:customerList'),
    });
    await visitor.misses(page.getByRole('row').filter({ hasText: name }));
  });
});

describe('sites', () => {
  journey(chargehand, 'are added, found and opened with the keyboard alone', { as: 'northAdmin' }, async (visitor) => {
    const { page, t } = visitor;
    await page.goto('/manage/site/add');
    // The form begins in its first field.
    await visitor.sees(field(visitor, t('places:name')).and(page.locator(':focus')));
    await page.keyboard.type('Keyboard Yard');
    await page.keyboard.press('Tab');
    await page.keyboard.type('KEYS');
    await page.keyboard.press('Tab');
    await page.keyboard.type('north');
    await page.locator('.ant-select-item-option-active').filter({ hasText: 'Customer north' }).waitFor();
    await page.keyboard.press('Enter');
    await field(visitor, t('places:name')).focus();
    const yard = { path: /^\/manage\/site\/detail\/\d+$/, heading: 'Keyboard Yard' };
    await visitor.follow(() => page.keyboard.press('Enter'), yard);
    await page.goto('/manage/site/list?search=keyboard');
    await page.getByRole('row').filter({ hasText: 'KEYS' }).focus();
    await visitor.follow(() => page.keyboard.press('Enter'), yard);
  });

  journey(chargehand, 'show their devices and who runs them', { as: 'northAdmin' }, async (visitor) => {
    const { page, t } = visitor;
    await page.goto('/manage/site/list');
    await visitor.follow(visitor.link('Site northQuay'), {
      path: `/manage/site/detail/${chargehand.server.world.sites.northQuay}`,
      heading: 'Site northQuay',
    });
    await page.getByRole('tab', { name: t('places:devices') }).click();
    await visitor.sees('Pile northQuay-1', 'Pile northQuay-2');
    await page.getByRole('tab', { name: t('places:site.administrators'), exact: true }).click();
    await visitor.sees('north_admin', 'north_assigned');
    expect(await page.getByText('vendor_staff').count()).toBe(0);
  });

  journey(chargehand, 'of others are not there', { as: 'southAdmin' }, async (visitor) => {
    const { page, locale } = visitor;
    await page.goto(`/manage/site/detail/${chargehand.server.world.sites.northQuay}`);
    await visitor.sees(messageOf('notFound', locale, { thing: locale === 'zh-CN' ? '站点' : 'site' }));
  });
});
