import { describe } from 'vitest';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';

const chargehand = product();

/** One pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

describe('the pictures of a model', () => {
  journey(chargehand, 'are uploaded with the model and shown', { as: 'vendorStaff' }, async (visitor) => {
    const { page, t } = visitor;
    const { rows } = await chargehand.server.database.pool.query(
      'insert into device_models (name, type) values ($1, 1) returning id',
      ['Pictured'],
    );
    await page.goto(`/manage/device-model/${rows[0].id}?part=base`);
    await visitor.sees(page.locator('.model-detail h2'));
    const icon = visitor.main.getByRole('region', { name: t('models:picture.icon'), exact: true });
    const input = icon.locator('input[type=file]');
    await input.setInputFiles({
      ...{ name: 'large.png', mimeType: 'image/png' },
      buffer: Buffer.concat([PIXEL, Buffer.alloc(500 * 1024)]),
    });
    const values = { name: 'large.png', types: 'jpg, jpeg, png', limit: '500 KB' };
    await visitor.sees(t('files:fault.tooLarge', values));
    await input.setInputFiles({ name: 'icon.png', mimeType: 'image/png', buffer: PIXEL });
    await visitor.sees(icon.getByRole('button', { name: t('files:remove'), exact: true }));
    await visitor.button(t('common:save')).click();
    await visitor.sees(page.locator('.model-title .emblem img'));

    // Its devices show it, too.
    const device = await chargehand.server.database.pool.query(
      `with device as (
         insert into devices (sn, name, site_id, customer_id, device_model_id)
         select $2, $2, s.id, s.customer_id, $1 from sites s where s.id = $3 returning id
       ), state as (insert into device_states (device_id) select id from device)
       select id from device`,
      [rows[0].id, 'PICTURED-1', chargehand.server.world.sites.northQuay],
    );
    await page.goto(`/manage/device/detail/${device.rows[0].id}`);
    await visitor.sees(page.locator('.headline .emblem img'));
  });
});
