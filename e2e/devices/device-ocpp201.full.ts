import { beforeAll, describe, expect } from 'vitest';
import { connectPiles, type Piles } from '../harness/devices.ts';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';

const chargehand = product();
let piles: Piles;

beforeAll(async () => {
  const quiet = { devices: 2, connectors: 2, speed: 5, meterInterval: 5 };
  piles = await connectPiles(chargehand, { prefix: 'NEWER', ocpp201: 1, ...quiet });
});

describe('an OCPP 2.0.1 device', () => {
  journey(
    chargehand,
    'shows its EVSEs, charges, and reports its configuration',
    { as: 'northAdmin' },
    async (visitor) => {
      const { page, t } = visitor;
      const { id, name, pile } = piles.devices[visitor.locale === 'en-US' ? 0 : 1]!;
      pile.plugIn(1, 'CARD201');
      await page.goto(`/manage/device/detail/${id}`);
      await visitor.sees(visitor.heading(name), t('common:live.on'));
      const place = (evse: number) => t('common:connectorName.alone.evse', { evse, connector: 1 });
      const first = visitor.main.getByRole('region', { name: place(1), exact: true });
      await visitor.sees(
        first.getByText(t('common:connectorStatus.Charging'), { exact: true }),
        first.getByText('CARD201'),
        visitor.main.getByRole('region', { name: place(2), exact: true }),
      );

      await page.goto(`/manage/device/detail/${id}?tab=operations`);
      const label = t('operations:kinds.refreshConfiguration.do');
      await visitor.main.getByRole('tabpanel').getByRole('button', { name: label, exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: label, exact: true }).click();
      await visitor.sees(
        page.getByRole('dialog').locator('.progress').getByText(t('common:executionResult.success'), { exact: true }),
      );
      const { rows } = await chargehand.server.database.pool.query(
        `select value, readonly from device_parameters where device_id = $1 and key in ('ChargingStation.VendorName', 'OCPPCommCtrlr.HeartbeatInterval') order by key`,
        [id],
      );
      expect(rows.map(({ readonly }) => readonly)).toEqual([true, false]);
    },
  );
});
