import { executionReasons } from '@chargehand/contract';
import type { ExecutionReason } from '@chargehand/domain';
import type { Locator } from 'playwright-core';
import { beforeAll, describe, expect } from 'vitest';
import { userNameOf } from '../../apps/server/src/testing/world.ts';
import { connectPiles, type Piles } from '../harness/devices.ts';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';
import type { Visitor } from '../harness/visitor.ts';

const chargehand = product();
let piles: Piles;

beforeAll(async () => {
  // Fast, so that a restart takes a moment. Each journey has its own pile.
  piles = await connectPiles(chargehand, { prefix: 'CTRL', devices: 3, connectors: 2, speed: 5 });
});

const reasonOf = (name: ExecutionReason) => executionReasons[name].en;
const dialogOf = ({ page }: Visitor) => page.getByRole('dialog');
/** The latest execution in the list, which updates automatically. */
const newest = ({ page, t }: Visitor): Locator =>
  page
    .getByRole('table', { name: t('operations:history') })
    .locator('tbody tr[data-row-key]')
    .first();

async function open(visitor: Visitor, number: number) {
  const device = piles.devices[number]!;
  await visitor.page.goto(`/manage/device/detail/${device.id}?tab=operations`);
  await visitor.sees(visitor.heading(device.name), visitor.t('common:live.on'));
  return device;
}

/** Presses the button of a command and confirms it. */
async function give(visitor: Visitor, kind: string, connector?: number): Promise<void> {
  const name = visitor.t(`operations:kinds.${kind}.do`);
  const label =
    connector === undefined
      ? name
      : `${name}, ${visitor.t('common:connectorName.alone.number', { number: connector })}`;
  await visitor.page.getByRole('tabpanel').getByRole('button', { name: label, exact: true }).click();
  await dialogOf(visitor).getByRole('button', { name, exact: true }).click();
}

/** Closes the dialog with its button, and waits until it is gone. */
async function closeDialog(visitor: Visitor): Promise<void> {
  const buttons = dialogOf(visitor).getByRole('button', { name: visitor.t('common:close'), exact: true });
  // The button below replaces Cancel when the command was sent. Before, there is only the one in the corner.
  await expect.poll(() => buttons.count()).toBe(2);
  await buttons.last().click();
  await expect.poll(() => dialogOf(visitor).count()).toBe(0);
}

describe('remote control', () => {
  journey(chargehand, 'resets a pile and shows every step', { as: 'northAdmin' }, async (visitor) => {
    const { page, t } = visitor;
    const { pile, id, name } = await open(visitor, 0);
    // Long enough for a slow browser to show that the response is pending.
    pile.answerSlowly(5_000);
    await give(visitor, 'softReset');
    const progress = dialogOf(visitor).locator('.progress');
    await visitor.sees(progress.getByText(t('common:executionResult.waiting'), { exact: true }));
    await visitor.sees(progress.getByText(t('common:executionResult.accepted'), { exact: true }));
    await visitor.sees(progress.getByText(reasonOf('restarted')));
    await visitor.sees(progress.getByText(t('common:executionResult.success'), { exact: true }));
    pile.answerSlowly(null);
    expect(pile.receivedCalls.Reset).toBe(1);
    await closeDialog(visitor);
    await visitor.sees(newest(visitor).getByText(t('common:executionResult.success'), { exact: true }));
    await expect.poll(() => pile.accepted, { timeout: 30_000 }).toBe(true);
    await visitor.sees(page.locator('.headline').getByText(t('common:deviceStatus.idle'), { exact: true }));

    await page.goto(`/manage/logs/action/device/${id}`);
    const entry = page
      .locator('tbody tr')
      .filter({ hasText: userNameOf('northAdmin') })
      .first();
    await visitor.sees(
      entry.getByText(t('audit:operations.control')),
      entry.getByText(name),
      entry.getByText(t('operations:kinds.softReset.do')),
    );
  });

  journey(
    chargehand,
    'resets an offline pile after it reconnects, which is no success before',
    { as: 'northAdmin', full: true },
    async (visitor) => {
      const { page, t } = visitor;
      const { pile } = await open(visitor, 2);
      pile.goOffline(600_000);
      await visitor.sees(page.locator('.headline').getByText(t('common:deviceStatus.offline'), { exact: true }));
      const name = t('operations:kinds.softReset.do');
      await page.getByRole('tabpanel').getByRole('button', { name, exact: true }).click();
      await dialogOf(visitor).getByText(t('operations:policy.queue'), { exact: true }).click();
      await dialogOf(visitor).getByRole('button', { name, exact: true }).click();
      await closeDialog(visitor);
      const resets = page
        .getByRole('table', { name: t('operations:history') })
        .locator('tbody tr[data-row-key]')
        .filter({ hasText: name });
      const result = (result: string) => resets.getByText(t(`common:executionResult.${result}`), { exact: true });
      await visitor.sees(result('waiting'), resets.getByText(t('operations:progress.short.waitsForDevice')));
      expect(await result('success').count()).toBe(0);
      pile.goOffline(0);
      await visitor.sees(result('success'), resets.getByText(reasonOf('restarted')));
      expect(await resets.count()).toBe(1);
      expect(pile.receivedCalls.Reset).toBe(1);
    },
  );

  journey(
    chargehand,
    'disables a charging connector after the session has ended',
    { as: 'northAdmin', full: true },
    async (visitor) => {
      const { t } = visitor;
      const { pile } = await open(visitor, 1);
      pile.plugIn(1, 'CARD-9');
      await visitor.sees(
        visitor.main.getByRole('tabpanel').getByText(t('common:connectorStatus.Charging'), { exact: true }),
      );
      await give(visitor, 'disableConnector', 1);
      await visitor.sees(dialogOf(visitor).getByText(t('common:executionResult.accepted'), { exact: true }));
      await closeDialog(visitor);
      await visitor.sees(newest(visitor).getByText(t('operations:progress.short.scheduled')));
      pile.unplug(1);
      await visitor.sees(newest(visitor).getByText(reasonOf('availabilityChanged')));
      await visitor.sees(
        visitor.main.getByRole('tabpanel').getByText(t('common:connectorStatus.Unavailable'), { exact: true }),
      );
    },
  );
});
