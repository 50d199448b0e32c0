import { expect } from 'vitest';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';

const chargehand = product();

const FACES = `[...document.fonts].map(({ family, status }) => family.replaceAll('"', '') + ' ' + status).join()`;

journey(
  chargehand,
  'the font is downloaded after the first page, and used from the next visit on',
  { as: 'root' },
  async (visitor) => {
    const { page, t } = visitor;
    const fonts: string[] = [];
    page.on('requestfinished', (request) => {
      if (request.url().endsWith('.woff2')) fonts.push(request.url());
    });
    await page.clock.install();
    await page.goto('/manage/welcome');
    await visitor.sees(t('common:live.on'));
    await page.waitForLoadState('networkidle');
    expect(fonts).toEqual([]);
    expect(await page.evaluate(FACES)).toBe('');
    await page.clock.fastForward(20_000);
    await expect.poll(() => fonts.length).toBe(1);
    await expect
      .poll(() => page.evaluate(`localStorage.getItem('chargehand.font')`))
      .toMatch(/^\/assets\/inter-.*woff2$/);

    await page.reload();
    await visitor.sees(t('common:live.on'));
    await expect.poll(() => page.evaluate(FACES)).toBe('Inter Variable loaded,Inter Variable loaded');
    // Digits have one width, and hyphens have their own.
    const [one, eight, hyphen] = (await page.evaluate(`['1', '8', '-'].map((text) => {
      const element = Object.assign(document.createElement('span'), { textContent: text.repeat(10) });
      document.body.append(element);
      const { width } = element.getBoundingClientRect();
      element.remove();
      return width;
    })`)) as number[];
    expect(one).toBe(eight);
    expect(hyphen! / one!).toBeLessThan(0.9);
    expect(await page.evaluate('getComputedStyle(document.body).fontFamily')).toMatch(/^"Inter Variable"/);
    await page.clock.fastForward(20_000);
    await page.waitForLoadState('networkidle');
    expect(
      await page.evaluate(
        `performance.getEntriesByType('resource').filter(({ name, transferSize }) => name.endsWith('.woff2') && transferSize > 0).length`,
      ),
    ).toBe(0);
  },
);
