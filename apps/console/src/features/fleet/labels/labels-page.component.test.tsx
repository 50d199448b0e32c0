import { decodeQR } from 'qr/decode.js';
import { expect, test } from 'vitest';
import { cdp, page } from 'vitest/browser';
import { sees } from '../../../testing/on-screen.ts';
import { sampleRow } from '../../../testing/sample.ts';
import { atEnd } from '../../../testing/show.tsx';
import { showConsole } from '../../../testing/show-console.tsx';

/** The text of a label's QR code, drawn on white like printed paper and decoded. */
async function scanned(label: Element): Promise<string> {
  const image = new Image();
  const drawing = new XMLSerializer().serializeToString(label.querySelector('svg')!);
  image.src = `data:image/svg+xml,${encodeURIComponent(drawing)}`;
  await image.decode();
  const canvas = document.createElement('canvas');
  canvas.width = 400;
  canvas.height = 400;
  const paper = canvas.getContext('2d')!;
  paper.fillStyle = '#fff';
  paper.fillRect(0, 0, 400, 400);
  paper.drawImage(image, 40, 40, 320, 320);
  return decodeQR({ width: 400, height: 400, data: paper.getImageData(0, 0, 400, 400).data });
}

test.each([null, 'https://console.example.org'])(
  'a label names its device, and its QR code opens its report link or the device page, at %s',
  async (consoleUrl) => {
    const label = (id: number) =>
      sampleRow('listDeviceLabels', {
        ...{ id, sn: `LBL-${id}`, name: `Pile ${id}`, siteName: 'North quay', reportToken: `link-${id}` },
      });
    const { t, server } = await showConsole('/manage/device/labels?ids=1,2,3', {
      answers: { listDeviceLabels: { items: [1, 2, 3].map(label), consoleUrl } },
    });
    await sees(page.getByRole('img', { name: t('devices:label.code', { name: 'Pile 2' }) }));
    expect(server.sent('listDeviceLabels')[0]?.query).toEqual({ ids: '1,2,3' });
    const labels = [...document.querySelectorAll('.label')];
    expect(labels).toHaveLength(3);
    for (const text of ['LBL-2', 'Pile 2', 'North quay']) expect(labels[1]?.textContent).toContain(text);
    const base = consoleUrl ?? location.origin;
    expect(await scanned(labels[1]!)).toBe(`${base}/share/issue?s=link-2`);
    await page.getByRole('combobox', { name: t('devices:label.target') }).click();
    await page.getByTitle(t('devices:label.targets.device')).click();
    await expect.poll(() => scanned(document.querySelectorAll('.label')[1]!)).toBe(`${base}/manage/device/detail/2`);
    localStorage.removeItem('chargehand.labels.target');
  },
);

test('each connector of a device can have a label, whose report names it', async () => {
  const label = (id: number, connectors: number[], protocol: string) =>
    sampleRow('listDeviceLabels', {
      ...{ id, sn: `LBL-${id}`, name: `Pile ${id}`, siteName: 'North quay', reportToken: `link-${id}` },
      ...{ connectors, protocol },
    });
  const items = [label(1, [1, 2], 'ocpp1.6'), label(2, [], 'mqtt-json'), label(3, [1, 257], 'ocpp2.0.1')];
  const { t } = await showConsole('/manage/device/labels?ids=1,2,3', {
    answers: { listDeviceLabels: { items, consoleUrl: 'https://console.example.org' } },
  });
  atEnd(() => localStorage.removeItem('chargehand.labels.target'));
  await sees(page.getByText(t('devices:label.note', { count: 3 })));
  await page.getByRole('combobox', { name: t('devices:label.target') }).click();
  await page.getByTitle(t('devices:label.targets.connector')).click();
  await sees(page.getByText(t('devices:label.note', { count: 5 })));
  const second = t('common:connectorName.alone.number', { number: 2 });
  await sees(page.getByRole('img', { name: t('devices:label.code', { name: `Pile 1 · ${second}` }) }));
  const labels = [...document.querySelectorAll('.label')];
  expect(await Promise.all(labels.map(scanned))).toEqual([
    'https://console.example.org/share/issue?s=link-1&c=1',
    'https://console.example.org/share/issue?s=link-1&c=2',
    'https://console.example.org/share/issue?s=link-2',
    'https://console.example.org/share/issue?s=link-3&e=1&c=1',
    'https://console.example.org/share/issue?s=link-3&e=1&c=2',
  ]);
  for (const connector of [1, 2]) {
    const name = t('common:connectorName.alone.evse', { evse: 1, connector });
    expect(labels[2 + connector]?.textContent).toContain(name);
  }
});

test('only the labels are printed', async () => {
  const label = sampleRow('listDeviceLabels', { id: 1, sn: 'LBL-1', name: 'Pile 1', siteName: 'North quay' });
  const { t } = await showConsole('/manage/device/labels?ids=1', {
    answers: { listDeviceLabels: { items: [label], consoleUrl: null } },
  });
  await sees(page.getByRole('img', { name: t('devices:label.code', { name: 'Pile 1' }) }));
  const seen = (selector: string) => document.querySelector(selector)?.checkVisibility();
  expect(['h1', '.header', '.label'].map(seen)).toEqual([true, true, true]);
  const browser = cdp() as unknown as { send(method: string, params: object): Promise<void> };
  atEnd(() => void browser.send('Emulation.setEmulatedMedia', { media: '' }));
  await browser.send('Emulation.setEmulatedMedia', { media: 'print' });
  await expect.poll(() => ['h1', '.header', '.label'].map(seen)).toEqual([false, false, true]);
});
