import { readFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { looker } from '../harness/axe.ts';
import { connectPiles, type Piles } from '../harness/devices.ts';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';
import { PAGES } from '../harness/routes.ts';

const chargehand = product();
let piles: Piles;

beforeAll(async () => {
  piles = await connectPiles(chargehand, { prefix: 'AXE', devices: 2, connectors: 2, meterInterval: 1 });
});

// One page of each layout, in light and dark mode. `*.full.ts` has all pages.
journey(chargehand, 'a page before sign-in has no accessibility errors', {}, async (visitor) => {
  const { look, found } = looker(visitor);
  await look('/login');
  expect(found).toEqual([]);
});

journey(chargehand, 'a page of each layout has no accessibility errors', { as: 'root' }, async (visitor) => {
  const { page, t } = visitor;
  const { look, found } = looker(visitor);
  const detail = `/manage/device/detail/${piles.devices[0]!.id}`;
  await look('/manage/home');
  await look('/manage/device/list', () => page.locator('tbody tr[data-row-key]').first().waitFor());
  await look('/manage/device/add');
  await look(`${detail}?tab=details&section=runtime`);
  await look(`${detail}?tab=operations`, async () => {
    const name = t('operations:kinds.softReset.do');
    await page.getByRole('tabpanel').getByRole('button', { name, exact: true }).click();
    await page.getByRole('dialog').getByText(name).first().waitFor();
  });
  expect(found).toEqual([]);
});

test('npm run test:full checks the accessibility of every page of the route table', () => {
  const checked = [
    ...['fleet.full', 'administration.full'],
    ...['../documents/documents.test', '../issues/issues.full'],
  ]
    .map((name) => readFileSync(new URL(`${name}.ts`, import.meta.url), 'utf8'))
    .join('\n');
  /** The path as a journey writes it: without optional parts, and with expressions for the parameters. */
  const written = (path: string) =>
    new RegExp(`['\`]${path.replace(/\/:\w+\?/g, '').replace(/:\w+/g, String.raw`\$\{[^}]+\}`)}`);
  const forgotten = PAGES.map(({ path }) => path).filter((path) => !written(path).test(checked));
  expect(forgotten).toEqual([]);
});
