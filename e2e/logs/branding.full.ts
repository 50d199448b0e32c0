import { get, type IncomingMessage } from 'node:http';
import { text as read } from 'node:stream/consumers';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import { LOCALES } from '@chargehand/contract';
import { type BrandingKey, brandingParameter } from '@chargehand/domain';
import { expect } from 'vitest';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';

const chargehand = product({ captcha: false });

/** A red square, 16 pixels wide. */
const LOGO = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAABAAAAAQCAIAAACQkWg2AAAAFklEQVR4nGO4oKBAEmIY1TCqYfhqAABLfxAQeNDhBQAAAABJRU5ErkJggg==',
  'base64',
);

/** The branding in a page, in an encoding that the client accepts; without one, it sends no header. */
async function brandingOf(path: string, encoding: string | undefined): Promise<unknown> {
  const headers = encoding === undefined ? {} : { 'accept-encoding': encoding };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(chargehand.url + path, { headers }, resolve).on('error', reject);
  });
  const { 'content-encoding': sent = 'identity' } = response.headers;
  expect(sent).toBe(encoding ?? 'identity');
  const plain =
    sent === 'gzip'
      ? response.pipe(createGunzip())
      : sent === 'br'
        ? response.pipe(createBrotliDecompress())
        : response;
  const html = await read(plain);
  return JSON.parse(/<script type="application\/json" id="branding">(.*?)<\/script>/s.exec(html)?.[1] ?? 'null');
}

journey(
  chargehand,
  'a new name, logo, color and text are on every page at once, and are undone',
  { as: 'root', locales: LOCALES },
  async (visitor) => {
    const { page, t, locale } = visitor;
    const isChinese = locale === 'zh-CN';
    const nameOf = (key: BrandingKey) => brandingParameter(key).label[isChinese ? 'zh' : 'en'];
    const name = isChinese ? '北方充电云' : 'North </title> Charging';
    const text = isChinese ? '账号问题请拨打 "12345"' : 'Call "12345" <b>for an account</b>';
    const change = async (key: BrandingKey, enter: () => Promise<void>) => {
      await visitor.button(t('system-parameters:changeOne', { name: nameOf(key) })).click();
      await enter();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: t('system-parameters:save') }).click();
      await dialog.waitFor({ state: 'hidden' });
    };
    const type = (value: string) => page.getByRole('dialog').getByRole('textbox').first().fill(value);

    await page.goto('/manage/system/parameter');
    await change(isChinese ? 'productNameZh' : 'productNameEn', () => type(name));
    await change('primaryColor', () => type('#1d5fd0'));
    await change(isChinese ? 'signInTextZh' : 'signInTextEn', () => type(text));
    await change('productLogo', () =>
      page
        .getByRole('dialog')
        .locator('input[type=file]')
        .setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: LOGO }),
    );
    // The open page follows.
    const sidebar = page.locator('.sidebar-brand');
    await expect.poll(() => sidebar.textContent()).toBe(name);
    await expect.poll(() => sidebar.locator('img').count()).toBe(1);
    await expect.poll(() => page.title()).toContain(name);

    for (const encoding of ['identity', 'gzip', 'br', undefined]) {
      expect(await brandingOf('/', encoding), encoding).toMatchObject({ [isChinese ? 'nameZh' : 'nameEn']: name });
    }

    const guest = await page.context().browser()!.newContext({ locale, baseURL: chargehand.url });
    const problems: string[] = [];
    try {
      const other = await guest.newPage();
      other.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
      await other.goto(`/login?lang=${locale}`);
      await other.getByText(text, { exact: true }).waitFor();
      await expect.poll(() => other.title()).toContain(name);
      const brand = other.locator('.login-brand');
      expect(await brand.textContent()).toBe(name);
      await expect.poll(() => other.evaluate(`document.querySelector('.login-brand img')?.naturalWidth`)).toBe(16);
      expect(
        await other.evaluate(`getComputedStyle(document.querySelector('button[type=submit]')).backgroundColor`),
      ).toBe('rgb(29, 95, 208)');

      await page.getByRole('tab', { name: t('system-parameters:tabs.history') }).click();
      for (const key of [
        ...(['productLogo', 'primaryColor'] as const),
        ...(isChinese ? (['signInTextZh', 'productNameZh'] as const) : (['signInTextEn', 'productNameEn'] as const)),
      ]) {
        const undo = visitor.button(t('system-parameters:history.undoOne', { name: nameOf(key) }));
        await undo.click();
        const dialog = page.getByRole('dialog');
        await dialog.getByRole('button', { name: t('system-parameters:history.undo'), exact: true }).click();
        await dialog.waitFor({ state: 'hidden' });
      }
      await expect.poll(() => sidebar.textContent()).toBe('Chargehand');
      await other.reload();
      await expect.poll(() => other.title()).toContain('Chargehand');
      await other.getByRole('button', { name: t('access:login.submit'), exact: true }).waitFor();
      expect(await other.getByText(text, { exact: true }).count()).toBe(0);
      expect(await brand.locator('img').count()).toBe(0);
      expect(problems).toEqual([]);
    } finally {
      await guest.close();
    }
  },
);
