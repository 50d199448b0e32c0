import {
  attachmentEndpoints,
  folderEndpoints,
  LOCALES,
  publicShareEndpoints,
  shareEndpoints,
} from '@chargehand/contract';
import { expect } from 'vitest';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';
import { pdfFile, RECORD_VIDEO } from './preview-files.ts';

const chargehand = product({}, { complete: true });

/** A picture that is wider than the page: a PNG of 4,000 by 10 pixels, drawn by the browser. */
const DRAW_PICTURE = `(() => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 4000, height: 10 });
  canvas.getContext('2d').fillRect(0, 0, 2000, 10);
  return canvas.toDataURL('image/png').split(',')[1];
})()`;

/** Stores a file in a folder, with an upload request, which needs no credentials of the object store. */
async function store(s: string, name: string, bytes: Buffer): Promise<void> {
  const { anonymous } = chargehand.server;
  const body = { s, name, size: bytes.length };
  const { id } = await anonymous.data(publicShareEndpoints.startSharedUpload, { body });
  const answer = await anonymous.fetch(`/api/unauth/share/uploads/${id}?s=${s}&offset=0`, {
    method: 'PUT',
    headers: { 'content-type': 'application/octet-stream' },
    body: new Uint8Array(bytes),
  });
  expect(await answer.json()).toMatchObject({ code: 0, data: { done: true } });
}

journey(
  chargehand,
  'a visitor sees pictures, PDF, video and text of a share on a phone, without downloading them',
  { locales: LOCALES, size: { width: 390, height: 844 } },
  async (visitor) => {
    const { page, t, locale } = visitor;
    const user = await chargehand.server.as('northAdmin');
    const name = `Previews ${locale}`;
    const { id } = await user.data(folderEndpoints.createFolder, { body: { name } });
    const request = await user.data(shareEndpoints.requestUploads, { params: { id }, body: { days: 1, code: false } });
    const made = async (script: string) => Buffer.from((await page.evaluate(script)) as string, 'base64');
    await page.goto(`/share/file?s=none`);
    const files = {
      'picture.png': await made(DRAW_PICTURE),
      'manual.pdf': pdfFile('Open the cover first'),
      'repair.mp4': await made(RECORD_VIDEO),
      '说明.txt': Buffer.from('先打开外壳。\n<b>not bold</b>\n'),
    };
    for (const [file, bytes] of Object.entries(files)) await store(request.token ?? '', file, bytes);
    const { items } = await user.data(attachmentEndpoints.listAttachments, { query: { folderId: id } });
    const NEW = { days: 1, code: false } as const;
    const folder = await user.data(shareEndpoints.shareFolder, { params: { id }, body: NEW });

    // In the list of a folder, each preview is opened below its file.
    await page.goto(`/share/file?s=${folder.token}&lang=${locale}`);
    const show = (file: string) => page.getByRole('button', { name: t('share:preview.of', { name: file }) }).click();
    const fits = async () => expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    await show('picture.png');
    const picture = page.getByRole('img', { name: 'picture.png' });
    await expect
      .poll(() => page.evaluate(`document.querySelector('img[alt="picture.png"]')?.naturalWidth`))
      .toBe(4_000);
    expect((await picture.boundingBox())?.width).toBeLessThan(390);
    await fits();

    await show('repair.mp4');
    await expect.poll(() => page.evaluate(`document.querySelector('video')?.videoWidth`)).toBe(320);
    await page.evaluate(`Object.assign(document.querySelector('video'), { muted: true }).play()`);
    await expect.poll(() => page.evaluate(`document.querySelector('video').currentTime`)).toBeGreaterThan(0);
    await fits();

    await show('说明.txt');
    await page.getByText('<b>not bold</b>').waitFor();
    await page.getByText('先打开外壳。').waitFor();
    await fits();

    await show('manual.pdf');
    await showsPdf();
    await fits();

    // The page of a single file shows its preview at once.
    for (const { id: fileId, name: file } of items) {
      const share = await user.data(shareEndpoints.shareFile, { params: { id: fileId }, body: NEW });
      await page.goto(`/share/file?s=${share.token}&lang=${locale}`);
      await page.getByRole('heading', { name: file }).waitFor();
      await page.getByRole('link', { name: t('share:download'), exact: true }).waitFor();
      if (file === 'picture.png') await picture.waitFor();
      else if (file === 'repair.mp4')
        await expect.poll(() => page.evaluate(`document.querySelector('video')?.videoWidth`)).toBe(320);
      else if (file === 'manual.pdf') await showsPdf();
      else await page.getByText('先打开外壳。').waitFor();
      await fits();
      // Looking at a file is no download.
      const { uses } = await user.data(shareEndpoints.readShare, { params: { id: share.id } });
      expect(uses).toBe(0);
    }

    async function showsPdf(): Promise<void> {
      const frame = page.locator('iframe[title="manual.pdf"]');
      await frame.waitFor();
      await expect.poll(() => page.frames().some((one) => /preview=true/.test(one.url()))).toBe(true);
    }
  },
);
