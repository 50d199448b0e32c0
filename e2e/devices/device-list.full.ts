import { messageOf } from '@chargehand/contract';
import type { Request } from 'playwright-core';
import { readSheet } from 'read-excel-file/node';
import { beforeAll, describe, expect } from 'vitest';
import { connectPiles, type Piles } from '../harness/devices.ts';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';
import type { Visitor } from '../harness/visitor.ts';

const chargehand = product();
let quay: Piles;
let park: Piles;

beforeAll(async () => {
  quay = await connectPiles(chargehand, { prefix: 'QUAY', devices: 24 });
  park = await connectPiles(chargehand, { prefix: 'PARK', devices: 2, site: 'southPark' });
});

const rows = ({ page }: Visitor) => page.locator('tbody tr[data-row-key]');
const rowOf = (visitor: Visitor, name: string) =>
  rows(visitor).filter({ has: visitor.page.getByRole('link', { name, exact: true }) });
const namesOf = (visitor: Visitor) => visitor.page.locator('tbody .device-name').allInnerTexts();

describe('the device list', () => {
  journey(chargehand, 'shows a new fault without rendering all rows again', { as: 'northAdmin' }, async (visitor) => {
    const { page, t } = visitor;
    const { name, pile } = quay.devices[0]!;
    await page.goto('/manage/device/list?sort=name&search=QUAY');
    await visitor.sees(rowOf(visitor, name), t('common:live.on'));
    // Numbers in names are sorted by their value: 2 before 10.
    const names = (await namesOf(visitor)).filter((one) => one.startsWith('QUAY'));
    expect(names.length).toBeGreaterThan(10);
    expect(names).toEqual(names.map((_, index) => `QUAY ${index + 1}`));
    await page.evaluate(
      `for (const row of document.querySelectorAll('tbody tr[data-row-key]')) row.dataset.kept = 'yes'`,
    );
    const faulted = rowOf(visitor, name).getByText(t('common:deviceStatus.faulted'), { exact: true });
    for (let round = 0; round < 2; round += 1) {
      pile.fault(1, 'GroundFailure');
      await faulted.waitFor();
      pile.clearFault(1);
      await visitor.misses(faulted);
    }
    expect(await page.locator('tbody tr[data-row-key]:not([data-kept])').count()).toBe(0);
  });

  journey(
    chargehand,
    'disables all devices that match, except a deselected one',
    { as: 'northAdmin' },
    async (visitor) => {
      const { page, t } = visitor;
      const { devices } = await connectPiles(chargehand, { prefix: 'WHOLE', devices: 13 });
      await page.goto('/manage/device/list?search=WHOLE&sort=name&pageSize=10');
      const check = (name: string) => visitor.main.getByRole('checkbox', { name });
      await check(t('common:list.selectPage')).check();
      await visitor.sees(t('common:list.selected', { count: 10 }));
      await visitor.button(t('common:list.selectAll', { total: '13' })).click();
      await visitor.sees(t('common:list.selected', { count: 13 }));
      const [kept] = devices;
      await check(t('common:list.selectRow', { name: `${kept!.name} · ${kept!.sn}` })).uncheck();
      await visitor.sees(t('common:list.selected', { count: 12 }));
      await page
        .getByRole('toolbar')
        .getByRole('button', { name: t('fleet:disable.ok'), exact: true })
        .click();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: t('fleet:disable.ok'), exact: true })
        .click();
      await visitor.sees(t('common:list.done', { count: 12 }));
      await page.goto('/manage/device/list?search=WHOLE&status=disabled');
      await visitor.sees(t('common:table.range', { from: 1, to: 12, count: 12 }));
    },
  );

  journey(chargehand, 'shows a lost stream, polls, and reconnects', { as: 'northAdmin' }, async (visitor) => {
    const { page, t } = visitor;
    const { name, pile } = quay.devices[1]!;
    visitor.expects(/stream|ERR_/);
    await page.clock.install();
    await page.goto('/manage/device/list?sort=name&search=QUAY');
    await visitor.sees(rowOf(visitor, name), t('common:live.on'));
    await page.route('**/api/auth/sys/stream*', (route) => route.abort('connectionreset'));
    chargehand.network.interrupt();
    await visitor.sees(page.locator('.live-indicator[data-state="polling"]'));
    pile.fault(1, 'OverVoltage');
    const faulted = rowOf(visitor, name).getByText(t('common:deviceStatus.faulted'), { exact: true });
    const underWay = new Set<Request>();
    page.on('request', (request) => /\/api\/auth\/sys\/devices\?/.test(request.url()) && underWay.add(request));
    page.on('requestfinished', (request) => underWay.delete(request));
    page.on('requestfailed', (request) => underWay.delete(request));
    await expect
      .poll(
        async () => {
          // A second request would cancel the first before its response. Half a minute leaves time for the response.
          if (underWay.size === 0) await page.clock.fastForward(30_000);
          return await faulted.isVisible();
        },
        { interval: 1_000 },
      )
      .toBe(true);
    await page.unroute('**/api/auth/sys/stream*');
    const live = page.locator('.live-indicator[data-state="on"]');
    await expect
      .poll(
        async () => {
          if (await live.isVisible()) return true;
          await page.clock.fastForward(30_000);
          return false;
        },
        // A connection without messages while the clock advances would count as dead before it is open.
        { interval: 2_000 },
      )
      .toBe(true);
    pile.clearFault(1);
    await visitor.misses(faulted);
  });

  journey(
    chargehand,
    "exports the filtered list in the user's language",
    { as: 'northAdmin', locales: ['zh-CN'] },
    async (visitor) => {
      const { page, t } = visitor;
      await page.goto('/manage/device/list?sort=-sn&search=QUAY0000');
      await expect.poll(() => rows(visitor).count()).toBe(9);
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        visitor.button(t('common:list.export')).click(),
      ]);
      expect(download.suggestedFilename()).toMatch(/\.xlsx$/);
      const [heading = [], ...lines] = await readSheet(await download.createReadStream());
      expect(heading).toContain(t('fleet:sn'));
      const column = heading.indexOf(t('fleet:sn'));
      expect(lines.map((line) => line[column])).toEqual(
        quay.devices
          .slice(0, 9)
          .map(({ sn }) => sn)
          .reverse(),
      );
    },
  );

  journey(chargehand, 'never shows devices and sites of another customer', { as: 'southAdmin' }, async (visitor) => {
    const { page, t, locale } = visitor;
    await page.goto('/manage/device/list?sort=name');
    await visitor.sees(rowOf(visitor, park.devices[0]!.name));
    expect((await namesOf(visitor)).filter((name) => name.startsWith('QUAY'))).toEqual([]);
    for (const path of [`detail/${quay.devices[0]!.id}`, `update/${quay.devices[0]!.id}`]) {
      await page.goto(`/manage/device/${path}`);
      await visitor.sees(page.getByRole('main').getByRole('alert'));
      expect(await page.getByText(quay.devices[0]!.name).count()).toBe(0);
      expect(await page.getByText(quay.devices[0]!.sn).count()).toBe(0);
    }
    await visitor.sees(visitor.button(t('common:error.retry')));
    await page.goto(`/manage/site/detail/${chargehand.server.world.sites.northQuay}`);
    await visitor.sees(messageOf('notFound', locale, { object: 'site' }));
  });
});
