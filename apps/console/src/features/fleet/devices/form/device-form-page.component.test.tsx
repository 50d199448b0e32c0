import { messageOf } from '@chargehand/contract';
import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { LANGUAGES } from '../../../../testing/languages.ts';
import { option, sees } from '../../../../testing/on-screen.ts';
import { sampleList, sampleRow } from '../../../../testing/sample.ts';
import { show } from '../../../../testing/show.tsx';
import { type Answers, Refused } from '../../../../testing/stub-server.ts';
import DeviceFormPage from './device-form-page.tsx';

const site = { id: 4, name: 'North quay', code: 'NQ' };
const model = { id: 8, name: 'World pile', vendor: 'World' };
const choices = {
  listSites: { items: [site], total: 1 },
  listDeviceModels: { items: [model], total: 1 },
} as unknown as Answers;

const open = (options: Parameters<typeof show>[1]) =>
  show(<DeviceFormPage />, { path: '/manage/device/add', route: '/manage/device/add', ...options });

describe('the form of a new device', () => {
  test.each(LANGUAGES)('shows errors at their fields (%s)', async (locale) => {
    const odd = "<script>alert(1)</script>'; drop table devices; --";
    const stage = await open({
      locale,
      answers: {
        ...choices,
        createDevice: ({ input }) => {
          if (input.body.sn === 'TAKEN-1') throw new Refused('deviceSnExists', {}, 'sn');
          return { id: 12 };
        },
      },
    });
    const { t, field, button, text } = stage;
    const save = button('fleet:register');
    await save.click();
    await expect.element(text('fleet:form.snRequired')).toBeVisible();
    await expect.element(text('fleet:form.choiceRequired', { label: t('fleet:site') })).toBeVisible();
    await field('fleet:sn').fill('a/b');
    await expect.element(text('fleet:form.snFormat')).toBeVisible();
    await field('fleet:sn').fill('TAKEN-1');
    await field('fleet:name').fill(odd);
    await field('fleet:site').click();
    await option(site.name).click();
    await field('fleet:model').click();
    await option(model.name).click();
    await save.click();
    await expect.element(page.getByText(messageOf('deviceSnExists', locale))).toBeVisible();
    await expect
      .element(field('fleet:sn'))
      .toHaveAccessibleDescription(new RegExp(messageOf('deviceSnExists', locale)));
    await field('fleet:sn').fill('FREE-1');
    await save.click();
    await expect.poll(stage.path).toBe('/manage/device/detail/12');
    expect(stage.server.sent('createDevice').at(-1)?.body).toMatchObject({ sn: 'FREE-1', name: odd, siteId: 4 });
  });

  test.each(LANGUAGES)(
    'a waiting device has what it said and a proposed model and site: one click (%s)',
    async (locale) => {
      const waiting = sampleRow('listWaitingDevices', {
        ...{ sn: 'P-7', vendor: 'Acme', model: 'AC-22', firmwareVersion: '1.4', protocolVersion: 'ocpp1.6' },
        ...{ remoteAddress: '192.0.2.7', proposedModel: model, proposedSite: { id: 4, name: site.name, devices: 3 } },
      });
      const { t, button, server } = await open({
        locale,
        path: '/manage/device/add/P-7',
        route: '/manage/device/add/:SN',
        answers: {
          ...choices,
          listWaitingDevices: sampleList('listWaitingDevices', [waiting]),
          createDevice: { id: 12 },
        },
      });
      await sees('Acme · AC-22', '1.4', 'OCPP 1.6', site.name, model.name, t('fleet:form.siteOfAddress', { count: 3 }));
      await button('fleet:register').click();
      await expect
        .poll(() => server.sent('createDevice')[0]?.body)
        .toMatchObject({
          ...{ sn: 'P-7', name: 'P-7', siteId: 4, deviceModelId: 8 },
        });
    },
  );

  test('asks before unsaved changes are lost', async () => {
    const { field, button, text, path, go } = await open({});
    await field('fleet:sn').fill('HALF-DONE');
    await go('/manage/device/list');
    await expect.element(text('common:leave.text')).toBeVisible();
    await button('common:leave.stay').click();
    await expect.element(text('common:leave.text')).not.toBeVisible();
    await expect.element(field('fleet:sn')).toHaveValue('HALF-DONE');
    await go('/manage/device/list');
    await button('common:leave.leave').click();
    await expect.poll(path).toBe('/manage/device/list');
  });
});
