import { messageOf } from '@chargehand/contract';
import type { Locator } from 'playwright-core';
import { beforeAll, describe, expect } from 'vitest';
import { connectPiles, type Piles } from '../harness/devices.ts';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';
import type { Visitor } from '../harness/visitor.ts';

const chargehand = product();
let piles: Piles;

beforeAll(async () => {
  piles = await connectPiles(chargehand, {
    prefix: 'PARAM',
    devices: 2,
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

const dialogOf = ({ page }: Visitor) => page.getByRole('dialog').last();
const rowOf = ({ page, t }: Visitor, key: string): Locator =>
  page
    .getByRole('table', { name: t('operations:parameters') })
    .getByRole('row')
    .filter({ hasText: key });

async function open(visitor: Visitor, index: number, more = '') {
  const device = piles.devices[index]!;
  await visitor.page.goto(`/manage/device/detail/${device.id}?tab=parameters${more}`);
  await visitor.sees(visitor.heading(device.name), visitor.t('common:live.on'));
  return device;
}

async function readAll(visitor: Visitor): Promise<void> {
  // A device that was never read offers just this.
  await visitor.button(visitor.t('operations:kinds.refreshParameters.do')).click();
  await visitor.sees(rowOf(visitor, 'HeartbeatInterval').getByText('300', { exact: true }));
}

/** Opens the field of a parameter; the item decides the kind of field. */
async function edit(visitor: Visitor, key: string): Promise<Locator> {
  await rowOf(visitor, key)
    .getByRole('button', { name: visitor.t('operations:parameter.change', { key }) })
    .click();
  return visitor.page.getByLabel(visitor.t('operations:parameter.newValue', { key }));
}

describe('parameters of a device', () => {
  journey(
    chargehand,
    'are read, set within their range, verified, compared, saved as a baseline and restored',
    { as: 'northAdmin' },
    async (visitor) => {
      const { page, t } = visitor;
      const [mine, other] = piles.devices;
      await open(visitor, 1);
      await readAll(visitor);
      await open(visitor, 0);
      await readAll(visitor);
      const key = 'HeartbeatInterval';
      const row = rowOf(visitor, key);
      await visitor.sees(
        row.getByText('Heartbeat interval', { exact: true }),
        visitor.main.getByRole('cell', { name: t('parameters:undescribed') }),
        rowOf(visitor, 'AuthorizationKey').getByText(t('parameters:secret')),
      );

      // Rejected before sending: out of range, and the same value in another notation.
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
      const executions = visitor.main.getByRole('table', { name: t('operations:history') });
      await visitor.sees(
        executions
          .getByRole('row')
          .filter({ hasText: `${key} = 120` })
          .getByText(t('parameters:verification.same.tag')),
      );

      // The options come from the item.
      await edit(visitor, 'LocalPreAuthorize');
      await rowOf(visitor, 'LocalPreAuthorize').getByText('Yes', { exact: true }).click();
      await rowOf(visitor, 'LocalPreAuthorize')
        .getByRole('button', { name: t('operations:parameter.set'), exact: true })
        .click();
      await visitor.sees(
        executions
          .getByRole('row')
          .filter({ hasText: 'LocalPreAuthorize = true' })
          .getByText(t('parameters:verification.same.tag')),
      );

      // The previous value, the user who changed it, and the command.
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

      // Compared with the other pile: only differences, until all parameters are requested.
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

      // Saved as a baseline, and set on the other pile.
      const baseline = 'Quay';
      await visitor.button(t('parameters:baseline.title')).click();
      await dialogOf(visitor).getByLabel(t('parameters:baseline.newName')).fill(baseline);
      await visitor.button(t('parameters:baseline.save')).click();
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

      // Back to the previous value.
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

describe('parameters of a new device', () => {
  const reading = product({ readParameters: true });
  journey(reading, 'are read after it is registered, without a request', { as: 'root' }, async (visitor) => {
    const { page, t } = visitor;
    const fleet = await reading.connect({ prefix: 'FRESH', devices: 1, heartbeat: 300 });
    const { sn } = fleet.devices[0]!;
    await page.goto(`/manage/device/add/${sn}`);
    await visitor.main.getByRole('textbox', { name: t('fleet:name'), exact: true }).fill('Fresh pile');
    for (const [label, entry] of [
      ['fleet:site', 'Site northQuay'],
      ['fleet:model', 'Generic OCPP 1.6 pile'],
    ] as const) {
      await visitor.main.getByRole('combobox', { name: t(label) }).click();
      await page.locator('.ant-select-item-option').filter({ hasText: entry }).first().click();
    }
    await visitor.follow(visitor.button(t('fleet:register')), {
      path: /^\/manage\/device\/detail\/\d+$/,
      heading: 'Fresh pile',
    });
    await fleet.whenAccepted();
    await page.goto(`${page.url().split('?')[0]}?tab=parameters`);
    await rowOf(visitor, 'HeartbeatInterval').getByText('300', { exact: true }).waitFor({ timeout: 60_000 });
    expect(fleet.devices[0]!.receivedCalls.GetConfiguration).toBeGreaterThan(0);
  });
});
