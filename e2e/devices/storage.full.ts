import { afterAll, beforeAll, expect, vi } from 'vitest';
import { hashDevicePassword } from '../../apps/server/src/ports/devices/device-password.ts';
import { type StorageFleet, startStorageFleet } from '../../apps/simulator/src/index.ts';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';
import type { Visitor } from '../harness/visitor.ts';

const chargehand = product();
const PASSWORD = 'storage-units-password';
/** One unit per language, so that journeys do not affect each other. */
let fleet: StorageFleet;
let ids: number[];

beforeAll(async () => {
  const { database, world, mqttUrl } = chargehand.server;
  const { rows } = await database.pool.query<{ id: number }>(
    `with added as (
       insert into devices (sn, name, site_id, customer_id, device_model_id, gateway_password_hash)
       select 'CELL' || lpad(n::text, 5, '0'), 'Cell ' || n, s.id, s.customer_id, $1, $2
         from generate_series(1, 2) n, sites s where s.id = $3
       returning id, sn
     ), states as (insert into device_states (device_id) select id from added)
     select id::int from added order by sn`,
    [world.model, hashDevicePassword(PASSWORD), world.sites.northQuay],
  );
  ids = rows.map(({ id }) => id);
  fleet = startStorageFleet({ url: mqttUrl!, units: 2, prefix: 'CELL', password: PASSWORD, reportInterval: 1 });
  await vi.waitFor(() => expect(fleet.summary().connected).toBe(2), { timeout: 30_000 });
});
afterAll(() => fleet?.stop());

const numberOf = ({ locale }: Visitor) => (locale === 'en-US' ? 0 : 1);
const open = async (visitor: Visitor, query: string) => {
  const number = numberOf(visitor);
  await visitor.page.goto(`/manage/device/detail/${ids[number]}?${query}`);
  await visitor.sees(visitor.heading(`Cell ${number + 1}`), visitor.t('common:live.on'));
};

journey(
  chargehand,
  'a storage unit over MQTT shows readings, raises an alarm and accepts a parameter',
  { as: 'northAdmin' },
  async (visitor) => {
    const { page, t } = visitor;
    const unit = fleet.units[numberOf(visitor)]!;
    await open(visitor, 'tab=details&section=runtime');
    await visitor.sees(visitor.main.getByText('Battery/SoC').first(), visitor.main.getByText('PV/Power').first());

    unit.fault(17);
    await visitor.sees(page.locator('.headline').getByText(t('common:deviceStatus.faulted'), { exact: true }));
    await open(visitor, 'tab=details&section=alarms');
    const alarm = page.locator('tbody tr[data-row-key]').filter({ hasText: 'Inverter/Fault:17' }).first();
    await visitor.sees(alarm.getByText(t('alarms:active'), { exact: true }));
    unit.fault(0);
    await visitor.misses(alarm);

    await open(visitor, 'tab=operations');
    const key = 'Settings/SoC Min';
    const row = page
      .getByRole('table', { name: t('operations:parameters') })
      .getByRole('row')
      .filter({ hasText: key });
    await visitor.sees(row.getByText('10', { exact: true }));
    await row.getByRole('button', { name: t('operations:parameter.change', { key }) }).click();
    await visitor.main.getByLabel(t('operations:parameter.newValue', { key })).fill('25');
    await page.keyboard.press('Enter');
    await visitor.sees(row.getByText('25', { exact: true }));
    expect(unit.received[key]).toBe(1);
  },
);

journey(
  chargehand,
  'an unregistered unit whose SN is a MAC address is a waiting device with this address',
  { as: 'root' },
  async (visitor) => {
    const { page, t } = visitor;
    const strangers = startStorageFleet({
      ...{ url: chargehand.server.mqttUrl!, units: 1, prefix: '001A2B3', password: PASSWORD },
    });
    try {
      const { pool } = chargehand.server.database;
      const known = async () => (await pool.query('select from blacklist_entries')).rowCount;
      await expect.poll(known).toBe(1);
      await page.goto('/manage/system/list');
      const row = visitor.main.getByRole('row').filter({ hasText: '001A2B300001' });
      await visitor.sees(row.getByText(`${t('fleet:waiting.mac')} 00:1A:2B:30:00:01`, { exact: true }));
    } finally {
      await strangers.stop();
    }
  },
);
