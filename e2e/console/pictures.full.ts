import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';
import type { Visitor } from '../harness/visitor.ts';

const chargehand = product();

/** One pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'image/png', buffer });
const tagOf = ({ locale }: Visitor) => (locale === 'en-US' ? 'EN' : 'ZH');

/** True when the browser has loaded an image, not only reserved its space. */
function isShown({ main }: Visitor, alt: string): Promise<boolean> {
  const picture = main.getByRole('img', { name: alt, exact: true }).first();
  return picture.evaluate((image) => (image as unknown as { naturalWidth?: number }).naturalWidth === 1);
}

/** The stored files of a customer's pictures. */
async function storedOf(customerId: number): Promise<string[]> {
  const folder = join(chargehand.server.dataFolder, 'objects/chargehand/images/customers', String(customerId));
  return (await readdir(folder)).map((name) => join(folder, name));
}

describe('the logo of a customer', () => {
  journey(
    chargehand,
    'can be cancelled, is uploaded and shown, and has a placeholder when it cannot be loaded',
    { as: 'root' },
    async (visitor) => {
      const { page, t } = visitor;
      const name = `Logo ${tagOf(visitor)}`;
      const field = visitor.main.getByRole('region', { name: t('places:logo'), exact: true });
      const input = field.locator('input[type=file]');
      await page.goto('/manage/customer/list');
      await visitor.button(t('places:customerAdd')).click();
      await visitor.main.getByRole('textbox', { name: t('places:name'), exact: true }).fill(name);
      await visitor.main.getByRole('textbox', { name: t('places:code'), exact: true }).fill(`LOGO-${tagOf(visitor)}`);
      await visitor.main.getByRole('radio', { name: t('places:form.tokenPolicy.everyone') }).click();

      const held = /\/chargehand\/images\/incoming\//;
      await page.route(held, () => undefined);
      await input.setInputFiles(file('slow.png', PIXEL));
      await visitor.sees(field.getByText('slow.png'));
      expect(
        await page
          .getByRole('dialog')
          .getByRole('button', { name: t('places:form.add') })
          .isDisabled(),
      ).toBe(true);
      await visitor.button(t('files:cancel')).click();
      await visitor.sees(t('files:cancelled'), t('files:none'));
      await page.unroute(held);

      await input.setInputFiles(file('logo.png', PIXEL));
      await visitor.sees(visitor.button(t('files:remove')));
      await expect.poll(() => isShown(visitor, t('places:logo'))).toBe(true);
      await visitor.follow(page.getByRole('dialog').getByRole('button', { name: t('places:form.add') }), {
        path: /^\/manage\/customer\/detail\/\d+$/,
        heading: name,
      });
      const alt = t('places:logoOf', { name });
      await expect.poll(() => isShown(visitor, alt)).toBe(true);

      const id = Number(new URL(page.url()).pathname.split('/').at(-1));
      const [stored = ''] = await storedOf(id);
      await rm(stored);
      visitor.expects(/403/);
      await page.reload();
      await visitor.sees(t('common:imageFailed'));
    },
  );
});

describe("the user's own picture", () => {
  journey(
    chargehand,
    'is uploaded, replaced and removed, and the header shows it immediately',
    { as: 'northAdmin' },
    async (visitor) => {
      const { page, t } = visitor;
      const { north } = chargehand.server.world.customers;
      await page.goto('/manage/my');
      const field = visitor.main.getByRole('region', { name: t('account:base.avatar'), exact: true });
      const inHeader = page.locator('.header-user img');
      await field.locator('input[type=file]').setInputFiles(file('face.png', PIXEL));
      await visitor.sees(inHeader, t('account:base.saved'));
      const [first] = await storedOf(north);
      await expect.poll(() => visitor.button(t('files:change')).isEnabled()).toBe(true);
      await field.locator('input[type=file]').setInputFiles(file('other.png', PIXEL));
      await expect.poll(async () => (await storedOf(north)).some((path) => path !== first)).toBe(true);
      await expect.poll(async () => (await storedOf(north)).length).toBe(1);
      await page.reload();
      await visitor.sees(inHeader);
      await expect.poll(() => isShown(visitor, t('account:base.avatar'))).toBe(true);
      await visitor.button(t('files:remove')).click();
      await visitor.misses(inHeader);
      await visitor.sees(t('files:none'));
    },
  );
});

describe.each([
  ['HTTP/1.1', chargehand],
  ['HTTP/2 under TLS', product({}, { tls: true })],
])('the picture of a site over %s', (_name, served) => {
  journey(
    served,
    'is uploaded in parts when it is large, and a failed part is sent again',
    { as: 'northAdmin' },
    async (visitor) => {
      const { page, t } = visitor;
      const id = served.server.world.sites.northMill;
      await page.goto(`/manage/site/update/${id}`);
      let broken = 0;
      await page.route(/partNumber=2/, async (route) => {
        broken += 1;
        await (broken === 1 ? route.abort('connectionreset') : route.continue());
      });
      visitor.expects(/ERR_CONNECTION_RESET/);
      const large = Buffer.concat([PIXEL, Buffer.alloc(9 * 1024 * 1024)]);
      const field = visitor.main.getByRole('region', { name: t('places:picture'), exact: true });
      await field.locator('input[type=file]').setInputFiles(file('mill.png', large));
      await visitor.sees(visitor.button(t('files:remove')));
      expect(broken).toBe(2);
      await visitor.follow(visitor.button(t('common:save')), {
        path: `/manage/site/detail/${id}`,
        heading: 'Site northMill',
      });
      await expect.poll(() => isShown(visitor, t('places:pictureOf', { name: 'Site northMill' }))).toBe(true);
    },
  );
});
