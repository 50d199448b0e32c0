import { type DeviceModelDetail, messageOf } from '@chargehand/contract';
import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { LANGUAGES } from '../../../testing/languages.ts';
import { show } from '../../../testing/show.tsx';
import { Refused } from '../../../testing/stub-server.ts';
import { ModelDetail } from './model-detail.tsx';

const nothing = { configs: [], parameters: [], controls: [], rules: [] };
const model = {
  ...{ id: 9, name: 'Contested', type: 1, parentId: null, vendor: '', sshSupport: false, webSupport: false },
  ...{ tolerant: false, imageKey: null, iconKey: null, protocol: null, connectorCount: null, silenceSeconds: null },
  ...{ parameterReadLevel: 5, parameterWriteLevel: 3, controlLevel: 3, parentName: null, version: 7 },
  ...{ changedBy: 'somebody', changedAt: '2026-01-01T00:00:00Z', devices: 0, children: [] },
  ...{ own: nothing, resolved: nothing, origins: [], may: { edit: true } },
} as unknown as DeviceModelDetail;

const listDeviceModels = { items: [], total: 0 };

describe('a device model', () => {
  test.each(LANGUAGES)('that somebody else saved in the meantime shows who and reloads (%s)', async (locale) => {
    let now = model;
    const { field, button } = await show(<ModelDetail id={9} back />, {
      ...{ locale, path: '/manage/device-model/9' },
      answers: {
        listDeviceModels,
        readDeviceModel: () => now,
        updateDeviceModel: () => {
          now = { ...model, version: 8, vendor: 'Theirs' };
          throw new Refused('deviceModelChanged', { name: 'colleague' }, 'version');
        },
      },
    });
    await field('models:vendor').fill('Mine');
    await button('common:save').click();
    await expect.element(page.getByText(messageOf('deviceModelChanged', locale, { name: 'colleague' }))).toBeVisible();
    await expect.element(field('models:vendor')).toHaveValue('Mine');
    await button('models:model.reload').click();
    await expect.element(field('models:vendor')).toHaveValue('Theirs');
  });

  test('asks before unsaved changes are lost', async () => {
    const { t, field, button, text, path } = await show(<ModelDetail id={9} back />, {
      path: '/manage/device-model/9',
      answers: { listDeviceModels, readDeviceModel: model },
    });
    await field('models:vendor').fill('Mine');
    await page.getByRole('link', { name: t('models:model.back'), exact: true }).click();
    await expect.element(text('common:leave.text')).toBeVisible();
    await button('common:leave.leave').click();
    await expect.poll(path).toBe('/manage/device-model');
  });
});
