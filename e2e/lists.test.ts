import { fieldLabel, messageOf } from '@chargehand/contract';
import { beforeAll, describe, expect } from 'vitest';
import { WORLD_PASSWORD } from '../apps/server/src/testing/world.ts';
import { journey } from './harness/journey.ts';
import { product } from './harness/product.ts';
import type { Visitor } from './harness/visitor.ts';

const chargehand = product();

/** Devices of north that are there for these journeys: `<locale> 1` to `<locale> 3` each. */
beforeAll(async () => {
  const { database, world } = chargehand.server;
  await database.pool.query(
    `insert into devices (sn, name, site_id, customer_id, device_model_id)
     select l || '-' || n, l || ' ' || n, s.id, s.customer_id, $1
       from unnest('{en-US,zh-CN}'::text[]) l, generate_series(1, 3) n, sites s where s.id = $2`,
    [world.model, world.sites.northQuay],
  );
  await database.pool.query('insert into device_states (device_id) select id from devices on conflict do nothing');
});

const dialog = ({ page }: Visitor) => page.getByRole('dialog');
const headings = async ({ page }: Visitor) =>
  (await page.getByRole('columnheader').allInnerTexts()).map((text) => text.trim()).filter((text) => text !== '');
const deviceId = async (sn: string): Promise<number> => {
  const { rows } = await chargehand.server.database.pool.query('select id from devices where sn = $1', [sn]);
  return rows[0].id;
};

async function signIn(visitor: Visitor, userName: string): Promise<void> {
  const { page, t } = visitor;
  await page.goto('/login');
  await page.getByLabel(t('access:login.userName'), { exact: true }).fill(userName);
  await page.getByLabel(t('access:login.password'), { exact: true }).fill(WORLD_PASSWORD);
  await visitor.follow(visitor.button(t('access:login.submit')), {
    path: '/manage/home',
    heading: t('home:title'),
  });
}

describe('columns and density', () => {
  journey(chargehand, 'are chosen by keyboard and kept over a new sign-in', {}, async (visitor) => {
    const { page, t, locale } = visitor;
    const name = locale === 'zh-CN' ? 'south_admin' : 'north_admin';
    await signIn(visitor, name);
    await page.goto('/manage/device/list');
    await expect.poll(() => headings(visitor)).toContain(t('fleet:sn'));

    await visitor.button(t('common:list.columns')).focus();
    await page.keyboard.press('Enter');
    await dialog(visitor)
      .getByRole('checkbox', { name: t('fleet:sn'), exact: true })
      .uncheck();
    const up = visitor.button(t('common:list.moveUp', { name: t('fleet:version') }));
    await up.focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await dialog(visitor).getByText(t('common:list.comfortable'), { exact: true }).click();
    await dialog(visitor)
      .getByRole('button', { name: t('common:save'), exact: true })
      .click();

    const arranged = [
      ...['status', 'name', 'alarms', 'site', 'version', 'model', 'lastSeen'].map((key) => t(`fleet:${key}`)),
      t('fleet:actions'),
    ];
    await expect.poll(() => headings(visitor)).toEqual(arranged);
    // It is on this screen before it is on the account.
    const kept = async () => {
      const { rowCount } = await chargehand.server.database.pool.query(
        `select from user_preferences p join users u on u.id = p.user_id where u.user_name = $1 and p.key = 'list.devices'`,
        [name],
      );
      return rowCount;
    };
    await expect.poll(kept).toBe(1);

    await visitor.context.clearCookies();
    await visitor.context.addCookies([{ name: 'locale', value: locale, url: chargehand.url }]);
    await signIn(visitor, name);
    await page.goto('/manage/device/list');
    await page.locator('tbody tr.ant-table-row').first().waitFor();
    await expect.poll(() => headings(visitor)).toEqual(arranged);
    await expect.poll(() => page.locator('.ant-table-middle, .ant-table-medium').count()).toBe(1);

    await visitor.button(t('common:list.columns')).click();
    await dialog(visitor)
      .getByRole('button', { name: t('common:list.reset'), exact: true })
      .click();
    await expect.poll(() => headings(visitor)).toContain(t('fleet:sn'));
  });
});

/**
 * In the browser: does something at the moment when the address has changed and nothing of it is drawn yet, as hands
 * do that are faster than the machine. `next` is called once, with the first change.
 */
const BEFORE_DRAWN = `((next) => {
  const { replaceState } = history;
  history.replaceState = async function (...given) {
    history.replaceState = replaceState;
    replaceState.apply(this, given);
    // The step that changes the address is gone to its end first; drawing begins later still.
    for (let turn = 0; turn < 100; turn += 1) await null;
    next();
  };
})`;

describe('hands that are faster than the machine', () => {
  journey(chargehand, 'lose nothing of what they type', { as: 'northAdmin' }, async (visitor) => {
    const { page, t } = visitor;
    await page.goto('/manage/device/list');
    const search = page.getByLabel(t('fleet:list.search'), { exact: true });
    await search.focus();
    const seen = await page.evaluate(`(async () => {
      const field = document.activeElement;
      const type = (text) => {
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, text);
        field.dispatchEvent(new Event('input', { bubbles: true }));
      };
      const seen = new Set();
      let more = false;
      ${BEFORE_DRAWN}(() => { type('northQuay-2'); more = true; });
      type('northQuay');
      while (!location.search.includes('northQuay-2')) {
        await new Promise(requestAnimationFrame);
        if (more) seen.add(field.value);
      }
      return [...seen];
    })()`);
    expect(seen).toEqual(['northQuay-2']);
    await visitor.sees(visitor.link('Pile northQuay-2'));
    expect(await search.inputValue()).toBe('northQuay-2');
  });
});

describe('many rows at once', () => {
  journey(
    chargehand,
    'are deleted but for those that charge, and the reason is said',
    { as: 'northAdmin' },
    async (visitor) => {
      const { page, t, locale } = visitor;
      await chargehand.server.database.pool.query(
        `insert into transactions (device_id, connector, id_tag, meter_start, started_at) values ($1, 1, 'tag', 0, now())`,
        [await deviceId(`${locale}-2`)],
      );
      await page.goto(`/manage/device/list?search=${locale}-`);
      const select = (n: number) =>
        page.getByRole('checkbox', {
          name: t('common:list.selectRow', { name: `${locale} ${n} · ${locale}-${n}` }),
          exact: true,
        });
      await select(1).check();
      // The bar that comes with the first row moves the rows below it.
      await visitor.sees(t('common:list.selected', { count: 1 }));
      await select(2).check();
      await visitor.sees(t('common:list.selected', { count: 2 }));
      await page
        .getByRole('toolbar')
        .getByRole('button', { name: t('fleet:action.delete'), exact: true })
        .click();
      const confirm = dialog(visitor).getByRole('button', { name: t('fleet:action.delete'), exact: true });
      await visitor.sees(t('fleet:bulk.delete'));
      expect(await confirm.isDisabled()).toBe(true);
      await dialog(visitor).getByRole('textbox').fill('2');
      await confirm.click();

      await visitor.sees(
        messageOf('deviceHasOpenTransaction', locale),
        dialog(visitor).getByText(t('common:list.notDone', { count: 1 })),
      );
      await dialog(visitor)
        .getByRole('button', { name: t('common:close'), exact: true })
        .last()
        .click();
      // What is left to do is still chosen.
      await visitor.sees(t('common:list.selected', { count: 1 }));
      await expect.poll(() => page.locator('tbody tr.ant-table-row').count()).toBe(2);
    },
  );

  journey(chargehand, 'are chosen with the keyboard', { as: 'northAdmin' }, async (visitor) => {
    const { page, t } = visitor;
    await page.goto('/manage/device/list');
    await page.locator('tbody tr.ant-table-row').first().waitFor();
    // The page hears keys once it is on its feet.
    await visitor.sees(t('common:live.on'));
    await page.keyboard.press('/');
    await visitor.sees(page.getByLabel(t('fleet:list.search'), { exact: true }).and(page.locator(':focus')));
    await page.keyboard.type('northQuay');
    await expect.poll(() => page.locator('tbody tr.ant-table-row').count()).toBe(2);
    await page.locator('tbody tr.ant-table-row').first().focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await visitor.sees(t('common:list.selected', { count: 2 }));
    await page.keyboard.press('?');
    await visitor.sees(t('common:keys.title'));
    await page.keyboard.press('Escape');
    await visitor.misses(t('common:keys.title'));
    await visitor.follow(() => page.keyboard.press('Enter'), {
      path: `/manage/device/detail/${chargehand.server.world.devices.northQuay2.id}`,
      heading: 'Pile northQuay-2',
    });
  });
});

describe('history', () => {
  journey(chargehand, 'of a thing is one step from it', { as: 'northAdmin' }, async (visitor) => {
    const { page, t, locale } = visitor;
    const id = await deviceId(`${locale}-3`);
    await page.goto(`/manage/device/detail/${id}`);
    const name = `${locale} 3`;
    const more = page.getByRole('button', { name: t('fleet:action.more', { name }), exact: true });
    await more.click();
    await page.getByRole('menuitem', { name: t('fleet:action.disable'), exact: true }).click();
    await dialog(visitor)
      .getByRole('button', { name: t('fleet:disable.ok'), exact: true })
      .click();
    await visitor.sees(t('fleet:disable.done', { name }));
    await more.click();
    await visitor.follow(page.getByRole('menuitem', { name: t('fleet:action.log'), exact: true }), {
      path: `/manage/logs/action/device/${id}`,
      heading: t('routes:logsAction'),
    });
    await expect.poll(() => page.locator('tbody tr.ant-table-row').count()).toBe(1);
    await page.locator('tbody tr.ant-table-row').first().focus();
    await page.keyboard.press('Enter');
    await visitor.sees(page.locator('.difference').getByText(fieldLabel('enabled', locale), { exact: true }));
    await visitor.sees(dialog(visitor).getByRole('link', { name, exact: true }));
  });
});
