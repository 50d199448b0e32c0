import { executionReasons } from '@chargehand/contract';
import type { ExecutionReason } from '@chargehand/domain';
import { describe, expect } from 'vitest';
import { addFirmware } from '../../apps/server/src/testing/transfers/transfers.ts';
import { connectPiles, type Piles } from '../harness/devices.ts';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';
import type { Visitor } from '../harness/visitor.ts';

const chargehand = product();
const reasonOf = (name: ExecutionReason) => executionReasons[name].en;

const dialogOf = ({ page }: Visitor) => page.getByRole('dialog');

/** Selects piles in the device list and opens the page that prepares the command. */
async function choose(visitor: Visitor, own: Piles): Promise<void> {
  const { page, t } = visitor;
  await page.goto(`/manage/device/list?search=${own.devices[0]!.sn.replace(/\d+$/, '')}&sort=sn`);
  for (const [index, { name, sn }] of own.devices.entries()) {
    await visitor.main.getByRole('checkbox', { name: t('common:list.selectRow', { name: `${name} · ${sn}` }) }).check();
    // The bar that appears with the first selected row moves the rows below it.
    await visitor.sees(t('common:list.selected', { count: index + 1 }));
  }
  await visitor.button(t('fleet:bulk.control')).click();
  await visitor.sees(t('batches:who', { count: own.devices.length, site: 'Site northQuay' }));
}

/** Selects the command. */
async function what(visitor: Visitor, name: string): Promise<void> {
  const { main, page, t } = visitor;
  // Searched by name, because the list renders only the visible options.
  await visitor.enter(main.getByRole('combobox', { name: t('batches:what') }), name);
  await visitor.press(page.locator('.ant-select-item-option').getByText(name, { exact: true }));
}

const rowOf = ({ page, t }: Visitor, sn: string) =>
  page
    .getByRole('table', { name: t('batches:devices') })
    .locator('tbody tr[data-row-key]')
    .filter({ hasText: sn });

describe('one command to several devices', () => {
  journey(
    chargehand,
    'shows its progress, stops after failures, and is retried',
    { as: 'northAdmin' },
    async (visitor) => {
      const { t } = visitor;
      const piles = await connectPiles(chargehand, { prefix: 'BATCH', devices: 5, connectors: 1, speed: 5 });
      const { devices } = piles;
      await choose(visitor, piles);
      for (const { pile } of devices.slice(1, 3)) pile.refuseNext('ChangeAvailability');
      await what(visitor, t('operations:kinds.disableSystem.do'));
      await visitor.main.getByLabel(t('batches:parallel'), { exact: true }).fill('1');
      await visitor.main.getByLabel(t('batches:stopAfter'), { exact: true }).fill('2');
      await visitor.button(t('batches:send', { count: 5 })).click();

      await visitor.sees(t('batches:succeeded', { done: 1, total: 5 }));
      await visitor.sees(t('batches:stopped.failures', { count: 2, name: '' }));
      await visitor.sees(
        rowOf(visitor, devices[0]!.sn).getByText(t('common:executionResult.success'), { exact: true }),
        rowOf(visitor, devices[1]!.sn).getByText(reasonOf('rejected')),
        rowOf(visitor, devices[2]!.sn).getByText(reasonOf('rejected')),
        rowOf(visitor, devices[3]!.sn).getByText(reasonOf('batchStopped')),
      );
      expect(devices.map(({ pile }) => pile.receivedCalls.ChangeAvailability ?? 0)).toEqual([1, 1, 1, 0, 0]);

      await visitor.button(t('batches:rerun')).click();
      await dialogOf(visitor)
        .getByRole('button', { name: t('batches:rerun'), exact: true })
        .click();
      await visitor.sees(t('batches:succeeded', { done: 4, total: 4 }));
      await expect
        .poll(() => devices.map(({ pile }) => pile.receivedCalls.ChangeAvailability ?? 0))
        .toEqual([1, 2, 2, 1, 1]);
      await visitor.sees(visitor.main.getByRole('button', { name: new RegExp(`^${t('batches:results.succeeded')}`) }));

      await visitor.follow(visitor.link(t('batches:toList')), {
        path: '/manage/device/batches',
        heading: t('routes:batches'),
      });
      await visitor.sees(
        visitor.main.getByRole('table').locator('tbody tr[data-row-key]').filter({ hasText: '4 / 4' }).first(),
      );
    },
  );

  journey(
    chargehand,
    'goes to the devices of two sites as one operation, with a preview of each device',
    { as: 'northAdmin', full: true },
    async (visitor) => {
      const { page, t } = visitor;
      const quay = await connectPiles(chargehand, { prefix: 'BYSITE-A', devices: 2, connectors: 1, speed: 5 });
      const mill = await connectPiles(chargehand, {
        ...{ prefix: 'BYSITE-B', devices: 1, connectors: 1, speed: 5 },
        site: 'northMill',
      });
      await page.goto('/manage/device/list?search=BYSITE&sort=sn');
      await visitor.press(visitor.main.getByRole('checkbox', { name: t('common:list.selectPage') }));
      await visitor.sees(t('common:list.selected', { count: 3 }));
      await visitor.press(visitor.button(t('fleet:bulk.control')));
      await visitor.sees(t('batches:sites.who', { count: 3, sites: 2 }));
      await what(visitor, t('operations:kinds.disableSystem.do'));
      for (const { sn } of [...quay.devices, ...mill.devices]) {
        await visitor.sees(page.getByRole('row').filter({ hasText: sn }).getByText(t('batches:effects.changes')));
      }
      await visitor.press(visitor.button(t('batches:send', { count: 3 })));
      // With a parameter, its value is one more.
      expect(visitor.steps).toBeLessThanOrEqual(6);
      await visitor.sees(t('batches:succeeded', { done: 3, total: 3 }));
      const sites = page.getByRole('table', { name: t('batches:sites.title') });
      for (const [site, count] of [
        ['Site northQuay', 2],
        ['Site northMill', 1],
      ] as const) {
        const row = sites.getByRole('row').filter({ hasText: site });
        await visitor.sees(row.getByText(`${count} / ${count}`, { exact: true }));
      }
      const calls = [...quay.devices, ...mill.devices].map(({ pile }) => pile.receivedCalls.ChangeAvailability ?? 0);
      expect(calls).toEqual([1, 1, 1]);
    },
  );

  journey(
    chargehand,
    'updates the firmware of each device, and ends when they run it',
    { as: 'northAdmin', full: true },
    async (visitor) => {
      const { page, t } = visitor;
      const version = '7.1.1';
      const own = await connectPiles(chargehand, { prefix: 'FIRM', devices: 3, speed: 20 });
      // The first is charging, and installs the downloaded file only after the vehicle has left.
      const [first] = own.devices;
      first!.pile.plugIn(1);
      await expect.poll(() => first!.pile.charging, { timeout: 30_000 }).toBe(true);
      const staff = await chargehand.server.as('vendorStaff');
      const content = Buffer.alloc(200_000, 7);
      await addFirmware(chargehand.server, staff, { version, fileName: `pile-${version}.bin`, content });
      await choose(visitor, own);
      await what(visitor, t('operations:kinds.upgradeSoftware.do'));
      const asks = visitor.button(t('batches:send', { count: 3 }));
      expect(await asks.isDisabled()).toBe(true);
      await visitor.main.getByRole('combobox', { name: t('transfers:update.file') }).click();
      await page
        .locator('.ant-select-item-option')
        .filter({ hasText: `pile-${version}.bin` })
        .click();
      await visitor.main.getByLabel(t('batches:parallel'), { exact: true }).fill('2');
      await asks.click();

      await visitor.sees(visitor.heading(`${t('operations:kinds.upgradeSoftware.do')} · ${version}`));
      // Progress is shown while the page is open.
      const stateOf = (sn: string, state: 'downloaded' | 'verified') =>
        rowOf(visitor, sn).getByText(t(`transfers:states.${state}`), { exact: true });
      await stateOf(first!.sn, 'downloaded').waitFor({ timeout: 60_000 });
      for (const { sn } of own.devices.slice(1)) await stateOf(sn, 'verified').waitFor({ timeout: 60_000 });
      await visitor.sees(
        t('batches:progress', { done: 2, total: 3 }),
        rowOf(visitor, first!.sn).getByText(t('common:executionResult.accepted'), { exact: true }),
      );
      first!.pile.unplug(1);
      await visitor.main
        .getByText(t('batches:succeeded', { done: 3, total: 3 }), { exact: true })
        .waitFor({ timeout: 60_000 });
      for (const { sn } of own.devices)
        await visitor.sees(
          stateOf(sn, 'verified'),
          rowOf(visitor, sn).getByText(t('common:executionResult.success'), { exact: true }),
        );
    },
  );
});
