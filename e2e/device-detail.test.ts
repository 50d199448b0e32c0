import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect } from 'vitest';
import { connectPiles, type Piles } from './harness/devices.ts';
import { journey } from './harness/journey.ts';
import { product } from './harness/product.ts';
import type { Visitor } from './harness/visitor.ts';

const chargehand = product();
/** One pile a language, so that what one journey does is not seen by the other. */
let piles: Piles;

beforeAll(async () => {
  piles = await connectPiles(chargehand, { prefix: 'LIVE', devices: 2, connectors: 2, meterInterval: 1, heartbeat: 1 });
});

const pileFor = (visitor: Visitor) => piles.devices[visitor.locale === 'en-US' ? 0 : 1]!;
const connectorOf = ({ page, t }: Visitor, number: number) =>
  page.getByRole('region', { name: t('common:connectorName.alone.number', { number }), exact: true });
const open = async (visitor: Visitor, section: string) => {
  await visitor.page.goto(`/manage/device/detail/${pileFor(visitor).id}?tab=details&section=${section}`);
  await visitor.sees(visitor.heading(pileFor(visitor).name), visitor.t('common:live.on'));
};

describe('the page of a device', () => {
  journey(chargehand, 'shows connectors and readings as they change', { as: 'northAdmin' }, async (visitor) => {
    const { t } = visitor;
    const { pile } = pileFor(visitor);
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
  });

  journey(chargehand, 'calls what is wrong with a connector by its name', { as: 'northAdmin' }, async (visitor) => {
    const { locale } = visitor;
    const { pile } = pileFor(visitor);
    await open(visitor, 'runtime');
    const two = connectorOf(visitor, 2);
    pile.fault(2, 'GroundFailure', 'E-77');
    await visitor.sees(
      two.getByText(locale === 'zh-CN' ? '接地故障' : 'Ground fault protection tripped', { exact: true }),
      two.getByText('GroundFailure · E-77', { exact: true }),
    );
    pile.clearFault(2);
    await two.getByText('GroundFailure · E-77', { exact: true }).waitFor({ state: 'detached' });
  });

  journey(chargehand, 'draws the course of its readings', { as: 'northAdmin' }, async (visitor) => {
    const { page, t } = visitor;
    const { pile } = pileFor(visitor);
    pile.plugIn(1, 'CARD-7');
    await open(visitor, 'charts');
    const canvas = page.locator('canvas').first();
    await visitor.sees(canvas, page.getByText(t('telemetry:charts.live')).first());
    // The last chart is that of the energy, which never stands still.
    const drawn = () => page.evaluate(`[...document.querySelectorAll('canvas')].at(-1).toDataURL()`);
    const before = await drawn();
    await expect.poll(drawn, { timeout: 30_000 }).not.toBe(before);
    const colours = await page.evaluate(`(() => {
      const canvas = [...document.querySelectorAll('canvas')].at(-1);
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      return new Set(new Uint32Array(data.buffer)).size;
    })()`);
    expect(colours).toBeGreaterThan(2);
    await page.getByText(t('telemetry:ranges.24h'), { exact: true }).click();
    await expect.poll(() => new URL(page.url()).searchParams.get('range')).toBe('24h');
    await visitor.sees(canvas);
  });

  journey(chargehand, 'says so when the device is gone', { as: 'northAdmin' }, async (visitor) => {
    const { page, t } = visitor;
    const { database, world } = chargehand.server;
    // The stream of a device that is gone is refused.
    visitor.expects(/EventSource/);
    const name = `Gone ${visitor.locale}`;
    const { rows } = await database.pool.query<{ id: number }>(
      `with added as (
         insert into devices (sn, name, site_id, customer_id, device_model_id)
         select $1, $2, s.id, s.customer_id, $3 from sites s where s.id = $4 returning id
       ), states as (insert into device_states (device_id) select id from added)
       select id::int from added`,
      [`GONE-${visitor.locale}`, name, world.model, world.sites.northQuay],
    );
    const { id } = rows[0]!;
    await page.goto(`/manage/device/detail/${id}?tab=details&section=config`);
    await visitor.sees(visitor.heading(name));
    await database.pool.query('delete from device_states where device_id = $1', [id]);
    await database.pool.query('delete from devices where id = $1', [id]);
    // Looked at again, like a window that was behind another one.
    const lookAgain = async () => {
      await page.evaluate(`dispatchEvent(new Event('visibilitychange'))`);
      return visitor.heading(name).count();
    };
    await expect.poll(lookAgain, { timeout: 30_000 }).toBe(0);
    await visitor.sees(page.getByRole('alert').first(), visitor.button(t('common:error.retry')), t('common:live.on'));
  });

  journey(chargehand, 'lists the certificates that were signed for it', { as: 'northAdmin' }, async (visitor) => {
    const { page, t } = visitor;
    const { database } = chargehand.server;
    const { id } = pileFor(visitor);
    // Of a device that never asked for one nothing is said.
    const listed = page.waitForResponse(/\/certificates/);
    await open(visitor, 'config');
    await listed;
    await visitor.sees(page.getByText(t('fleet:config.boot'), { exact: true }));
    await visitor.misses(page.getByText(t('fleet:certificates.title'), { exact: true }));
    await database.pool.query(
      `insert into device_certificates
         (device_id, serial, fingerprint, subject, not_before, not_after, issued_at, accepted, answered_at)
       select $1, $2 || '0' || n, repeat('ab', 32), 'CN=LIVE', now() - interval '9 days', ends, now(), answer,
              case when answer is not null then now() end
         from (values (1, true, now() - interval '1 day'), (2, true, now() + interval '99 days'),
                      (3, false, now() + interval '99 days'), (4, null, now() + interval '99 days')) as told (n, answer, ends)`,
      [id, visitor.locale === 'en-US' ? '4e' : '4f'],
    );
    await open(visitor, 'config');
    const rows = page.getByRole('table', { name: t('fleet:certificates.title') }).locator('tbody tr.ant-table-row');
    await expect.poll(() => rows.count(), { timeout: 30_000 }).toBe(4);
    const states = ['unanswered', 'refused', 'taken', 'expired'] as const;
    for (const [index, state] of states.entries()) {
      await visitor.sees(rows.nth(index).getByText(t(`fleet:certificates.${state}`), { exact: true }));
    }
  });

  journey(chargehand, 'tells of an alarm from its rise to its end', { as: 'northAdmin' }, async (visitor) => {
    const { page, t } = visitor;
    const { pile } = pileFor(visitor);
    await open(visitor, 'alarms');
    pile.fault(2, 'OverCurrentFailure', 'E-77');
    const row = page.locator('tbody tr.ant-table-row').filter({ hasText: 'OverCurrentFailure' }).first();
    await visitor.sees(row.getByText(t('alarms:active'), { exact: true }));
    await visitor.sees(page.locator('.headline').getByText(t('common:deviceStatus.faulted'), { exact: true }));
    pile.clearFault(2);
    await visitor.misses(row);
    await visitor.misses(page.locator('.headline').getByText(t('common:deviceStatus.faulted'), { exact: true }));
    await page.getByText(t('alarms:states.cleared'), { exact: true }).click();
    await visitor.sees(row.getByText(t('alarms:cleared'), { exact: true }));
  });

  journey(chargehand, 'tells of a lost connection and its reason', { as: 'northAdmin' }, async (visitor) => {
    const { page, t } = visitor;
    const { pile } = pileFor(visitor);
    await open(visitor, 'events');
    // Away until that was seen, however long a laden browser takes to show it.
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
    'shows the protocol live, pauses, filters, and hands out what is filtered',
    { as: 'northAdmin' },
    async (visitor) => {
      const { page, t } = visitor;
      const { sn } = pileFor(visitor);
      await open(visitor, 'protocol');
      const frames = page.getByRole('option');
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

      await page.getByLabel(t('audit:frame.action'), { exact: true }).fill('BootNotification');
      await expect.poll(() => frames.filter({ hasText: 'Heartbeat' }).count()).toBe(0);
      await frames.filter({ hasText: 'BootNotification' }).first().click();
      await visitor.sees(page.getByText('chargePointVendor').last());

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

  journey(
    chargehand,
    'is whole on a phone',
    { as: 'northAdmin', size: { width: 390, height: 844 } },
    async (visitor) => {
      const { page } = visitor;
      for (const section of ['runtime', 'config', 'alarms', 'charts', 'events', 'sessions', 'protocol']) {
        await page.goto(`/manage/device/detail/${pileFor(visitor).id}?tab=details&section=${section}`);
        await visitor.sees(visitor.heading(pileFor(visitor).name));
        const overflow = await page.evaluate(
          'document.documentElement.scrollWidth - document.documentElement.clientWidth',
        );
        expect(overflow, section).toBe(0);
      }
    },
  );
});
