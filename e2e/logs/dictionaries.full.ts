import { buffer } from 'node:stream/consumers';
import { issueEndpoints } from '@chargehand/contract';
import { expect } from 'vitest';
import { sheetOf } from '../../apps/server/src/testing/files/xlsx.ts';
import { journey, visit } from '../harness/journey.ts';
import { product } from '../harness/product.ts';

const chargehand = product();

const NAMES = {
  'en-US': { code: 'OverVoltage', shipped: 'Voltage too high', name: 'Grid above 253 V' },
  'zh-CN': { code: 'UnderVoltage', shipped: '欠压', name: '电网低于 207 V' },
};

journey(
  chargehand,
  'an alarm gets another name in the open list of alarms at once, and its own one again',
  { as: 'root', locales: ['en-US', 'zh-CN'] },
  async (visitor) => {
    const { page, t, locale } = visitor;
    const { code, shipped, name } = NAMES[locale];
    await chargehand.server.database.pool.query(
      `insert into alarms (device_id, connector, code, kind, level, raised_at, last_at)
       select min(id), 0, $1, 'alarm', 'MA', now(), now() from devices`,
      [code],
    );
    const reader = await visit(chargehand, locale, { as: 'root' });
    await reader.page.goto('/manage/device/alarms');
    await reader.sees(reader.main.getByText(shipped, { exact: true }));

    await page.goto('/manage/system/dictionary');
    await visitor.button(t('dictionary:editOf', { code })).click();
    const field = locale === 'zh-CN' ? 'nameZh' : 'nameEn';
    await page.getByLabel(t(`dictionary:${field}`)).fill(name);
    await visitor.button(t('common:save')).click();
    await visitor.sees(t('dictionary:saved', { code }));
    await reader.sees(reader.main.getByText(name, { exact: true }));

    await visitor.button(t('dictionary:historyOf', { code })).click();
    const drawer = page.getByRole('dialog');
    await drawer.getByRole('button', { name: new RegExp(code) }).click();
    await visitor.sees(t('dictionary:undone', { code }));
    await reader.sees(reader.main.getByText(shipped, { exact: true }));
    expect(reader.problems).toEqual([]);
    await reader.context.close();
  },
);

journey(
  chargehand,
  'a label gets another name on open issues at once; its typed name means it',
  { as: 'root', locales: ['en-US', 'zh-CN'] },
  async (visitor) => {
    const { page, t, locale } = visitor;
    const [typed, name] = locale === 'zh-CN' ? ['备件', '待配件'] : ['spare PARTS', 'Waiting for parts'];
    const { customers } = chargehand.server.world;
    const root = await chargehand.server.as('root');
    const { id } = await root.data(issueEndpoints.createCustomerIssue, {
      params: { id: customers.north },
      body: { title: 'Relay sticks', type: 4, labels: [typed] },
    });
    const reader = await visit(chargehand, locale, { as: 'root' });
    await reader.page.goto(`/manage/issue/detail/${id}`);
    const shipped = locale === 'zh-CN' ? '备件' : 'Spare parts';
    await reader.sees(reader.main.getByText(shipped, { exact: true }).first());

    await page.goto('/manage/system/dictionary?tab=labels');
    await visitor.button(t('dictionary:editOf', { code: 'spareParts' })).click();
    await page.getByLabel(t(`dictionary:${locale === 'zh-CN' ? 'nameZh' : 'nameEn'}`)).fill(name);
    await visitor.button(t('common:save')).click();
    await visitor.sees(t('dictionary:saved', { code: 'spareParts' }));
    await reader.sees(reader.main.getByText(name, { exact: true }).first());
    expect(reader.problems).toEqual([]);
    await reader.context.close();
  },
);

const REMEDIES = {
  'en-US': { headings: ['Code', 'English name', 'Chinese name'], code: 'dried', nameEn: 'Dried', nameZh: '烘干' },
  'zh-CN': { headings: ['代码', '英文名称', '中文名称'], code: 'sealed', nameEn: 'Sealed', nameZh: '密封' },
};

journey(
  chargehand,
  'a dictionary is exported, and an edited file is imported after its preview',
  { as: 'root', locales: ['en-US', 'zh-CN'] },
  async (visitor) => {
    const { page, t, locale } = visitor;
    const { headings, code, nameEn, nameZh } = REMEDIES[locale];
    await page.goto('/manage/system/dictionary?tab=remedies');
    const downloading = page.waitForEvent('download');
    await visitor.button(t('common:list.export')).click();
    const exported = await buffer(await (await downloading).createReadStream());

    await visitor.button(t('dictionary:import.open')).click();
    const dialog = page.getByRole('dialog');
    const ok = dialog.getByRole('button', { name: t('dictionary:import.ok'), exact: true });
    const choose = async (file: Buffer) => {
      const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
      await dialog.locator('input[type=file]').setInputFiles({ name: 'remedies.xlsx', mimeType, buffer: file });
    };
    await choose(exported);
    await visitor.sees(dialog.getByText(t('dictionary:import.nothing')));
    expect(await ok.isDisabled()).toBe(true);

    await choose(await sheetOf(headings, [[code, nameEn, '更换部件']]));
    await visitor.sees(dialog.getByText('replaced', { exact: false }));
    expect(await ok.isDisabled()).toBe(true);

    await choose(await sheetOf(headings, [[code, nameEn, nameZh]]));
    await visitor.sees(dialog.getByText(`${nameEn} · ${nameZh}`));
    await ok.click();
    await visitor.sees(t('dictionary:import.done', { added: 1, changed: 0 }));
    await visitor.sees(visitor.button(t('dictionary:historyOf', { code })));
  },
);
