import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { sees, tooWide } from '../../../testing/on-screen.ts';
import { show } from '../../../testing/show.tsx';
import { FigureCard, FigureRow, FigureSkeleton } from './figure-card.tsx';

const line = { values: [null, 3, 4, null, 5], scale: { span: 10, low: 0 }, title: '10:00: 3' };

test('a figure has its unit and a line with gaps; an unknown one is a dash without a unit, never 0', async () => {
  await show(
    <FigureRow label="Figures">
      <FigureCard figure={{ key: 'a', label: 'Energy', value: '12', unit: 'kWh', to: '/list', line }} />
      <FigureCard figure={{ key: 'b', label: 'Power', value: null, unit: 'kW', note: 'Not reported' }} />
    </FigureRow>,
    { size: [390, 844] },
  );
  const known = page.getByRole('link', { name: /Energy/ });
  await expect.element(known).toHaveAttribute('href', '/list');
  expect(known.element().textContent).toContain('12kWh');
  // Two pieces: the values before and after the gap.
  expect(known.element().querySelectorAll('polyline')).toHaveLength(2);
  await sees('Not reported');
  const unknown = page.getByText('Power', { exact: true }).element().parentElement;
  expect(unknown?.textContent).toBe('Power–Not reported');
  expect(tooWide()).toEqual([]);
});

test('figures have the same height while they load', async () => {
  await show(
    <>
      <FigureSkeleton count={1} />
      <FigureRow label="Figures">
        <FigureCard figure={{ key: 'a', label: 'Energy', value: '12', unit: 'kWh', note: 'today', line }} />
      </FigureRow>
    </>,
  );
  const heights = [...document.querySelectorAll('[aria-label="Figures"], [aria-hidden="true"]:has(> div:empty)')].map(
    (row) => row.getBoundingClientRect().height,
  );
  expect(heights).toHaveLength(2);
  expect(heights[0]).toBe(heights[1]);
});
