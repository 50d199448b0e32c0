import { useState } from 'react';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { sees } from '../../../testing/on-screen.ts';
import { show } from '../../../testing/show.tsx';
import { TimeRange, type TimeSpan } from './time-range.tsx';

function Stage({ onSpan }: { onSpan(span: TimeSpan): void }) {
  const [value, setValue] = useState<TimeSpan>({ from: '2026-01-31T10:30:00.000Z', to: null });
  return (
    <TimeRange
      labels={['From', 'To']}
      value={value}
      onChange={(next) => {
        setValue(next);
        onSpan(next);
      }}
    />
  );
}

async function open() {
  const spans: TimeSpan[] = [];
  const stage = await show(<Stage onSpan={(span) => spans.push(span)} />);
  await sees(page.getByRole('textbox', { name: 'From' }));
  await expect.poll(() => page.getByRole('textbox', { name: 'To' }).element().hasAttribute('readonly')).toBe(false);
  return {
    stage,
    spans,
    from: page.getByRole('textbox', { name: 'From' }),
    to: page.getByRole('textbox', { name: 'To' }),
  };
}

test('a time is shown in the time zone of the fleet and can be typed', async () => {
  const { spans, from, to } = await open();
  await expect.element(from).toHaveValue('2026-01-31 18:30');
  await to.fill('2026-02-01 00:05');
  await userEvent.keyboard('{Enter}');
  expect(spans.at(-1)).toEqual({ from: '2026-01-31T10:30:00.000Z', to: '2026-01-31T16:05:00.000Z' });
  await to.fill('2026/2/3 9:07');
  await userEvent.keyboard('{Tab}');
  await expect.poll(() => spans.at(-1)?.to).toBe('2026-02-03T01:07:00.000Z');
});

test('a text that is not a time is marked and changes nothing', async () => {
  const { spans, from } = await open();
  await from.fill('soon');
  await userEvent.keyboard('{Tab}');
  await expect.element(from).toHaveAttribute('aria-invalid', 'true');
  expect(spans).toEqual([]);
});

test('the calendar names the time zone; Escape closes it', async () => {
  const { from } = await open();
  await from.click();
  await sees(page.getByText(/Asia\/Hong_Kong/).last());
  await userEvent.keyboard('{Escape}');
  await expect.poll(() => document.querySelector('.ant-picker-dropdown:not(.ant-picker-dropdown-hidden)')).toBeNull();
});

test('a period sets the start and leaves the end open', async () => {
  const { stage, spans } = await open();
  await stage.button('common:time.period').click();
  await stage.text('common:time.periods.week').click();
  const { from, to } = spans.at(-1)!;
  expect(to).toBeNull();
  expect(Math.abs(Date.now() - Date.parse(from!) - 7 * 86_400_000)).toBeLessThan(120_000);
});
