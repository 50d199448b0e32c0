import { categoryEndpoints, documentEndpoints, LOCALES, type Locale } from '@chargehand/contract';
import type { DocumentContent } from '@chargehand/domain';
import { expect } from 'vitest';
import { looker } from '../harness/axe.ts';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';

const chargehand = product();

const TEXTS: Record<Locale, { title: string; heading: string; text: string; piece: string }> = {
  'en-US': {
    title: 'Contactor welded',
    heading: 'Repair',
    text: 'Replace the contactor and measure the insulation.',
    piece: 'insulation',
  },
  'zh-CN': { title: '接触器粘连', heading: '处理方法', text: '更换直流接触器，并测量绝缘电阻。', piece: '流接触' },
};

const content = (heading: string, text: string): DocumentContent => ({
  type: 'doc',
  content: [
    { type: 'heading', attrs: { level: 1 }, content: [{ type: 'text', text: heading }] },
    { type: 'paragraph', content: [{ type: 'text', text }] },
  ],
});

journey(
  chargehand,
  'a document is added to a new category, found by its text, read and voted for',
  { as: 'root', locales: LOCALES },
  async (visitor) => {
    const { page, main, t, locale } = visitor;
    const { title, heading, text, piece } = TEXTS[locale];
    const category = `Power ${locale}`;

    await page.goto('/manage/docs/category');
    await visitor.button(t('documents:category.add')).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(t('documents:category.nameEn')).fill(category);
    await dialog.getByLabel(t('documents:category.nameZh')).fill(`${category} 类`);
    await dialog.getByRole('button', { name: t('documents:category.add') }).click();
    const name = locale === 'zh-CN' ? `${category} 类` : category;
    await visitor.sees(t('documents:category.saved', { name }));

    // The form is filled in for the code.
    await page.goto(`/manage/docs/detail/type/100?code=E42-${locale}`);
    await visitor.link(t('documents:code.write')).click();
    await main.getByLabel(t('documents:title'), { exact: true }).fill(title);
    await main.getByRole('combobox', { name: t('documents:category.label') }).fill(name);
    await page.locator('.ant-select-dropdown:visible').getByText(name, { exact: true }).click();
    await visitor.button(t('documents:add')).click();
    await visitor.sees(t('documents:form.added', { name: `E42-${locale}` }));

    // The text is written in the editor, which has its own journey.
    const root = await chargehand.server.as('root');
    const query = { type: 100 as const, code: `E42-${locale}` };
    const { id } = await root.data(documentEndpoints.readDocument, { query });
    await root.data(documentEndpoints.saveText, {
      params: { id, locale },
      body: { title, description: text, body: content(heading, text), baseVersion: 1 },
    });

    await page.goto('/manage/docs/home');
    await main.getByRole('searchbox').fill(piece);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/manage\/docs\/search\?q=/);
    await main.getByRole('listitem').filter({ hasText: title }).getByRole('link').first().click();
    await page.waitForURL(new RegExp(`/manage/docs/detail/${id}`));
    await visitor.sees(visitor.heading(title), visitor.heading(heading));
    await visitor.sees(t('documents:figures.never', { days: 90 }));

    await visitor.button(t('documents:votes.helped', { count: 0 })).click();
    await visitor.sees(visitor.button(t('documents:votes.helped', { count: 1 })));

    // The other language is missing.
    await page.goto(`/manage/docs/list?search=${encodeURIComponent(title)}`);
    const other = t(`documents:language.${locale === 'zh-CN' ? 'en-US' : 'zh-CN'}`);
    await visitor.sees(main.getByText(t('documents:translation.missingOf', { language: other })));
  },
);

journey(
  chargehand,
  'a change of another author appears without a reload',
  { as: 'root', full: true },
  async (visitor) => {
    const { page, t } = visitor;
    const root = await chargehand.server.as('root');
    const names = { nameEn: 'Live', nameZh: '实时' };
    const { id: categoryId } = await root.data(categoryEndpoints.createCategory, {
      body: { parentId: null, ...names },
    });
    const levels = { readLevel: 5, writeLevel: 4 } as const;
    const properties = { name: 'live', type: null, categoryId, ...levels, locale: 'en-US' as const, title: 'Before' };
    const { id } = await root.data(documentEndpoints.createDocument, { body: properties });
    await page.goto(`/manage/docs/detail/${id}`);
    await visitor.sees(visitor.heading('Before'), t('common:live.on'));
    const body = { title: 'After', description: '', body: content('Now', 'New text.'), baseVersion: 1 };
    await root.data(documentEndpoints.saveText, { params: { id, locale: 'en-US' }, body });
    await visitor.sees(visitor.heading('After'), visitor.heading('Now'));
  },
);

journey(
  chargehand,
  'the pages of documents have no accessibility errors',
  { as: 'root', full: true },
  async (visitor) => {
    const { look, found, shows } = looker(visitor);
    const { t } = visitor;
    await look('/manage/docs/home', shows(t('documents:home.recent')));
    await look('/manage/docs/search?q=connector');
    await look('/manage/docs/detail', shows(t('documents:choose.title')));
    await look('/manage/docs/detail/type', shows(t('documents:code.find')));
    await look('/manage/docs/detail/type/100?code=E99');
    await look('/manage/docs/list');
    await look('/manage/docs/list?tab=missing');
    await look('/manage/docs/add');
    await look('/manage/docs/category');
    const { rows } = await chargehand.server.database.pool.query<{ id: number; category: number }>(
      'select id, category_id as category from documents order by id desc limit 1',
    );
    const { id, category } = rows[0]!;
    await look(`/manage/docs/detail/${id}`);
    await look(`/manage/docs/props/${id}`);
    await look(`/manage/docs/update/props/${id}`);
    await look(`/manage/docs/update/content/${category}/${id}?locale=en-US`);
    expect(found).toEqual([]);
  },
);
