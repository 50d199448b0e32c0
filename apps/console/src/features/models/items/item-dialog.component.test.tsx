import { messageOf } from '@chargehand/contract';
import { useState } from 'react';
import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { LANGUAGES } from '../../../testing/languages.ts';
import { expectConfirmBeforeClosing } from '../../../testing/on-screen.ts';
import { show } from '../../../testing/show.tsx';
import { ItemDialog } from './item-dialog.tsx';

const groups = [{ id: 3, name: { en: 'Cooling', zh: '散热' }, items: 0 }];

function Closable() {
  const [open, setOpen] = useState(true);
  return open && <ItemDialog item={null} groups={groups} firstGroup={3} onClose={() => setOpen(false)} />;
}

async function open(answers: Parameters<typeof show>[1] = {}) {
  const stage = await show(<Closable />, answers);
  const dialog = page.getByRole('dialog');
  await expect.element(dialog).toBeVisible();
  return { ...stage, dialog, add: stage.button('models:item.addOk') };
}

/** Fills in the required fields of an item. */
async function fillNames({ field }: Awaited<ReturnType<typeof open>>): Promise<void> {
  await field('models:nameEn').fill('Fan');
  await field('models:nameZh').fill('风扇');
  await field('models:key').fill('Fan.A');
}

describe('the dialog of a data item', () => {
  test.each(LANGUAGES)('shows the errors of a range before it can be added (%s)', async (locale) => {
    const stage = await open({ locale, answers: { createDataItem: { id: 1 } } });
    await fillNames(stage);
    await stage.field('models:range.label').fill('5~1');
    await expect.element(page.getByText(messageOf('rangeOrder', locale, { min: 5, max: 1 }))).toBeVisible();
    await expect.element(stage.add).toBeDisabled();
    await expectAccessible();
    await stage.field('models:range.label').fill('60~x');
    await expect.element(page.getByText(messageOf('rangeNotInteger', locale, { text: 'x' }))).toBeVisible();
    await stage.field('models:range.label').fill('0~5');
    await stage.add.click();
    await expect.element(stage.dialog).not.toBeInTheDocument();
    expect(stage.server.sent('createDataItem')[0]?.body).toMatchObject({
      key: 'Fan.A',
      groupId: 3,
      type: 1,
      range: '0~5',
    });
  });

  test('checks an enumeration line by line and shows its control', async () => {
    const stage = await open();
    await fillNames(stage);
    await page.getByText(stage.t('models:itemType.4'), { exact: true }).click();
    const line = (number: number) =>
      page.getByLabelText(stage.t('models:range.line', { line: number }), { exact: true });
    await line(1).fill('Slow|1|number');
    await userEvent.keyboard('{Enter}');
    await line(2).fill('Fast');
    const message = (name: 'enumBarMissing' | 'enumValueTwice', values: Record<string, string | number>) =>
      page.getByText(messageOf(name, 'en-US', values));
    await expect.element(message('enumBarMissing', { line: 2, text: 'Fast' })).toBeVisible();
    await line(2).fill('Fast|1.0|number');
    await expect.element(message('enumValueTwice', { line: 2, text: '1', other: 1 })).toBeVisible();
    await expect.element(stage.add).toBeDisabled();
    await line(2).fill('Fast|2|number');
    await expect
      .element(page.getByRole('group', { name: stage.t('models:range.preview') }).getByText('Fast'))
      .toBeVisible();
    await expect.element(stage.add).toBeEnabled();
  });

  test('focuses its first field, and asks before unsaved input is lost', async () => {
    const stage = await open();
    const name = stage.field('models:nameEn');
    await expect.element(name).toHaveFocus();
    await userEvent.keyboard('Half a name');
    await expectConfirmBeforeClosing(stage, name);
  });

  test('closes immediately when nothing is entered', async () => {
    const stage = await open();
    await expect.element(stage.field('models:nameEn')).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    await expect.element(stage.dialog).not.toBeInTheDocument();
    expect(stage.text('common:leave.text').query()).toBeNull();
  });
});
