import type { Locale } from '@chargehand/contract';
import { beforeEach, describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { LANGUAGES } from '../../../testing/languages.ts';
import { sees } from '../../../testing/on-screen.ts';
import { sample } from '../../../testing/sample.ts';
import { type Options, type Stage, show } from '../../../testing/show.tsx';
import { HttpFailure, Refused } from '../../../testing/stub-server.ts';
import { prepare } from './photos.ts';
import { dropDraft, forgetReport, listReports, readDraft } from './queue.ts';
import { ReportPage } from './report-page.tsx';

const LINK = '/share/issue?s=label-1';
const place = { siteName: 'North quay', deviceName: 'Pile 3' };
const captcha = sample('captcha', { captchaId: 'one', required: false, challenge: null });
const upload = (received: number, done: boolean) =>
  sample('startReportUpload', { received, done, partBytes: 8_000_000 });
const open = (answers: Options['answers'] = {}, path = LINK, locale: Locale = 'en-US') =>
  show(<ReportPage solve={() => Promise.resolve('solved')} />, {
    ...{ path, locale, user: null, size: [390, 844] },
    answers: { openReport: place, captcha, sendReport: { follow: 'secret' }, ...answers },
  });

/** A picture as a file of a camera. */
async function picture(width: number, height: number, type = 'image/jpeg'): Promise<Blob> {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d')!;
  context.fillStyle = '#c40';
  context.fillRect(0, 0, width, height);
  return await canvas.convertToBlob({ type });
}

/** A JPEG that a phone took upright: rotated by its EXIF data, which names the phone. */
async function turned(width: number, height: number): Promise<File> {
  const jpeg = new Uint8Array(await (await picture(width, height)).arrayBuffer());
  const words = new TextEncoder().encode('Exif\0\0');
  const tiff = [0x4d, 0x4d, 0, 42, 0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0, 0, 0, 0, 0];
  const body = [...words, ...tiff, ...new TextEncoder().encode('Secret place')];
  const length = body.length + 2;
  const segment = [0xff, 0xe1, length >> 8, length & 255, ...body];
  return new File([jpeg.slice(0, 2), new Uint8Array(segment), jpeg.slice(2)], 'IMG_1.jpg', { type: 'image/jpeg' });
}

/** Chooses files, as from the gallery of the phone. */
function choose(...files: File[]) {
  const input = document.querySelector<HTMLInputElement>('input[type=file][multiple]')!;
  const transfer = new DataTransfer();
  for (const file of files) transfer.items.add(file);
  input.files = transfer.files;
  input.dispatchEvent(new Event('change', { bubbles: true }));
}
const photo = async (name: string) => new File([await picture(40, 30)], name, { type: 'image/jpeg' });
const shot = (t: Stage['t'], number: number) => page.getByRole('img', { name: t('report:photos.photo', { number }) });
const choice = (t: Stage['t'], type: number) => page.getByRole('radio', { name: t(`report:types.${type}`) });

beforeEach(async () => {
  for (const { key } of await listReports()) await forgetReport(key);
  for (const key of ['', 'label-1']) await dropDraft(key);
});

describe('photos', () => {
  test('are upright, small, and without what the camera wrote into them', async () => {
    const file = await turned(3_000, 2_000);
    expect(new TextDecoder('latin1').decode(await file.arrayBuffer())).toContain('Secret place');
    const { blob, name } = await prepare(file, 1);
    expect(name).toBe('photo-1.jpg');
    const { width, height } = await createImageBitmap(blob);
    expect([width, height]).toEqual([1067, 1600]);
    expect(new TextDecoder('latin1').decode(await blob.arrayBuffer())).not.toMatch(/Exif|Secret/);
  });

  test.each(LANGUAGES)(
    'may be a video, which loses its location or is said to be sent as it is (%s)',
    async (locale) => {
      const box = (type: string, ...parts: BlobPart[]) => {
        const size = new Blob(parts).size + 8;
        return new Blob([new Uint8Array([0, 0, size >> 8, size & 255]), type, ...parts]);
      };
      const place = '+48.2082+016.3738/';
      const parts = [box('ftyp', 'qt  '), box('mdat', 'frames'), box('moov', box('mvhd'), box('udta', place))];
      const { t } = await open({}, `${LINK}&lang=${locale}`, locale);
      await sees(page.getByText('Pile 3'), page.getByText(t('report:photos.hint')));
      choose(new File(parts, 'IMG_3.MOV', { type: 'video/quicktime' }));
      const video = () => document.querySelector('video')?.src ?? '';
      await expect.poll(video).toMatch(/^blob:/);
      const sent = await (await fetch(video())).text();
      expect(sent).toContain('frames');
      expect(sent).not.toContain(place);
      await sees(page.getByText(t('report:photos.hint')));
      await page.getByRole('button', { name: t('report:photos.remove', { number: 1 }) }).click();
      await expect.poll(video).toBe('');

      choose(new File([parts[0]!, place], 'IMG_4.MOV', { type: 'video/quicktime' }));
      await sees(page.getByText(t('report:photos.unchanged')));
      await expect.poll(video).toMatch(/^blob:/);
      expect(await (await fetch(video())).text()).toContain(place);
    },
  );

  test('that cannot be read or are too many are refused by name, and the others stay', async () => {
    const { t } = await open();
    await sees(page.getByText('Pile 3'));
    choose(await photo('a.jpg'), new File(['<html>'], 'IMG_2.heic', { type: 'image/heic' }));
    await sees(page.getByRole('alert').filter({ hasText: t('report:photos.unreadable', { name: 'IMG_2.heic' }) }));
    choose(...(await Promise.all(['b', 'c', 'd', 'e', 'f'].map((name) => photo(`${name}.jpg`)))));
    await sees(page.getByRole('alert').filter({ hasText: t('report:photos.tooMany', { count: 5 }) }));
    await sees(shot(t, 5));
    await expect.element(shot(t, 6)).not.toBeInTheDocument();
    await page.getByRole('button', { name: t('report:photos.remove', { number: 5 }) }).click();
    await expect.element(shot(t, 5)).not.toBeInTheDocument();
    await expect.element(page.getByRole('alert')).not.toBeInTheDocument();
  });
});

describe('the form', () => {
  test('asks for what is missing where it is missing', async () => {
    const { t, button, field, server } = await open({}, '/share/issue');
    await button('report:send').click();
    await sees(page.getByRole('alert').filter({ hasText: t('report:where.missing') }));
    await field('report:where.sn').fill('AB-1');
    await button('report:send').click();
    await sees(page.getByRole('alert').filter({ hasText: t('report:types.missing') }));
    await choice(t, 3).click();
    await page.getByRole('textbox', { name: t('report:contact.label') }).fill('someone');
    await button('report:send').click();
    await sees(page.getByRole('alert').filter({ hasText: t('report:contact.wrong') }));
    await page.getByRole('textbox', { name: t('report:contact.label') }).fill('someone@example.org');
    await button('report:send').click();
    await sees(page.getByRole('heading', { name: t('report:sending.done.title') }));
    expect(server.sent('sendReport')[0]?.body).toMatchObject({
      ...{ sn: 'AB-1', type: 3, problem: t('report:types.3'), contact: 'someone@example.org', notify: true },
    });
  });

  test('of an unknown link says so and asks for the place', async () => {
    const { field } = await open({
      openReport: () => {
        throw new Refused('reportLinkUnknown');
      },
    });
    await sees(page.getByRole('alert'), field('report:where.place'));
  });

  test('keeps what was entered when the phone closes the page', async () => {
    const first = await open();
    await choice(first.t, 2).click();
    await page.getByRole('textbox', { name: first.t('report:problem') }).fill('Dark screen');
    choose(await photo('a.jpg'));
    await sees(shot(first.t, 1));
    document.dispatchEvent(new Event('visibilitychange'));
    const { t, button } = await open();
    await sees(page.getByText(t('report:restored')).last());
    await expect.element(page.getByRole('textbox', { name: t('report:problem') }).last()).toHaveValue('Dark screen');
    await sees(shot(t, 1).last());
    await button('report:startOver').click();
    await expect.element(page.getByText(t('report:restored'))).not.toBeInTheDocument();
  });
});

describe('sending', () => {
  test('waits for a connection, says what is wrong, and continues on the next visit with the same key', async () => {
    const { t, button, server } = await open();
    await sees(page.getByText('Pile 3'));
    await choice(t, 1).click();
    server.away = true;
    await button('report:send').click();
    await sees(
      page.getByRole('heading', { name: t('report:sending.waiting.title') }),
      page.getByText(t('report:sending.stored')),
    );
    const [kept] = await listReports();
    expect(kept).toMatchObject({ s: 'label-1', type: 1, follow: null });

    // Another one can be written meanwhile, and says that the first waits.
    await button('report:sending.new').click();
    await sees(page.getByText(t('report:unsent', { count: 1 })));
    server.away = false;
    await button('report:sendNow').click();
    await sees(page.getByRole('heading', { name: t('report:sending.done.title') }));
    expect(server.sent('sendReport').map(({ body }) => (body as { requestKey: string }).requestKey)).toEqual([
      kept?.key,
    ]);
  });

  test('of a busy server shows its answer', async () => {
    let calls = 0;
    const { t, button, server } = await open({
      sendReport: () => {
        calls += 1;
        if (calls === 1) throw new HttpFailure(503);
        return { follow: 'secret' };
      },
    });
    await choice(t, 1).click();
    await button('report:send').click();
    await sees(page.getByRole('heading', { name: t('report:sending.waiting.title') }));
    dispatchEvent(new Event('online'));
    await sees(page.getByRole('heading', { name: t('report:sending.done.title') }));
    const keys = server.sent('sendReport').map(({ body }) => (body as { requestKey: string }).requestKey);
    expect(keys).toHaveLength(2);
    expect(keys[0]).toBe(keys[1]);
  });

  test('of a refused report can be changed, and keeps its photos', async () => {
    let refuse = true;
    const { t, button, server } = await open({
      sendReport: () => {
        if (refuse) throw new Refused('reportContact', {}, 'contact');
        return { follow: 'secret' };
      },
      startReportUpload: upload(0, true),
    });
    await choice(t, 1).click();
    choose(await photo('a.jpg'));
    await sees(shot(t, 1));
    await button('report:send').click();
    await sees(page.getByRole('heading', { name: t('report:sending.refused') }));
    await button('report:sending.change').click();
    await sees(shot(t, 1));
    await expect.element(choice(t, 1)).toBeChecked();
    expect(await readDraft('label-1')).toMatchObject({ type: 1, files: [{ name: 'photo-1.jpg' }] });

    // Drafts have no videos: the refused report is kept until the changed one is submitted.
    await page.getByRole('button', { name: t('report:photos.remove', { number: 1 }) }).click();
    choose(new File(['frames'], 'IMG_3.MOV', { type: 'video/quicktime' }));
    await expect.poll(() => document.querySelector('video')?.src ?? '').toMatch(/^blob:/);
    await button('report:send').click();
    await sees(page.getByRole('heading', { name: t('report:sending.refused') }));
    await button('report:sending.change').click();
    await expect.poll(() => document.querySelector('video')?.src ?? '').toMatch(/^blob:/);
    expect(await listReports()).toMatchObject([{ files: [{ kind: 'video', blob: expect.any(Blob) }] }]);
    await page.getByRole('button', { name: t('report:photos.remove', { number: 1 }) }).click();
    choose(await photo('a.jpg'));
    await sees(shot(t, 1));
    refuse = false;
    await button('report:send').click();
    await sees(page.getByRole('heading', { name: t('report:sending.done.title') }));
    expect(server.sent('startReportUpload')[0]?.body).toMatchObject({ f: 'secret', name: 'photo-1.jpg' });
    await expect.poll(listReports).toMatchObject([{ follow: 'secret', files: [{ blob: null, problem: null }] }]);
  });

  test('shows which photo the server refused, with the link of the report', async () => {
    const { t, button } = await open({
      startReportUpload: () => {
        throw new Refused('fileContent', { types: 'jpg' });
      },
    });
    await choice(t, 1).click();
    choose(await photo('a.jpg'));
    await sees(shot(t, 1));
    await button('report:send').click();
    await sees(page.getByRole('alert'), page.getByRole('link', { name: /\?f=secret$/ }));
  });
});

describe.each(LANGUAGES)('the connector of a label (%s)', (locale) => {
  const query = locale === 'zh-CN' ? '&lang=zh-CN' : '';

  test.each([
    ['c=2', 2, { number: 2 }],
    ['e=1&c=2', 257, { evse: 1, connector: 2 }],
    ['e=3&c=1', 3, { evse: 3, connector: 1 }],
  ] as const)('is shown and sent: %s', async (address, number, named) => {
    const { t, server, button } = await open({}, `${LINK}&${address}${query}`, locale);
    await sees(page.getByText('evse' in named ? t('report:follow.evse', named) : t('report:follow.connector', named)));
    await choice(t, 1).click();
    await button('report:send').click();
    await expect.poll(() => server.sent('sendReport')[0]?.body).toMatchObject({ connector: number });
  });

  test('of a wrong address can be entered', async () => {
    const { t } = await open({}, `${LINK}&e=999&c=2${query}`, locale);
    await sees(page.getByLabelText(t('report:connector')));
  });
});

describe('the page of a report', () => {
  const report = sample('followReport', {
    ...{ status: 'working', place, placeText: '', connector: 2, type: 1, notify: true, hasMail: true, repliesLeft: 3 },
    ...{ closedAt: null },
    messages: [
      { id: 0, at: '2026-11-20T08:00:00.000Z', by: 'reporter', text: 'Dark screen', files: ['photo-1.jpg'] },
      { id: 1, at: '2026-11-20T09:00:00.000Z', by: 'staff', text: 'On our way', files: [] },
    ],
  });

  test('names the connector of an EVSE', async () => {
    const { t } = await open({ followReport: { ...report, connector: 257 } }, '/share/issue?f=secret');
    await sees(page.getByText(t('report:follow.evse', { evse: 1, connector: 2 })));
  });

  test('shows status and answers, replies once, and turns mails off', async () => {
    let lost = true;
    const { t, button, server } = await open(
      {
        followReport: report,
        replyToReport: () => {
          if (lost) throw new HttpFailure(502);
          return null;
        },
        notifyReporter: null,
      },
      '/share/issue?f=secret',
    );
    await sees(page.getByText(t('report:status.working.name')), page.getByText('On our way'));
    await button('report:follow.send').click();
    await sees(page.getByRole('alert').filter({ hasText: t('report:follow.empty') }));
    await page.getByRole('textbox', { name: t('report:follow.reply') }).fill('Thank you');
    await button('report:follow.send').click();
    // The text stays until it has arrived, and has the same key when it is sent again.
    await expect.element(page.getByRole('textbox', { name: t('report:follow.reply') })).toHaveValue('Thank you');
    await expect.element(button('report:follow.send')).toBeVisible();
    await button('report:follow.send').click();
    await expect.poll(() => server.sent('replyToReport').length).toBe(2);
    await expect.element(button('report:follow.send')).toBeVisible();
    // A text that was changed has another key, so that the change is not ignored.
    await page.getByRole('textbox', { name: t('report:follow.reply') }).fill('Thank you!');
    lost = false;
    await button('report:follow.send').click();
    await expect.element(page.getByRole('textbox', { name: t('report:follow.reply') })).toHaveValue('');
    const keys = server.sent('replyToReport').map(({ body }) => (body as { requestKey: string }).requestKey);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
    await page.getByRole('checkbox', { name: t('report:contact.notify') }).click();
    await expect.poll(() => server.sent('notifyReporter')[0]?.body).toEqual({ f: 'secret', notify: false });
  });

  test('of an unknown link says so', async () => {
    const { t } = await open(
      {
        followReport: () => {
          throw new Refused('reportUnknown');
        },
      },
      '/share/issue?f=guess',
    );
    await sees(page.getByRole('heading', { name: t('report:follow.unknown') }));
  });
});
