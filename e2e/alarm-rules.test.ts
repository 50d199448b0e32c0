import { describe, expect } from 'vitest';
import { journey } from './harness/journey.ts';
import { product } from './harness/product.ts';
import type { Visitor } from './harness/visitor.ts';

const chargehand = product();

/** One pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

const dialog = ({ page }: Visitor) => page.getByRole('dialog');
const field = (visitor: Visitor, label: string) => dialog(visitor).getByLabel(label, { exact: true });
const ok = (visitor: Visitor, name: string) => dialog(visitor).getByRole('button', { name, exact: true });
const line = ({ page }: Visitor, text: string) => page.locator('.rule-list > li').filter({ hasText: text });
const tagOf = ({ locale }: Visitor) => (locale === 'en-US' ? 'EN' : 'ZH');

/** A model of its own, described by a number and a choice; answers its id. */
async function newModel(name: string): Promise<number> {
  const { pool } = chargehand.server.database;
  await pool.query(
    `insert into data_items (key, name_en, name_zh, group_id, type, range, unit, position)
     select v.key, v.en, v.zh, (select min(id) from item_groups), v.type, v.range, v.unit, 900 from (values
       ('Temperature', 'Temperature', '温度', 2, '-50~200|1', '°C'),
       ('Chargehand.Mode', 'Mode', '模式', 4, E'Slow|0|number\\nFast|1|number', '')
     ) as v (key, en, zh, type, range, unit)
     where not exists (select from data_items i where lower(i.key) = lower(v.key))`,
  );
  const { rows } = await pool.query(
    `with made as (insert into device_models (name, type) values ($1, 1) returning id)
     insert into device_model_items (device_model_id, kind, data_item_id, type, removed, priority, read_level, write_level, batch)
     select made.id, 'config', i.id, i.type, false, 1, 5, 3, false from made, data_items i
      where i.key in ('Temperature', 'Chargehand.Mode')
     returning device_model_id as id`,
    [name],
  );
  return rows[0].id;
}

async function openPart(visitor: Visitor, id: number, part: string): Promise<void> {
  await visitor.page.goto(`/manage/device-model/${id}?part=${part}`);
  await visitor.sees(visitor.page.locator('.model-detail h2'));
}

async function pick(visitor: Visitor, label: string, option: string): Promise<void> {
  await field(visitor, label).click();
  await visitor.page.locator('.ant-select-dropdown:visible').getByText(option, { exact: true }).click();
}

describe('alarm rules of a model', () => {
  journey(
    chargehand,
    'are made with the sentence in view, saved with the model, and inherited',
    { as: 'vendorStaff' },
    async (visitor) => {
      const { page, t } = visitor;
      const { pool } = chargehand.server.database;
      const id = await newModel(`Ruled ${tagOf(visitor)}`);
      await openPart(visitor, id, 'rules');
      await visitor.sees(t('rules:part.empty'));
      await visitor.button(t('rules:part.add')).click();
      await field(visitor, t('rules:dialog.code')).fill('HOT');
      await field(visitor, t('rules:dialog.nameEn')).fill('Too hot');
      await field(visitor, t('rules:dialog.nameZh')).fill('温度过高');
      const temperature = (await page.locator('.ant-select-content').allInnerTexts()).find((text) =>
        text.includes('Temperature'),
      );
      if (temperature === undefined) {
        await field(visitor, t('rules:dialog.item')).click();
        await page.locator('.ant-select-dropdown:visible').getByText('Temperature', { exact: false }).first().click();
      }
      await pick(visitor, t('rules:dialog.condition'), t('rules:condition.outside'));
      await field(visitor, t('rules:dialog.low')).fill('-5');
      await field(visitor, t('rules:dialog.high')).fill('60');
      await field(visitor, t('rules:dialog.duration')).fill('90');
      await ok(visitor, t('rules:dialog.take')).click();
      await visitor.sees(line(visitor, 'HOT'));
      await page.getByRole('button', { name: t('common:save'), exact: true }).click();
      await expect
        .poll(async () => {
          const said = `select description -> 'rules' -> 0 as rule from device_model_versions
                         where device_model_id = $1 order by version desc limit 1`;
          return (await pool.query(said, [id])).rows[0]?.rule ?? null;
        })
        .toMatchObject({ code: 'HOT', condition: 'outside', low: -5, high: 60, durationSeconds: 90 });

      const { rows } = await pool.query(
        'insert into device_models (name, type, parent_id) values ($1, 1, $2) returning id',
        [`Heir ${tagOf(visitor)}`, id],
      );
      await openPart(visitor, rows[0].id, 'rules');
      await visitor.sees(
        line(visitor, 'HOT').getByText(t('models:state.inherited', { name: `Ruled ${tagOf(visitor)}` })),
      );
      await page
        .getByRole('button', { name: t('rules:part.of', { word: t('rules:part.remove'), code: 'HOT' }), exact: true })
        .click();
      await visitor.sees(
        line(visitor, 'HOT').getByText(t('models:state.removed', { name: `Ruled ${tagOf(visitor)}` })),
      );
      await visitor.button(t('models:discard')).click();
    },
  );
});

describe('alarm codes of a model', () => {
  journey(chargehand, 'are named, graded, said anew and deleted', { as: 'vendorStaff' }, async (visitor) => {
    const { t } = visitor;
    const { rows } = await chargehand.server.database.pool.query(
      'insert into device_models (name, type) values ($1, 1) returning id',
      [`Coded ${tagOf(visitor)}`],
    );
    await openPart(visitor, rows[0].id, 'codes');
    const of = (word: 'edit' | 'override' | 'delete', code: string) =>
      visitor.button(t('rules:codes.of', { word: t(`rules:codes.${word}`), code }));
    await visitor.button(t('rules:codes.add')).click();
    await field(visitor, t('rules:dialog.code')).fill('E42');
    await field(visitor, t('rules:dialog.nameEn')).fill('Fan stuck');
    await field(visitor, t('rules:dialog.nameZh')).fill('风扇卡死');
    await pick(visitor, t('rules:dialog.kind'), t('rules:kinds.fault'));
    await ok(visitor, t('rules:codes.save')).click();
    const own = visitor.page.getByRole('region', { name: t('rules:codes.own'), exact: true });
    await visitor.sees(own.getByText('E42', { exact: true }));
    await visitor.sees(own.getByText(t('rules:codes.kindIs', { kind: t('rules:kinds.fault') })));

    await of('override', 'WeakSignal').click();
    await field(visitor, t('rules:dialog.nameEn')).fill('No bars');
    await ok(visitor, t('rules:codes.save')).click();
    await visitor.sees(own.getByText('WeakSignal', { exact: true }));
    await of('delete', 'E42').click();
    await ok(visitor, t('rules:codes.delete')).click();
    await own.getByText('E42', { exact: true }).waitFor({ state: 'detached' });
  });
});

describe('the pictures of a model', () => {
  journey(chargehand, 'are uploaded with the model and shown', { as: 'vendorStaff' }, async (visitor) => {
    const { page, t } = visitor;
    const { rows } = await chargehand.server.database.pool.query(
      'insert into device_models (name, type) values ($1, 1) returning id',
      [`Pictured ${tagOf(visitor)}`],
    );
    await openPart(visitor, rows[0].id, 'base');
    const icon = page.getByRole('region', { name: t('models:picture.icon'), exact: true });
    const input = icon.locator('input[type=file]');
    await input.setInputFiles({
      ...{ name: 'large.png', mimeType: 'image/png' },
      buffer: Buffer.concat([PIXEL, Buffer.alloc(500 * 1024)]),
    });
    const values = { name: 'large.png', types: 'jpg, jpeg, png', limit: '500 KB' };
    await visitor.sees(t('files:fault.tooLarge', values));
    await input.setInputFiles({ name: 'icon.png', mimeType: 'image/png', buffer: PIXEL });
    await visitor.sees(icon.getByRole('button', { name: t('files:remove'), exact: true }));
    await page.getByRole('button', { name: t('common:save'), exact: true }).click();
    await visitor.sees(page.locator('.model-title .emblem img'));

    // Its devices carry it, too.
    const device = await chargehand.server.database.pool.query(
      `with device as (
         insert into devices (sn, name, site_id, customer_id, device_model_id)
         select $2, $2, s.id, s.customer_id, $1 from sites s where s.id = $3 returning id
       ), state as (insert into device_states (device_id) select id from device)
       select id from device`,
      [rows[0].id, `PICTURED-${tagOf(visitor)}`, chargehand.server.world.sites.northQuay],
    );
    await page.goto(`/manage/device/detail/${device.rows[0].id}`);
    await visitor.sees(page.locator('.headline .emblem img'));
  });
});
