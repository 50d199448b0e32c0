import { useState } from 'react';
import { describe, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { LANGUAGES } from '../../../../testing/languages.ts';
import { expectConfirmBeforeClosing, option } from '../../../../testing/on-screen.ts';
import { show } from '../../../../testing/show.tsx';
import { CodeDialog } from './code-dialog.tsx';
import { RuleDialog } from './rule-dialog.tsx';

const items = [
  {
    id: 5,
    key: 'Temperature',
    name: { en: 'Temperature', zh: '温度' },
    type: 2 as const,
    unit: '°C',
    range: '-50~200|1',
  },
];
const saved: unknown[] = [];

function Rule() {
  const [open, setOpen] = useState(true);
  const save = (rule: unknown) => saved.push(rule);
  return open && <RuleDialog line={null} items={items} taken={['OLD']} onSave={save} onClose={() => setOpen(false)} />;
}

function Code() {
  const [open, setOpen] = useState(true);
  return open && <CodeDialog modelId={9} row={null} onClose={() => setOpen(false)} />;
}

describe('the dialogs of alarm rules and codes', () => {
  test.each([
    ['rule', Rule],
    ['code', Code],
  ] as const)('ask before a partly filled %s is closed, and only then', async (_, Dialog) => {
    const stage = await show(<Dialog />);
    const code = stage.field('rules:dialog.code');
    await expect.element(code).toBeVisible();
    await code.fill('HALF');
    await expectConfirmBeforeClosing(stage, code, () => stage.button('common:cancel').first().click());
  });

  test.each([
    ['rule', Rule],
    ['code', Code],
  ] as const)('close an unchanged %s immediately', async (_, Dialog) => {
    const stage = await show(<Dialog />);
    const code = stage.field('rules:dialog.code');
    await expect.element(code).toHaveFocus();
    await userEvent.keyboard('{Escape}');
    await expect.element(code).not.toBeInTheDocument();
  });
});

describe('an alarm rule', () => {
  test.each(LANGUAGES)('requires names and ordered bounds, and shows its sentence (%s)', async (locale) => {
    const { t, field, button } = await show(<Rule />, { locale });
    const take = button('rules:dialog.apply');
    await expect.element(take).toBeDisabled();
    await field('rules:dialog.code').fill('OLD');
    await expect.element(page.getByText(t('rules:dialog.codeTaken'))).toBeVisible();
    await field('rules:dialog.code').fill('HOT');
    await field('rules:dialog.nameEn').fill('Too hot');
    await field('rules:dialog.nameZh').fill('温度过高');
    await field('rules:dialog.condition').click();
    await option(t('rules:condition.outside')).click();
    await field('rules:dialog.low').fill('60');
    await field('rules:dialog.high').fill('-5');
    await expect.element(page.getByText(t('rules:fault.order')).first()).toBeVisible();
    await expect.element(take).toBeDisabled();
    await field('rules:dialog.low').fill('-5');
    await field('rules:dialog.high').fill('60');
    await field('rules:dialog.duration').fill('90');
    const sentence = () => document.querySelector('.rule-preview')?.textContent;
    await expect.poll(sentence).toContain(locale === 'zh-CN' ? '温度' : 'Temperature');
    await expect.poll(sentence).toContain('-5');
    await take.click();
    expect(saved.pop()).toMatchObject({ code: 'HOT', condition: 'outside', low: -5, high: 60, durationSeconds: 90 });
  });
});
