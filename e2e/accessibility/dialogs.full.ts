import { beforeAll, describe, expect } from 'vitest';
import { looker } from '../harness/axe.ts';
import { connectPiles, type Piles } from '../harness/devices.ts';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';

const chargehand = product();
let piles: Piles;
let storage: number;
let model: number;

beforeAll(async () => {
  piles = await connectPiles(chargehand, { prefix: 'TOP', devices: 2, connectors: 2, ocpp201: 0.5, meterInterval: 1 });
  const { pool } = chargehand.server.database;
  const { rows } = await pool.query<{ id: number }>(`select id::int from device_models where name = 'V2G pile'`);
  model = rows[0]!.id;
  // The first device uses OCPP 1.6. Its model describes its measurements and has a rule and an alarm code.
  await pool.query(
    `update devices set device_model_id = (select id from device_models where name = 'Generic OCPP 1.6 pile') where id = $1`,
    [piles.devices[0]!.id],
  );
  const unit = await pool.query<{ id: number }>(
    `with unit as (
       insert into devices (sn, name, site_id, customer_id, device_model_id)
       select 'CELL-1', 'Cell 1', s.id, s.customer_id, m.id
         from sites s, device_models m where s.id = $1 and m.name = 'Home storage unit'
       returning id
     ), states as (insert into device_states (device_id) select id from unit)
     select id::int from unit`,
    [chargehand.server.world.sites.northQuay],
  );
  storage = unit.rows[0]!.id;
  piles.devices[0]!.pile.plugIn(1, 'CARD-1');
});

describe('in light and dark mode', () => {
  journey(chargehand, 'devices of other kinds have no accessibility errors', { as: 'root' }, async (visitor) => {
    const { look, found } = looker(visitor);
    const [older, newer] = piles.devices;
    const detail = (id: number, query = '') => `/manage/device/detail/${id}${query}`;
    for (const kind of ['upgradeSoftware', 'uploadLog']) {
      await look(`/manage/device/batches/new?ids=${older!.id}&what=${kind}`);
    }
    for (const id of [newer!.id, storage]) for (const query of ['', '?tab=operations']) await look(detail(id, query));
    expect(found).toEqual([]);
  });

  journey(chargehand, 'dialogs of a model have no accessibility errors', { as: 'root' }, async (visitor) => {
    const { page } = visitor;
    const { look, found, dialog } = looker(visitor);
    const part = (name: string) => `/manage/device-model/${model}?part=${name}`;
    await look(part('configs'), async () => {
      await page.locator('tr[data-row-key] .item-open').first().click();
      await dialog.waitFor();
    });
    await look(part('controls'), async () => {
      await page.locator('.control-list > li').first().getByRole('button').first().click();
      await dialog.waitFor();
    });
    expect(found).toEqual([]);
  });
});
