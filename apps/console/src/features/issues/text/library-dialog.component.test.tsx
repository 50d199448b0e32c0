import type { AttachmentRow } from '@chargehand/contract';
import { useState } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../../testing/accessibility.ts';
import { LANGUAGES } from '../../../testing/languages.ts';
import { LONG_NAME, option, sees } from '../../../testing/on-screen.ts';
import { sampleList } from '../../../testing/sample.ts';
import { show } from '../../../testing/show.tsx';
import { HttpFailure } from '../../../testing/stub-server.ts';
import { LibraryDialog } from './library-dialog.tsx';

const may = { write: true, download: true };
const row = (id: number, name: string, more: Partial<AttachmentRow> = {}) => ({
  ...{ id, name, size: 2_048, scan: 'clean' as const, managedBy: null, may, ...more },
});
const files = sampleList('listAttachments', [
  row(1, 'plug.png'),
  row(2, 'boot.log', { managedBy: 'deviceLog' }),
  row(3, 'pile 1.2.bin', { managedBy: 'firmware' }),
  row(4, 'infected.pdf', { scan: 'infected' }),
  row(5, 'secret.pdf', { may: { write: false, download: false } }),
]);

function Opened({ onInsert }: { onInsert(nodes: unknown[]): void }) {
  const [open, setOpen] = useState(true);
  return open && <LibraryDialog onInsert={onInsert} onClose={() => setOpen(false)} />;
}

describe('the dialog that inserts files of the library into a text', () => {
  test.each(LANGUAGES)('offers the files that the user may download (%s)', async (locale) => {
    const onInsert = vi.fn<(nodes: unknown[]) => void>();
    const { t, server, button, dialog } = await show(<Opened onInsert={onInsert} />, {
      locale,
      answers: { listAttachments: files },
    });
    await sees(t('issue-files:library.hint'));
    await expect.element(button('issue-files:library.insert')).toBeDisabled();
    await expectAccessible();
    const field = page.getByRole('combobox', { name: t('issue-files:library.files') });
    await field.click();
    await sees(option('plug.png · 2 KB'), option('boot.log · 2 KB'));
    for (const name of ['pile 1.2.bin', 'infected.pdf', 'secret.pdf']) {
      expect(page.getByText(`${name} · 2 KB`, { exact: true }).elements()).toEqual([]);
    }
    await option('plug.png · 2 KB').click();
    await option('boot.log · 2 KB').click();
    await field.fill('plug');
    await expect.poll(() => server.sent('listAttachments').at(-1)?.query).toMatchObject({ search: 'plug' });
    // Closes the list, which lies over the button.
    await dialog.getByText(t('issue-files:library.title'), { exact: true }).click();
    await expect.element(field).toHaveAttribute('aria-expanded', 'false');
    await button('issue-files:library.insert').click();
    await expect.element(dialog).not.toBeInTheDocument();
    expect(onInsert.mock.calls).toEqual([
      [
        [
          { type: 'image', attrs: { file: '1', alt: 'plug.png' } },
          { type: 'attachment', attrs: { file: '2', name: 'boot.log', size: 2_048 } },
        ],
      ],
    ]);
  });

  test('shows a long name in one line, offered and chosen, also on a phone', async () => {
    const { t } = await show(<Opened onInsert={() => undefined} />, {
      size: [390, 844],
      answers: { listAttachments: sampleList('listAttachments', [row(1, LONG_NAME)]) },
    });
    const field = page.getByRole('combobox', { name: t('issue-files:library.files') });
    await field.click();
    await option(`${LONG_NAME} · 2 KB`).click();
    const shown = page.getByText(`${LONG_NAME} · 2 KB`);
    await expect.poll(() => shown.elements().length).toBeGreaterThan(1);
    const heights = () => shown.elements().map((name) => name.getBoundingClientRect().height);
    await expect.poll(() => Math.max(...heights())).toBeLessThanOrEqual(40);
  });

  test('says that the files could not be loaded', async () => {
    const { t } = await show(<Opened onInsert={() => undefined} />, {
      answers: {
        listAttachments: () => {
          throw new HttpFailure(500);
        },
      },
    });
    await page.getByRole('combobox', { name: t('issue-files:library.files') }).click();
    await sees(t('issue-files:library.failed'));
  });
});
