import { messageOf } from '@chargehand/contract';
import type { Locator } from 'playwright-core';
import { beforeAll, describe, expect } from 'vitest';
import { connectPiles, type Piles } from './harness/devices.ts';
import { journey } from './harness/journey.ts';
import { product } from './harness/product.ts';
import type { Visitor } from './harness/visitor.ts';

const chargehand = product();
let piles: Piles;

beforeAll(async () => {
  piles = await connectPiles(chargehand, {
    prefix: 'PARAM',
    devices: 4,
    connectors: 1,
    meterInterval: 2,
    heartbeat: 300,
  });
  await chargehand.server.database.pool.query(
    `update devices set device_model_id = (select id from device_models where name = 'Generic OCPP 1.6 pile')
      where id = any($1::int[])`,
    [piles.devices.map(({ id }) => id)],
  );
});

/** Each language has two piles of its own. */
const pilesFor = ({ locale }: Visitor) => piles.devices.slice(locale === 'en-US' ? 0 : 2).slice(0, 2);
const dialogOf = ({ page }: Visitor) => page.getByRole('dialog').last();
const rowOf = ({ page, t }: Visitor, key: string): Locator =>
  page
    .getByRole('table', { name: t('operations:parameters') })
    .getByRole('row')
    .filter({ hasText: key });
const label = ({ locale }: Visitor, en: string, zh: string) => (locale === 'zh-CN' ? zh : en);

async function open(visitor: Visitor, index: number, more = '') {
  const device = pilesFor(visitor)[index]!;
  await visitor.page.goto(`/manage/device/detail/${device.id}?tab=operations${more}`);
  await visitor.sees(visitor.heading(device.name), visitor.t('common:live.on'));
  return device;
}

async function readAll(visitor: Visitor): Promise<void> {
  await visitor.button(visitor.t('operations:parameter.readAll')).click();
  await visitor.sees(rowOf(visitor, 'HeartbeatInterval').getByText('300', { exact: true }));
}

/** Opens the field of a parameter, which its item asks for. */
async function edit(visitor: Visitor, key: string): Promise<Locator> {
  await rowOf(visitor, key)
    .getByRole('button', { name: visitor.t('operations:parameter.change', { key }) })
    .click();
  return visitor.page.getByLabel(visitor.t('operations:parameter.newValue', { key }));
}

describe('parameters of a device', () => {
  journey(
    chargehand,
    'are read, set within their range, verified, looked back at, compared, kept and set again',
    { as: 'northAdmin' },
    async (visitor) => {
      const { page, t } = visitor;
      const [mine, other] = pilesFor(visitor);
      await open(visitor, 1);
      await readAll(visitor);
      await open(visitor, 0);
      await readAll(visitor);
      const key = 'HeartbeatInterval';
      const row = rowOf(visitor, key);
      await visitor.sees(
        row.getByText(label(visitor, 'Heartbeat interval', '心跳间隔'), { exact: true }),
        page.getByRole('cell', { name: t('parameters:undescribed') }),
        rowOf(visitor, 'AuthorizationKey').getByText(t('parameters:secret')),
      );

      // Before anything is sent: out of range, and the same value written otherwise.
      const field = await edit(visitor, key);
      await field.fill('5');
      await page.keyboard.press('Enter');
      await visitor.sees(row.getByText(messageOf('valueTooSmall', visitor.locale, { limit: 10 })));
      await field.fill('0300');
      await page.keyboard.press('Enter');
      await visitor.sees(row.getByText(t('operations:parameter.same')));
      expect(mine!.pile.receivedCalls.ChangeConfiguration).toBeUndefined();

      await field.fill('120');
      await page.keyboard.press('Enter');
      await visitor.sees(row.getByText('120', { exact: true }));
      const executions = page.getByRole('table', { name: t('operations:history') });
      await visitor.sees(
        executions
          .getByRole('row')
          .filter({ hasText: `${key} = 120` })
          .getByText(t('parameters:verification.same.tag')),
      );

      // A choice is made from the list of the item.
      await edit(visitor, 'LocalPreAuthorize');
      await rowOf(visitor, 'LocalPreAuthorize').getByText('Yes 是', { exact: true }).click();
      await rowOf(visitor, 'LocalPreAuthorize')
        .getByRole('button', { name: t('operations:parameter.set'), exact: true })
        .click();
      await visitor.sees(
        executions
          .getByRole('row')
          .filter({ hasText: 'LocalPreAuthorize = true' })
          .getByText(t('parameters:verification.same.tag')),
      );

      // What it was, who changed it, and through which command.
      await row.getByRole('button', { name: t('parameters:history.of', { key }) }).click();
      const history = dialogOf(visitor).getByRole('table', { name: t('parameters:history.title') });
      const set = history.getByRole('row').filter({ hasText: '120' });
      await visitor.sees(
        set.getByText(t('parameters:history.by', { name: 'north_admin' })),
        history.getByRole('row').filter({ hasText: '300' }).getByText(t('parameters:history.read')),
      );
      await set.getByRole('button', { name: t('parameters:execution') }).click();
      await visitor.sees(dialogOf(visitor).getByText(t('parameters:verification.same.tag')));
      await page.keyboard.press('Escape');

      // Beside the other pile only what differs, until all is asked for.
      await visitor.button(t('parameters:compare.open')).click();
      await dialogOf(visitor)
        .getByRole('combobox', { name: t('parameters:compare.chooseDevice') })
        .fill(other!.sn);
      await page.getByTitle(`${other!.name} · ${other!.sn}`).click();
      const differences = dialogOf(visitor).getByRole('table', { name: t('parameters:compare.table') });
      const differing = differences.getByRole('row').filter({ hasText: key });
      await visitor.sees(differing.getByText('120', { exact: true }), differing.getByText('300', { exact: true }));
      expect(await differences.getByRole('row').filter({ hasText: 'ConnectionTimeOut' }).count()).toBe(0);
      await dialogOf(visitor).getByText(t('parameters:compare.onlyDifferent')).click();
      await visitor.sees(differences.getByRole('row').filter({ hasText: 'ConnectionTimeOut' }));
      await page.keyboard.press('Escape');

      // Kept as a baseline, set on the other pile.
      const baseline = `Quay ${visitor.locale}`;
      await visitor.button(t('parameters:baseline.title')).click();
      await dialogOf(visitor).getByLabel(t('parameters:baseline.newName')).fill(baseline);
      await visitor.button(t('parameters:baseline.keep')).click();
      await visitor.sees(dialogOf(visitor).getByText(baseline, { exact: true }));
      await open(visitor, 1, '&baselines=');
      await dialogOf(visitor)
        .getByRole('row')
        .filter({ hasText: baseline })
        .getByRole('button', { name: t('parameters:compare.open') })
        .click();
      for (const one of [key, 'LocalPreAuthorize']) {
        await dialogOf(visitor)
          .getByLabel(t('parameters:compare.chooseOne', { key: one }))
          .check();
      }
      await dialogOf(visitor)
        .getByRole('button', { name: t('parameters:compare.set_other', { count: 2 }) })
        .click();
      await expect
        .poll(() => dialogOf(visitor).getByText(t('parameters:verification.same.tag')).count(), { timeout: 30_000 })
        .toBe(2);
      expect(other!.pile.receivedCalls.ChangeConfiguration).toBe(2);

      // And back to what it was.
      await open(visitor, 1, `&history=${key}`);
      await dialogOf(visitor)
        .getByRole('row')
        .filter({ hasText: '300' })
        .getByRole('button', { name: t('parameters:history.revert') })
        .click();
      await dialogOf(visitor)
        .getByRole('button', { name: t('operations:parameter.set'), exact: true })
        .click();
      await visitor.sees(rowOf(visitor, key).getByText('300', { exact: true }));
    },
  );
});

describe('the parameters on the screen', () => {
  const key = 'HeartbeatInterval';

  journey(
    chargehand,
    'keep the focus where it was, and what is half entered with the device it is for',
    { as: 'northAdmin' },
    async (visitor) => {
      const { page, t } = visitor;
      const [mine, other] = pilesFor(visitor);
      await open(visitor, 1);
      await open(visitor, 0);
      const focus = page.locator(':focus');
      const opener = (of: string) =>
        rowOf(visitor, of).getByRole('button', { name: t('operations:parameter.change', { key: of }) });

      // Escape leaves the field, and goes back to where it was opened.
      const field = await edit(visitor, key);
      await visitor.sees(field.and(focus));
      await page.keyboard.press('Escape');
      await visitor.sees(opener(key).and(focus));
      const choice = 'LocalPreAuthorize';
      await edit(visitor, choice);
      await rowOf(visitor, choice).locator('input:focus').waitFor({ state: 'attached' });
      await page.keyboard.press('Escape');
      await visitor.sees(opener(choice).and(focus));

      // Both devices have been fetched before: none has to be waited for.
      const turnTo = async ({ id, name }: { id: number; name: string }) => {
        await page
          .getByRole('navigation', { name: t('common:shell.history') })
          .locator(`a[href^="/manage/device/detail/${id}?"]`)
          .click();
        await visitor.sees(visitor.heading(name), rowOf(visitor, key));
      };
      await turnTo(other!);
      await turnTo(mine!);
      const half = await edit(visitor, key);
      await half.fill('77');
      await turnTo(other!);
      expect(await half.count()).toBe(0);
    },
  );

  journey(chargehand, 'fit on a phone without moving them sideways', { as: 'northAdmin' }, async (visitor) => {
    const { page, t } = visitor;
    const [, other] = pilesFor(visitor);
    await page.setViewportSize({ width: 390, height: 844 });
    const fits = () =>
      expect
        .poll(
          () =>
            page.evaluate(`[document.documentElement, ...document.querySelectorAll('.ant-table-content, .ant-table-body')]
              .filter((box) => box.scrollWidth > box.clientWidth + 1)
              .map((box) => box.className + ' ' + box.scrollWidth)`),
          { timeout: 30_000 },
        )
        .toEqual([]);
    await open(visitor, 0);
    await visitor.button(t('operations:parameter.readAll')).click();
    await visitor.sees(rowOf(visitor, key).getByText(/^\d+$/).first());
    const executions = page.getByRole('table', { name: t('operations:history') });
    await visitor.sees(executions.getByText(t('common:executionResult.success')).first());
    await fits();
    await edit(visitor, key);
    await fits();

    const dialog = dialogOf(visitor);
    await open(visitor, 0, `&history=${key}`);
    await visitor.sees(dialog.getByText(t('parameters:history.read')).first());
    await fits();
    await open(visitor, 0, '&history=');
    await visitor.sees(dialog.getByText(t('parameters:history.read')).first());
    await fits();
    await open(visitor, 0, `&compare=device:${other!.id}`);
    await visitor.sees(dialog.getByText(t('parameters:compare.here'), { exact: true }).first());
    await fits();
    await open(visitor, 0, '&baselines=');
    await dialog.getByLabel(t('parameters:baseline.newName')).fill(`On the phone ${visitor.locale}`);
    await dialog.getByRole('button', { name: t('parameters:baseline.keep') }).click();
    await visitor.sees(dialog.getByText(`On the phone ${visitor.locale}`, { exact: true }));
    await fits();
  });
});

describe('what a device reports', () => {
  journey(chargehand, 'is shown by its model, and goes quiet with it', { as: 'northAdmin' }, async (visitor) => {
    const { page, t } = visitor;
    const { id, name, pile } = pilesFor(visitor)[0]!;
    // What the pile has told, whether or not its parameters have been read before.
    await chargehand.server.database.pool.query(
      `insert into device_parameters (device_id, key, value, readonly, read_at)
       values ($1, 'NumberOfConnectors', '1', true, now()) on conflict do nothing`,
      [id],
    );
    pile.plugIn(1, 'CARD-5');
    await page.goto(`/manage/device/detail/${id}?tab=details&section=runtime`);
    await visitor.sees(visitor.heading(name), t('common:live.on'));
    const one = page.getByRole('region', { name: t('common:connectorName.alone.number', { number: 1 }), exact: true });
    const soc = one.getByRole('row').filter({ hasText: label(visitor, 'State of charge', '荷电状态') });
    await visitor.sees(
      one.getByText(label(visitor, 'Metering', '计量数据'), { exact: true }),
      soc.getByText(/^\d+\.\d$/),
      soc.getByText('%', { exact: true }),
    );
    await page.locator('.never-reported summary').click();
    await visitor.sees(page.getByText(label(visitor, 'Frequency', '频率')).first());
    pile.goOffline(600_000);
    await visitor.sees(t('telemetry:stale'), one.getByText(/2\d{3}-\d\d-\d\d \d\d:\d\d:\d\d/).first());
    expect(await soc.getAttribute('data-stale')).toBe('true');

    await visitor.button(t('fleet:section.config')).click();
    await visitor.sees(
      t('telemetry:items.config.title'),
      page.getByText(label(visitor, 'Number of connectors', '枪数'), { exact: true }),
    );
  });
});
