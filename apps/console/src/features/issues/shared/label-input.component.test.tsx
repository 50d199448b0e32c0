import { useState } from 'react';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { misses, option, sees } from '../../../testing/on-screen.ts';
import { show } from '../../../testing/show.tsx';
import { IssueLabels } from './issue-marks.tsx';
import { LabelInput } from './label-input.tsx';

const entry = (code: string, nameEn: string, nameZh: string, enabled = true) => ({ code, nameEn, nameZh, enabled });
const answers = {
  readDictionaryNames: {
    causes: [],
    remedies: [],
    labels: [
      entry('safety', 'Safety', '安全隐患'),
      entry('onSite', 'On site', '现场'),
      entry('old', 'Old', '旧', false),
      entry('kept', 'Kept', '保留', false),
    ],
  },
  listIssueLabels: {
    items: [
      { name: 'plug', count: 3 },
      { name: 'SAFETY', count: 2 },
      { name: 'old', count: 1 },
    ],
  },
};

/** A field, and what it has entered: as labels are shown, and as they are sent. */
function Field() {
  const [labels, setLabels] = useState(['kept', 'cable']);
  return (
    <>
      <LabelInput label="Labels" value={labels} onChange={setLabels} />
      <IssueLabels labels={labels} />
      <output>{labels.join('|')}</output>
    </>
  );
}

const sent = () => document.querySelector('output')?.textContent;

test('labels of the dictionary are chosen by their names; those that are turned off can be kept only', async () => {
  await show(<Field />, { locale: 'zh-CN', answers });
  await sees('保留');
  await page.getByRole('combobox', { name: 'Labels' }).click();
  await sees(option('现场'), option('plug'));
  await misses(option('旧'));
  await misses(option('SAFETY'));
  await option('现场').click();
  await expect.poll(sent).toBe('kept|cable|onSite');
});

test('a typed label that is the name of an entry means it; another one stays as it is', async () => {
  await show(<Field />, { answers });
  await sees('Kept');
  await page.getByRole('combobox', { name: 'Labels' }).click();
  for (const typed of ['安全隐患', 'safety ', 'Fuse']) await userEvent.keyboard(`${typed}{Enter}`);
  await expect.poll(sent).toBe('kept|cable|safety|Fuse');
  await sees(page.getByText('Safety', { exact: true }).last());
});
