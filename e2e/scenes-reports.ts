import { randomBytes } from 'node:crypto';
import { ENDPOINTS } from '@chargehand/contract';
import type { Page } from 'playwright-core';
import { reportTokens } from '../apps/server/src/issues/index.ts';
import { tokenHash } from '../apps/server/src/platform/token-hash.ts';
import { linkBox } from '../apps/server/src/testing/cases/ground.ts';
import type { Client } from '../apps/server/src/testing/client.ts';
import type { DemoWorld } from './demo-world.ts';
import type { Words } from './harness/words.ts';
import type { Scene } from './scene.ts';

interface Ground {
  world: DemoWorld;
  person: Client;
  picture(width: number, height: number): Buffer;
}

/** Reports of people without an account: what they see, and what users see of them. */
export async function reportScenes({ world, person, picture }: Ground): Promise<Scene[]> {
  const one = async <T extends object>(query: string, values: unknown[] = []) =>
    (await world.database.pool.query<T>(query, values)).rows[0]!;
  const device = await one<{ id: number; site_id: number; name: string; site: string }>(
    `select d.id::int, d.site_id::int, d.name, s.name as site from devices d join sites s on s.id = d.site_id where d.sn = 'SIM00003'`,
  );
  const { db } = world.database;
  const box = await linkBox(db);
  const tokenOf = async (of: 'device_id' | 'site_id', id: number) => (await reportTokens(db, box, of, [id])).get(id)!;
  const deviceToken = await tokenOf('device_id', device.id);
  const siteToken = await tokenOf('site_id', device.site_id);
  const { id } = await person.data(ENDPOINTS.createDeviceIssue, {
    params: { id: device.id },
    body: { title: 'The connector does not lock 枪头无法锁止', type: 3 },
  });
  const follow = randomBytes(24).toString('base64url');
  await world.database.pool.query(
    `insert into issue_reports (issue_id, request_key, device_id, site_id, site_name, device_name, connector, type,
                                description, locale, contact, had_contact, notify, joined, sealed_follow_token,
                                follow_token_hash)
     values ($1, gen_random_uuid(), $2, $3, $4, $5, 2, 3, $6, 'en-US', 'reporter@example.org', true, true, false, $7, $8)`,
    [
      ...[id, device.id, device.site_id, device.site, device.name],
      ...['The connector does not lock.\n枪头无法锁止，插上就掉。', box.close(follow), tokenHash(follow)],
    ],
  );
  await person.data(ENDPOINTS.startIssue, { params: { id }, body: {} });
  const text = 'Thank you. A technician is on the way and will be there at three. 技术人员预计三点到达。';
  await person.data(ENDPOINTS.commentIssue, {
    params: { id },
    body: { body: { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text }] }] } },
  });

  const guest = (name: string, path: string, act?: Scene['act']): Scene => ({
    ...{ name, path, signedIn: false },
    ...(act && { act }),
  });
  const user = (name: string, path: string, act?: Scene['act']): Scene => ({
    ...{ name, path, signedIn: true },
    ...(act && { act }),
  });
  const label = `/share/issue?s=${deviceToken}&c=2`;
  const photos = [1, 2, 3].map((n) => ({ name: `${n}.png`, mimeType: 'image/png', buffer: picture(800, 600) }));
  /** Fills in the form with three photos. */
  const filled = async (page: Page, t: Words) => {
    await page.getByText(device.name).waitFor();
    await page.getByRole('radio', { name: t('report:types.1') }).check();
    await page.locator('input[type=file][multiple]').setInputFiles(photos);
    await page.getByRole('img', { name: t('report:photos.photo', { number: 3 }) }).waitFor();
  };
  const send = (page: Page, t: Words) => page.getByRole('button', { name: t('report:send') }).click();
  const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor();
  const dialog = (page: Page) => page.getByRole('dialog').last().waitFor();
  return [
    guest('report-label', label, (page) => page.getByText(device.name).waitFor()),
    guest('report-site', `/share/issue?s=${siteToken}`, (page) => page.getByText(device.site).first().waitFor()),
    guest('report-blank', '/share/issue'),
    guest('report-unknown-link', '/share/issue?s=gone', (page) => page.getByRole('alert').waitFor()),
    guest('report-incomplete', '/share/issue', async (page, t) => {
      await page.getByLabel(t('report:where.sn')).fill('SIM00003');
      await send(page, t);
      await page.getByRole('alert').waitFor();
    }),
    guest('report-filled', label, filled),
    guest('report-offline', label, async (page, t) => {
      await filled(page, t);
      await page.route('**/api/**', (route) => route.abort());
      await send(page, t);
      await heading(page, t('report:sending.waiting.title'));
    }),
    guest('report-refused', label, async (page, t) => {
      await filled(page, t);
      const message = t('report:contact.wrong');
      await page.route(`**${ENDPOINTS.sendReport.path}`, (route) => route.fulfill({ json: { code: 11426, message } }));
      await send(page, t);
      await heading(page, t('report:sending.refused'));
    }),
    guest('report-sent', label, async (page, t) => {
      await filled(page, t);
      await send(page, t);
      await heading(page, t('report:sending.done.title'));
    }),
    guest('report-followed', `/share/issue?f=${follow}`),
    guest('report-follow-unknown', '/share/issue?f=guess'),
    user('report-link-of-site', `/manage/site/detail/${device.site_id}`, async (page, t) => {
      await page.getByRole('button', { name: t('places:more', { name: device.site }) }).click();
      await page.getByRole('menuitem', { name: t('places:reportLink.open'), exact: true }).click();
      await dialog(page);
      await page.getByRole('dialog').locator('svg').first().waitFor();
    }),
    user('report-of-issue', `/manage/issue/detail/${id}`),
  ];
}
