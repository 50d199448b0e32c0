import { Button, Input } from 'antd';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { show } from '../../testing/show.tsx';
import { Panel } from '../ui/page/page-header.tsx';

test('text, headings of panels and controls have the base font size of 14 px', async () => {
  await show(
    <Panel title="Heading">
      <p>Text</p>
      <Input aria-label="Field" />
      <Button>Press</Button>
    </Panel>,
  );
  const targets = [
    page.getByText('Text', { exact: true }),
    page.getByRole('heading', { name: 'Heading' }),
    page.getByRole('textbox', { name: 'Field' }),
    page.getByRole('button', { name: 'Press' }),
  ];
  for (const target of targets) await expect.element(target).toHaveStyle({ fontSize: '14px' });
});
