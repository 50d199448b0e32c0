import { expect } from 'vitest';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';

const chargehand = product();

journey(
  chargehand,
  'an error of a page is in the error log, found by the id on the error page',
  { as: 'root' },
  async (visitor) => {
    const { page, t } = visitor;
    visitor.expects(/broken on purpose/);
    await page.goto('/manage/welcome');
    await page.route('**/assets/mail-list-page-*.js', (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        body: `export default function Broken() { throw new TypeError('broken on purpose, token=abc'); }`,
      }),
    );
    const reported = page.waitForResponse((response) => response.url().endsWith('/api/unauth/errors'));
    await page.goto('/manage/system/mails');
    await visitor.sees(visitor.heading(t('common:error.systemTitle')));
    const detail = page.locator('.message-page pre');
    await expect.poll(() => detail.textContent()).toMatch(/\nID [0-9a-f]{8}$/);
    const id = (await detail.textContent())!.slice(-8);
    expect((await reported).status()).toBe(200);
    const { pool } = chargehand.server.database;
    await expect
      .poll(async () => (await pool.query(`select from error_groups where name = 'TypeError'`)).rowCount, {
        timeout: 30_000,
      })
      .toBe(1);
    await page.goto(`/manage/logs/error?search=${id}`);
    await visitor.button(t('errors:open', { name: 'TypeError: broken on purpose, token=***' })).click();
    await visitor.sees(visitor.heading(t('errors:occurrences')), t('errors:states.new'));
    await visitor.button(t('errors:do.solved')).click();
    await visitor.sees(t('errors:changed', { state: t('errors:states.solved') }));
  },
);

journey(
  chargehand,
  'an error of a page without network is reported when the network is back, with its time',
  { as: 'root' },
  async (visitor) => {
    const { page, context } = visitor;
    visitor.expects(/thrown offline|ERR_INTERNET_DISCONNECTED/);
    const isReport = (one: { url(): string }) => one.url().endsWith('/api/unauth/errors');
    const loaded = page.waitForResponse(/\/error-reports-.*\.js$/);
    await page.goto('/manage/welcome');
    await (await loaded).finished();
    await context.setOffline(true);
    const failed = page.waitForEvent('requestfailed', isReport);
    await page.evaluate(`setTimeout(() => { throw new RangeError('thrown offline') })`);
    await failed;
    const reported = page.waitForResponse(isReport);
    await context.setOffline(false);
    const answer = await reported;
    expect(answer.status()).toBe(200);
    expect(answer.request().postDataJSON().reports).toMatchObject([{ message: 'thrown offline', count: 1 }]);
    const { pool } = chargehand.server.database;
    const stored = `select from error_groups where name = 'RangeError' and message = 'thrown offline'`;
    await expect.poll(async () => (await pool.query(stored)).rowCount, { timeout: 30_000 }).toBe(1);
  },
);
