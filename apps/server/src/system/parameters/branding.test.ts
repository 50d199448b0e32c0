import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { type Branding, CODES, systemParameterEndpoints } from '@chargehand/contract';
import type { BrandingKey } from '@chargehand/domain';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { brandedPage } from '../../platform/http/console/console-page.ts';
import type { Client } from '../../testing/client.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';

const { listSystemParameters, setSystemParameter, listSystemParameterChanges } = systemParameterEndpoints;
const { undoSystemParameterChange, readBranding } = systemParameterEndpoints;

let server: TestServer;
let root: Client;
beforeAll(async () => {
  server = await startTestServer({ captcha: false });
  root = await server.as('root');
});
afterAll(() => server.stop());

const DEFAULTS: Branding = {
  ...{ nameEn: 'Chargehand', nameZh: 'Chargehand', logo: '', color: '', signInTextEn: '', signInTextZh: '' },
  passwordLength: 8,
};
const read = () => server.anonymous.data(readBranding);
const of = async (key: BrandingKey) =>
  (await root.data(listSystemParameters, {})).items.find((item) => item.key === key)!;
const set = async (key: BrandingKey, value: string | number | null, as = root) =>
  await as.call(setSystemParameter, { params: { key }, body: { value, revision: (await of(key)).revision } });
const undoLast = async () => {
  const [last] = (await root.data(listSystemParameterChanges, { query: {} })).items;
  return await root.call(undoSystemParameterChange, { params: { id: last!.id } });
};

/** The head of a PNG of a size; no browser has to draw it. */
function png(width: number, height: number, length = 60): string {
  const bytes = Buffer.alloc(length);
  bytes.write('\x89PNG\r\n\x1a\n', 0, 'latin1');
  bytes.write('IHDR', 12, 'latin1');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return `data:image/png;base64,${bytes.toString('base64')}`;
}

test('without a change, it is that of the product', async () => {
  expect(await read()).toEqual(DEFAULTS);
});

test('everybody reads a change at once, and it can be undone', async () => {
  expect((await set('productNameEn', ' North Charging ')).data).toMatchObject({
    ...{ value: 'North Charging', base: 'Chargehand', changed: true, changedBy: 'root_user' },
  });
  await set('productNameZh', '北方充电');
  await set('primaryColor', '#1D5FD0');
  await set('signInTextEn', '"Call" & ask for <b>Ada</b>');
  expect(await read()).toEqual({
    ...{ ...DEFAULTS, nameEn: 'North Charging', nameZh: '北方充电', color: '#1d5fd0' },
    signInTextEn: '"Call" & ask for <b>Ada</b>',
  });
  expect((await undoLast()).code).toBe(0);
  expect((await read()).signInTextEn).toBe('');
  await set('productNameEn', 'Second name');
  expect((await undoLast()).data).toMatchObject({ value: 'North Charging' });
  for (const key of ['productNameEn', 'productNameZh', 'primaryColor'] as const) await set(key, null);
  expect(await read()).toEqual(DEFAULTS);
});

test('a logo is checked by its content, served to everybody, and still there when a change is undone', async () => {
  await set('productLogo', png(64, 64));
  const { logo } = await read();
  const answer = await fetch(server.url + logo);
  expect(answer.headers.get('content-type')).toBe('image/png');
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  expect(answer.headers.get('cache-control')).toContain('immutable');
  expect(Buffer.from(await answer.arrayBuffer()).toString('base64')).toBe(png(64, 64).split(',')[1]);
  await set('productLogo', png(32, 32));
  expect((await read()).logo).not.toBe(logo);
  await undoLast();
  expect((await read()).logo).toBe(logo);
  expect((await fetch(server.url + logo)).status).toBe(200);
  await set('productLogo', null);
  for (const name of ['x.png', `${'0'.repeat(64)}.png`, '..%2f..%2fsecret']) {
    const other = await fetch(`${server.url}/api/unauth/branding/logo/${name}`);
    expect(await other.json(), name).toMatchObject({ code: CODES.notFound.code });
  }
});

/** Makes all stored objects look as if they had been stored some hours ago. */
async function age(hours: number): Promise<void> {
  const at = new Date(Date.now() - hours * 3_600_000);
  const files = await readdir(join(server.dataFolder, 'objects'), { recursive: true, withFileTypes: true });
  for (const file of files) if (file.isFile()) await utimes(join(file.parentPath, file.name), at, at);
  await server.database.pool.query('update stored_objects set modified_at = $1', [at]);
}

test('a logo that no change has is removed after a day; one that an undo needs stays', async () => {
  await set('productLogo', png(100, 100));
  const { logo: former } = await read();
  await set('productLogo', png(101, 101));
  const { logo: current } = await read();
  await set('productLogo', png(102, 102));
  const { logo: unused } = await read();
  await undoLast();
  // As after a change that failed when its logo was stored already.
  await server.database.pool.query(
    `with lost as (select id from system_parameter_changes where after = to_jsonb($1::text))
     delete from system_parameter_changes where id in (select id from lost) or undoes in (select id from lost)`,
    [unused.slice(unused.lastIndexOf('/') + 1)],
  );
  const codes = async () => {
    await server.sweep();
    const answers = await Promise.all([former, current, unused].map((path) => fetch(server.url + path)));
    return answers.map((answer) => answer.headers.get('content-type')?.split(';')[0]);
  };
  const [image, gone] = ['image/png', 'application/json'];
  await age(23);
  expect(await codes()).toEqual([image, image, image]);
  await age(25);
  expect(await codes()).toEqual([image, image, gone]);
  expect((await undoLast()).code).toBe(0);
  expect((await read()).logo).toBe(former);
  expect(await codes()).toEqual([image, image, gone]);
  await set('productLogo', null);
});

describe('refused', () => {
  test.each<[BrandingKey, string | number, keyof typeof CODES]>([
    ['productNameEn', 'x'.repeat(41), 'brandingText'],
    ['productNameEn', '   ', 'brandingText'],
    ['signInTextZh', '字'.repeat(301), 'brandingText'],
    ['productNameEn', 'a\u200bb', 'brandingCharacters'],
    ['productNameEn', 'a\u202eb', 'brandingCharacters'],
    ['signInTextEn', 'a\u2067b', 'brandingCharacters'],
    ['signInTextEn', 'a\u2028b', 'brandingCharacters'],
    ['primaryColor', 'red;} body{display:none}', 'brandingColor'],
    ['primaryColor', 5, 'brandingColor'],
    ['primaryColor', '#ffd21f', 'brandingContrast'],
    ['productLogo', png(1_025, 64), 'brandingLogo'],
    ['productLogo', png(64, 64, 65_537), 'brandingLogo'],
    ['productLogo', 'data:image/svg+xml;base64,PHN2Zy8+', 'brandingLogo'],
    ['productLogo', `data:image/png;base64,${Buffer.from('<svg onload="x"/>').toString('base64')}`, 'brandingLogo'],
    ['productLogo', `${'a'.repeat(64)}.png`, 'brandingLogo'],
    ['productLogo', 'https://example.org/logo.png', 'brandingLogo'],
  ])('%s: %j', async (key, value, code) => {
    const answer = await set(key, value);
    // Characters that no field may have are refused before.
    const codes = [CODES[code].code, ...(code === 'brandingCharacters' ? [CODES.fieldCharacters.code] : [])];
    expect(codes).toContain(answer.code);
    expect(answer.field).toBe('value');
    expect(await read()).toEqual(DEFAULTS);
  });

  test('a number of another parameter as a text', async () => {
    const body = { value: '30', revision: 0 };
    const answer = await root.call(setSystemParameter, { params: { key: 'sessionMinutes' }, body });
    expect(answer).toMatchObject({ code: CODES.parameterRange.code, field: 'value' });
  });

  test('changes by others', async () => {
    for (const person of ['vendorStaff', 'northAdmin'] as const) {
      expect((await set('productNameEn', 'Mine', await server.as(person))).code, person).not.toBe(0);
    }
    expect(await read()).toEqual(DEFAULTS);
  });
});

describe('the page of the console', () => {
  const HTML = '<head><title>Chargehand</title><link rel="icon" href="data:x" /></head><body></body>';
  test('has the default name, icon and colors without branding', () => {
    const page = brandedPage(HTML, DEFAULTS, 'en-US');
    expect(page).toContain('<title>Chargehand</title><link rel="icon" href="data:x" />');
    expect(page).not.toContain('<style');
  });

  test('has the branding in the language of the user', () => {
    const branding = { ...DEFAULTS, nameEn: 'North', nameZh: '北方', logo: '/logo.png', color: '#1d5fd0' };
    expect(brandedPage(HTML, branding, 'en-US')).toContain('<title>North</title>');
    const page = brandedPage(HTML, branding, 'zh-CN');
    expect(page).toContain('<title>北方</title><link rel="icon" href="/logo.png" />');
    expect(page).toContain('--primary:light-dark(#1d5fd0,');
  });

  test.each([
    '</script><script>alert(1)</script>',
    '</title><script>alert(1)</script>',
    '<!--<script>',
    '"\'&amp;$&$1`',
    'a\u2028b\u2029c',
    'x'.repeat(5_000),
  ])('contains nothing that runs: %j', (text) => {
    const branding = { ...DEFAULTS, nameEn: text, signInTextEn: text };
    const page = brandedPage(HTML, branding, 'en-US');
    // No element is added or ended.
    expect(page.match(/<[a-z/!]+/g)).toEqual([
      ...['<head', '<title', '</title', '<link', '<script', '</script', '</head', '<body', '</body'],
    ]);
    const data = /<script type="application\/json" id="branding">(.*)<\/script>/s.exec(page)?.[1] ?? '';
    expect(data).not.toMatch(/[\u2028\u2029]/);
    expect(JSON.parse(data)).toEqual(branding);
  });
});
