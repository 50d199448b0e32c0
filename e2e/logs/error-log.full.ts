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

journey(
  chargehand,
  'an error of a page that was closed without network is reported once by a later page, also with several open',
  { as: 'root' },
  async (visitor) => {
    const { page, context } = visitor;
    visitor.expects(/thrown before the end|ERR_INTERNET_DISCONNECTED/);
    const isReport = (one: { url(): string }) => one.url().endsWith('/api/unauth/errors');
    await page.goto('/manage/welcome');
    const closing = await context.newPage();
    const loaded = closing.waitForResponse(/\/error-reports-.*\.js$/);
    await closing.goto('/manage/welcome');
    await (await loaded).finished();
    await context.setOffline(true);
    await closing.evaluate(`setTimeout(() => { throw new EvalError('thrown before the end, token=abc') })`);
    const kept = () =>
      page.evaluate(`Object.entries(localStorage).filter(([key]) => key.startsWith('chargehand.unsentError.'))`);
    // With its handlers of the end, which keep the error if the page did not try to send it.
    await closing.close({ runBeforeUnload: true });
    await expect
      .poll(kept)
      .toEqual([[expect.any(String), expect.stringContaining('thrown before the end, token=***')]]);
    await context.setOffline(false);
    const sent: string[] = [];
    context.on('request', (request) => isReport(request) && sent.push(request.postData() ?? ''));
    const later = await Promise.all([context.newPage(), context.newPage()]);
    await Promise.all(later.map((one) => one.goto('/manage/welcome')));
    const { pool } = chargehand.server.database;
    const stored = `select o.user_name, g.count::int from error_groups g join error_occurrences o on o.group_id = g.id
                     where g.name = 'EvalError'`;
    await expect
      .poll(async () => (await pool.query(stored)).rows, { timeout: 60_000 })
      .toEqual([{ user_name: 'root_user', count: 1 }]);
    await expect.poll(kept).toEqual([]);
    expect(sent).toHaveLength(1);
  },
);
