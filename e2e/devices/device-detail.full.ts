import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect } from 'vitest';
import { connectPiles, type Piles } from '../harness/devices.ts';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';
import type { Visitor } from '../harness/visitor.ts';

const chargehand = product();
let piles: Piles;

beforeAll(async () => {
  piles = await connectPiles(chargehand, { prefix: 'LIVE', devices: 1, connectors: 2, meterInterval: 1, heartbeat: 1 });
});

const device = () => piles.devices[0]!;
const connectorOf = ({ main, t }: Visitor, number: number) =>
  main.getByRole('region', { name: t('common:connectorName.alone.number', { number }), exact: true });
const open = async (visitor: Visitor, section: string) => {
  await visitor.page.goto(`/manage/device/detail/${device().id}?tab=details&section=${section}`);
  await visitor.sees(visitor.heading(device().name), visitor.t('common:live.on'));
};

describe('the page of a device', () => {
  journey(chargehand, 'shows changes of connectors and readings', { as: 'northAdmin' }, async (visitor) => {
    const { t } = visitor;
    const { pile } = device();
    await open(visitor, 'runtime');
    const one = connectorOf(visitor, 1);
    await visitor.sees(one.getByText(t('common:connectorStatus.Available'), { exact: true }));
    pile.plugIn(1, 'CARD-7');
    await visitor.sees(one.getByText(t('common:connectorStatus.Charging'), { exact: true }), one.getByText('CARD-7'));
    await visitor.sees(visitor.page.locator('.headline').getByText(t('common:deviceStatus.working'), { exact: true }));
    const energy = one.getByRole('row', { name: /Energy\.Active\.Import\.Register/ }).locator('.number');
    const power = one.getByRole('row', { name: /Power\.Active\.Import/ }).locator('.number');
    await visitor.sees(energy, power);
    const before = await one.locator('.readings').innerText();
    await expect.poll(() => one.locator('.readings').innerText(), { timeout: 30_000 }).not.toBe(before);

    // After the session, the last readings are marked as old.
    const row = one.getByRole('row', { name: /Power\.Active\.Import/ });
    expect(await row.getAttribute('data-stale')).toBe('false');
    pile.unplug(1);
    await visitor.sees(one.getByText(t('common:connectorStatus.Available'), { exact: true }));
    await expect.poll(() => row.getAttribute('data-stale'), { timeout: 30_000 }).toBe('true');
  });

  journey(chargehand, 'shows an alarm from start to end', { as: 'northAdmin' }, async (visitor) => {
    const { page, t } = visitor;
    const { pile } = device();
    await open(visitor, 'alarms');
    pile.fault(2, 'OverCurrentFailure', 'E-77');
    const row = page.locator('tbody tr[data-row-key]').filter({ hasText: 'OverCurrentFailure' }).first();
    await visitor.sees(row.getByText(t('alarms:active'), { exact: true }));
    await visitor.sees(page.locator('.headline').getByText(t('common:deviceStatus.faulted'), { exact: true }));
    pile.clearFault(2);
    await visitor.misses(row);
    await visitor.misses(page.locator('.headline').getByText(t('common:deviceStatus.faulted'), { exact: true }));
    await visitor.main.getByText(t('alarms:states.cleared'), { exact: true }).click();
    await visitor.sees(row.getByText(t('alarms:cleared'), { exact: true }));
  });

  journey(chargehand, 'shows a lost connection and its reason', { as: 'northAdmin' }, async (visitor) => {
    const { page, t } = visitor;
    const { pile } = device();
    await open(visitor, 'events');
    // Offline until the page showed it, however slow the browser is.
    pile.goOffline(600_000);
    const headline = page.locator('.headline');
    await visitor.sees(headline.getByText(t('common:deviceStatus.offline'), { exact: true }));
    await visitor.sees(
      page
        .getByRole('row')
        .filter({ hasText: t('alarms:eventTypes.disconnect') })
        .first(),
    );
    pile.goOffline(0);
    await visitor.sees(headline.getByText(t('fleet:connected'), { exact: true }));
  });

  journey(
    chargehand,
    'shows the protocol log live, pauses, filters, and exports the filtered frames',
    { as: 'northAdmin' },
    async (visitor) => {
      const { page, t } = visitor;
      const { sn } = device();
      await open(visitor, 'protocol');
      const frames = visitor.main.getByRole('option');
      const newest = () => frames.first().getAttribute('id');
      await visitor.sees(frames.filter({ hasText: 'Heartbeat' }).first(), t('audit:frame.following'));
      const first = await newest();
      await expect.poll(newest, { timeout: 30_000 }).not.toBe(first);

      await visitor.button(t('audit:frame.pause')).click();
      const held = await newest();
      await expect
        .poll(() => page.locator('.protocol-bar [role="status"]').innerText(), { timeout: 30_000 })
        .toMatch(/[2-9]|\d\d/);
      expect(await newest()).toBe(held);
      await visitor.button(t('audit:frame.resume')).click();
      await expect.poll(newest, { timeout: 30_000 }).not.toBe(held);

      await visitor.main.getByLabel(t('audit:frame.action'), { exact: true }).fill('BootNotification');
      await expect.poll(() => frames.filter({ hasText: 'Heartbeat' }).count()).toBe(0);
      await frames.filter({ hasText: 'BootNotification' }).first().click();
      await visitor.sees(visitor.main.getByText('chargePointVendor').last());

      const [download] = await Promise.all([
        page.waitForEvent('download'),
        visitor.button(t('audit:frame.export')).click(),
      ]);
      const path = `${process.env.TMPDIR ?? '/tmp'}/chargehand-frames-${sn}-${process.pid}.jsonl`;
      await download.saveAs(path);
      const lines = (await readFile(path, 'utf8')).trim().split('\n');
      expect(lines.length).toBeGreaterThan(0);
      for (const line of lines) expect(line).toContain('BootNotification');
    },
  );
});
