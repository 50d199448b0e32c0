import { categoryEndpoints, documentEndpoints, LOCALES, type Locale } from '@chargehand/contract';
import type { ContentNode, DocumentContent } from '@chargehand/domain';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';
import type { Visitor } from '../harness/visitor.ts';

const chargehand = product();
const ENOUGH = { timeout: 30_000 };
/** A picture of one pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const DATA = `data:image/png;base64,${PIXEL}`;

const paragraph = (text: string): ContentNode => ({ type: 'paragraph', content: [{ type: 'text', text }] });
const heading = (text: string, level = 1): ContentNode => ({
  ...{ type: 'heading', attrs: { level }, content: [{ type: 'text', text }] },
});

let count = 0;
/** Publishes a document and returns the paths of its editor and its page. */
async function newDocument(locale: Locale, ...content: ContentNode[]) {
  const root = await chargehand.server.as('root');
  count += 1;
  const names = { nameEn: `Inserting ${count}`, nameZh: `插入 ${count}` };
  const { id: categoryId } = await root.data(categoryEndpoints.createCategory, { body: { parentId: null, ...names } });
  const levels = { readLevel: 5, writeLevel: 4 } as const;
  const properties = { name: `inserting ${count}`, type: null, categoryId, ...levels, locale, title: 'Ground failure' };
  const { id } = await root.data(documentEndpoints.createDocument, { body: properties });
  const body: DocumentContent = { type: 'doc', content };
  const text = { title: 'Ground failure', description: 'Stop charging.', body, baseVersion: 1 };
  await root.data(documentEndpoints.saveText, { params: { id, locale }, body: text });
  return {
    id,
    editor: `/manage/docs/update/content/${categoryId}/${id}?locale=${locale}`,
    page: `/manage/docs/detail/${id}?locale=${locale}`,
  };
}

const contentOf = ({ page, t }: Visitor) => page.getByRole('textbox', { name: t('editor:content') });

/** Drops or pastes data as another program provides it. */
async function give(page: Page, how: 'drop' | 'paste', data: { html?: string; text?: string; files?: string[] }) {
  const { html = '', text = '', files = [] } = data;
  // As text, because the types of a browser are unknown here.
  const script = `((element) => {
    const transfer = new DataTransfer();
    const bytes = Uint8Array.from(atob(${JSON.stringify(PIXEL)}), (one) => one.charCodeAt(0));
    if (${html !== ''}) transfer.setData('text/html', ${JSON.stringify(html)});
    if (${text !== ''}) transfer.setData('text/plain', ${JSON.stringify(text)});
    for (const name of ${JSON.stringify(files)}) {
      const content = name.endsWith('.png') ? [bytes] : name.endsWith('.mp4') ? [new Uint8Array([0, 0, 0, 24]), 'ftypmp42'] : ['%PDF-1.7\nstartxref\n0\n%%EOF'];
      transfer.items.add(new File(content, name));
    }
    const line = element.lastElementChild.getBoundingClientRect();
    const place = { clientX: line.right - 1, clientY: line.bottom - 1, bubbles: true, cancelable: true };
    element.dispatchEvent(${how === 'drop'}
      ? new DragEvent('drop', { ...place, dataTransfer: transfer })
      : new ClipboardEvent('paste', { clipboardData: transfer, bubbles: true, cancelable: true }));
  })(document.querySelector('.ProseMirror'))`;
  await page.evaluate(script);
}

journey(chargehand, 'files are dropped and pasted, at most five at once', { as: 'root' }, async (visitor) => {
  const { page, t } = visitor;
  const paths = await newDocument('en-US', paragraph('First'), paragraph('Last'));
  await page.goto(paths.editor);
  const content = contentOf(visitor);
  await content.getByText('Last').click();
  await give(page, 'drop', { files: ['wiring.png', 'opening.mp4', 'manual.pdf'] });
  await content.locator('img[data-file]').waitFor();
  await content.locator('video[data-file]').waitFor();
  await content.getByText('manual.pdf').waitFor();

  // The clipboard of the system.
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(`(async () => {
    const bytes = Uint8Array.from(atob(${JSON.stringify(PIXEL)}), (one) => one.charCodeAt(0));
    const picture = new Blob([bytes], { type: 'image/png' });
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': picture })]);
  })()`);
  await content.getByText('First').click();
  await page.keyboard.press('Control+v');
  await expect.poll(() => content.locator('img[data-file]').count(), ENOUGH).toBe(2);

  await give(page, 'drop', { files: Array.from({ length: 6 }, (_, index) => `${index}.png`) });
  await visitor.sees(t('editor:files.tooMany', { limit: 5 }));
  await give(page, 'paste', { files: ['virus.exe'] });
  await page.getByText(/virus\.exe/).waitFor();
  expect(await content.locator('img[data-file]').count()).toBe(2);
});

journey(chargehand, 'pictures of pasted HTML are uploaded into their places', { as: 'root' }, async (visitor) => {
  const { page, t } = visitor;
  // The security policy blocks the handlers in the pasted HTML.
  visitor.expects(/Executing inline event handler violates/);
  const paths = await newDocument('en-US', paragraph('Start'));
  await page.goto(paths.editor);
  const content = contentOf(visitor);
  await content.getByText('Start').click();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await give(page, 'paste', {
    html:
      `<h2 onclick="hit=1">Above</h2><p>one</p><p><img src="${DATA}"></p><p>two</p>` +
      `<table><tr><td>cell</td><td><img src="${DATA}"></td></tr></table>` +
      '<img src="https://example.org/x.png" onerror="hit=1"><script>hit=1</script><p>below</p>',
  });
  await visitor.sees(t('editor:files.leftOut_one', { count: 1 }));
  await expect.poll(() => content.locator('img[data-file]').count(), ENOUGH).toBe(2);
  const order = await content.evaluate((element) =>
    [...(element as unknown as { children: Iterable<{ tagName: string; textContent: string }> }).children].map(
      ({ tagName, textContent }) => `${tagName} ${textContent.trim()}`,
    ),
  );
  expect(order).toEqual(['P Start', 'H2 Above', 'P one', 'IMG ', 'P two', 'DIV cell', 'P below']);
  expect(await content.locator('td img[data-file]').count()).toBe(1);
  expect(await page.evaluate('"hit" in globalThis')).toBe(false);
  await give(page, 'paste', { html: `<p>${`<img src="${DATA}">`.repeat(6)}</p>` });
  await visitor.sees(t('editor:files.tooMany', { limit: 5 }));
});

/** A document of several pages on paper. */
const LONG: ContentNode[] = [
  heading('Before you start'),
  {
    type: 'callout',
    attrs: { kind: 'danger' },
    content: [paragraph('High voltage. Switch the power off and wait for ten minutes.')],
  },
  {
    type: 'taskList',
    content: ['Lock the switch', '挂上警示牌', 'Measure the voltage'].map((text) => ({
      ...{ type: 'taskItem', attrs: { checked: false }, content: [paragraph(text)] },
    })),
  },
  {
    type: 'paragraph',
    content: [
      { type: 'text', text: 'See the ' },
      {
        type: 'text',
        text: 'standard',
        marks: [{ type: 'link', attrs: { href: 'https://example.org/standard?part=1' } }],
      },
      { type: 'text', text: '.' },
    ],
  },
  heading('Limits'),
  {
    type: 'table',
    content: [
      {
        type: 'tableRow',
        content: ['Part', 'Limit'].map((text) => ({ type: 'tableHeader', content: [paragraph(text)] })),
      },
      ...Array.from({ length: 60 }, (_, index) => ({
        type: 'tableRow',
        content: [`Terminal ${index + 1}`, `${index * 5} V`].map((text) => ({
          ...{ type: 'tableCell', content: [paragraph(text)] },
        })),
      })),
    ],
  },
  { type: 'codeBlock', content: [{ type: 'text', text: `wide ${'x'.repeat(300)}` }] },
  ...Array.from({ length: 14 }, (_, index) => [
    heading(`Section ${index + 1}`, 2),
    paragraph('Check each terminal and tighten it with the torque of the label. '.repeat(8)),
    paragraph('检查每个端子，并按标签上的扭矩拧紧。'.repeat(12)),
  ]).flat(),
];

journey(chargehand, 'ticked steps survive a reload and stay with their reader', { as: 'root' }, async (visitor) => {
  const { page, main, t } = visitor;
  const paths = await newDocument('en-US', ...LONG);
  await page.goto(paths.page);
  await main.getByRole('checkbox', { name: 'Lock the switch' }).check();
  await visitor.sees(t('content:steps.done', { done: 1, total: 3 }));
  await page.reload();
  await visitor.sees(t('content:steps.done', { done: 1, total: 3 }));
  expect(await main.getByRole('checkbox', { name: 'Lock the switch' }).isChecked()).toBe(true);
  const root = await chargehand.server.as('root');
  const { body } = await root.data(documentEndpoints.readDocument, { query: { id: paths.id } });
  expect(JSON.stringify(body)).not.toContain('"checked":true');
});

/** Computed styles of the print media; null where an element is not rendered. */
async function printed(page: Page, selector: string, ...names: string[]): Promise<string[] | null> {
  return (await page.evaluate(`(() => {
    const element = document.querySelector(${JSON.stringify(selector)});
    if (!element || element.getClientRects().length === 0) return null;
    const style = getComputedStyle(element);
    return ${JSON.stringify(names)}.map((name) => style.getPropertyValue(name));
  })()`)) as string[] | null;
}

for (const theme of ['light', 'dark'] as const) {
  journey(
    chargehand,
    `a document is printed without the console, dark on white (${theme} theme)`,
    { as: 'root', locales: LOCALES, theme },
    async (visitor) => {
      const { page, locale } = visitor;
      const paths = await newDocument(locale, ...LONG);
      await page.goto(paths.page);
      await visitor.sees(visitor.heading('Section 14'));
      await page.emulateMedia({ media: 'print' });
      for (const chrome of ['.header', '.sidebar', '.breadcrumbs', '.toaster', 'main button', 'main nav']) {
        expect(await printed(page, chrome, 'display'), chrome).toBeNull();
      }
      expect(await printed(page, 'html', 'background-color')).toEqual(['rgb(255, 255, 255)']);
      expect(await printed(page, 'body', 'background-color')).toEqual(['rgb(255, 255, 255)']);
      const [ink] = (await printed(page, 'article p', 'color'))!;
      expect(Math.max(...ink!.match(/\d+/g)!.map(Number))).toBeLessThan(0x60);
      expect(await printed(page, 'article input[type=checkbox]', 'print-color-adjust')).toEqual(['exact']);
      expect(await printed(page, 'article thead', 'display')).toEqual(['table-header-group']);
      expect(await printed(page, 'article h3', 'break-after')).toEqual(['avoid']);
      expect(await printed(page, 'article pre', 'white-space-collapse', 'overflow-x')).toEqual(['preserve', 'visible']);
      const address = await page.evaluate(
        'getComputedStyle(document.querySelector(\'article a[href^="https"]\'), "::after").content',
      );
      expect(address).toContain('https://example.org/standard?part=1');
      await page.getByText(`${chargehand.url}/manage/docs/detail/${paths.id}`).waitFor();
    },
  );
}
