import type { Page } from 'playwright-core';
import type { DemoLinks, Invitation } from './demo-links.ts';
import type { Words } from './harness/words.ts';
import type { Scene } from './scene.ts';

type Act = NonNullable<Scene['act']>;

const dialog = (page: Page) => page.getByRole('dialog').last();
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).first();
const says = (page: Page, text: string | RegExp) =>
  page.locator('[role=tabpanel]:not([hidden]) .xterm-rows').getByText(text).first().waitFor();

/** A link: its dialog with facts and records. */
const shown: Act = async (page, t) => {
  await dialog(page).getByText(t('links:reason'), { exact: true }).waitFor();
  await dialog(page).locator('.ant-spin-spinning, .skeleton').first().waitFor({ state: 'hidden' });
};

/** Opens the request, with a kind selected. */
const request =
  (kind: string): Act =>
  async (page, t) => {
    await button(page, t('fleet:remoteLink')).click();
    await dialog(page).getByText(t('links:request.kind'), { exact: true }).waitFor();
    const choice = dialog(page).getByRole('radio', { name: t(`links:kinds.${kind}`) });
    if (await choice.isEnabled()) await choice.check();
  };

/** Opens a terminal with the key of the link, and enters lines. */
const shell =
  (...lines: string[]): Act =>
  async (page) => {
    await says(page, '$');
    for (const line of [...lines, 'echo 就绪 ready']) {
      await page.keyboard.insertText(line);
      await page.keyboard.press('Enter');
    }
    await says(page, /^就绪 ready/);
  };

const both =
  (first: Act, then: Act): Act =>
  async (page, t) => {
    await first(page, t);
    await then(page, t);
  };

const recording =
  (act: Act): Act =>
  async (page, t) => {
    await shown(page, t);
    await button(page, t('links:recordings.watch')).click();
    await button(page, t('links:recordings.play')).waitFor();
    await act(page, t);
  };

/** The end of a recording. */
const atEnd: Act = async (page, t) => {
  await page.getByRole('slider', { name: t('links:recordings.position') }).press('End');
  await page.locator('.xterm-rows').getByText('完成').last().waitFor();
};

/** Enters the code of an invitation, and the name of a guest and the consent. */
const visitorForm = async (page: Page, t: Words, invitations: Invitation[], upTo: 'code' | 'consent') => {
  const language = await page.evaluate<string>('document.documentElement.lang');
  const { token, code } =
    invitations[(language === 'zh-CN' ? 2 : 0) + ((page.viewportSize()?.width ?? 0) > 500 ? 1 : 0)]!;
  await page.goto(`/share/file?s=${token}`);
  await page.getByLabel(t('share:code.label')).fill(upTo === 'code' ? '' : code);
  if (upTo === 'code') return;
  await page.keyboard.press('Enter');
  await page.getByLabel(t('share:terminal.name')).fill('王工 Wang');
  await page.getByRole('checkbox').check();
};

/** Joins a terminal as a guest, with an invitation for each browser, because an invitation has one guest at a time. */
const guest =
  (invitations: Invitation[], upTo: 'code' | 'consent' | 'terminal'): Act =>
  async (page, t) => {
    await visitorForm(page, t, invitations, upTo === 'code' ? 'code' : 'consent');
    if (upTo === 'code') return;
    if (upTo === 'consent') return;
    await page.getByRole('button', { name: t('share:terminal.join') }).click();
    await page.locator('.xterm-rows').getByText('SIM00001').first().waitFor();
  };

/** Joins the web pages of a device as a guest. */
const pageGuest =
  (invitations: Invitation[], upTo: 'consent' | 'pages'): Act =>
  async (page, t) => {
    await visitorForm(page, t, invitations, 'consent');
    if (upTo === 'consent') return;
    const opening = page.context().waitForEvent('page');
    await page.getByRole('button', { name: t('share:page.join') }).click();
    await (await opening).close();
    await page.getByText(t('share:page.recorded')).waitFor();
  };

/** Links to devices: requests, dialogs, terminals, files, recordings, guests and lists. */
export function linkScenes({
  open,
  terminals,
  watched,
  approval,
  waiting,
  failed,
  past,
  invitations,
  otherPages,
  pageInvitations,
  issueId,
  devices,
}: DemoLinks): Scene[] {
  const scene = (name: string, path: string, act?: Act): Scene => ({
    ...{ name, path, signedIn: true },
    ...(act && { act }),
  });
  const visitor = (name: string, act: Act): Scene => ({ name, path: '/share/file?s=-', signedIn: false, act });
  const list = (id: number) => `/manage/device/links?link=${id}`;
  const page = ({ id }: { id: number }) => `/manage/device/detail/${id}`;
  let next = 0;
  /** The page of a link that has few terminals. */
  const terminal = () => {
    next += 1;
    return `/manage/device/terminal?link=${terminals[next % terminals.length]}`;
  };
  const press =
    (key: string): Act =>
    async (page, t) => {
      await button(page, t(key)).click();
      await dialog(page).waitFor();
    };
  return [
    ...(['ssh', 'web', 'vpn'] as const).map((kind) => scene(`link-request-${kind}`, page(devices.all), request(kind))),
    scene('link-request-rules', page(devices.guarded), request('ssh')),
    scene('link-request-none', page(devices.offline), request('ssh')),
    scene('link-approval', list(approval.other), shown),
    scene('link-approval-own', list(approval.own), shown),
    scene('link-waiting', list(waiting), shown),
    scene('link-failed', list(failed), shown),
    scene('link-open', list(open.ssh), shown),
    scene('link-open-web', list(open.web), shown),
    scene('link-open-vpn', list(open.vpn), shown),
    scene('link-end', list(open.ssh), both(shown, press('links:end'))),
    scene('link-past', list(past.ssh), shown),
    scene('link-past-web', list(past.web), shown),
    scene('link-past-activity', list(past.ssh), async (page, t) => {
      await shown(page, t);
      await button(page, t('links:activity.jsonl')).scrollIntoViewIfNeeded();
    }),
    scene('link-player', list(past.ssh), recording(atEnd)),
    scene(
      'link-player-playing',
      list(past.ssh),
      recording(async (page, t) => {
        await button(page, t('links:recordings.play')).click();
        await page.locator('.xterm-rows').getByText('readme').first().waitFor();
        await button(page, t('links:recordings.pause')).click();
      }),
    ),
    scene(
      'link-player-search',
      list(past.ssh),
      recording(async (page, t) => {
        await atEnd(page, t);
        await page.getByRole('textbox', { name: t('links:terminal.searchField') }).fill('status');
        await page.keyboard.press('Enter');
      }),
    ),
    scene(
      'link-player-text',
      list(past.ssh),
      recording(async (page, t) => {
        await button(page, t('links:recordings.asText')).click();
        await button(page, t('links:recordings.asText')).scrollIntoViewIfNeeded();
      }),
    ),
    scene('link-typed', list(past.ssh), async (page, t) => {
      await shown(page, t);
      await button(page, t('links:recordings.input')).click();
      await button(page, t('links:recordings.inputOk')).click();
      await page.getByText('echo 完成').waitFor();
    }),
    scene('link-device-page', list(open.web), async (page, t) => {
      await shown(page, t);
      const opening = page.context().waitForEvent('page');
      await button(page, t('links:web.open')).click();
      const tab = await opening;
      await tab.locator('h1').waitFor();
      const address = tab.url();
      await tab.close();
      await page.goto(address);
    }),
    scene('link-web-guests', list(open.web), async (page, t) => {
      await shown(page, t);
      await page.getByText(t('links:guests.sharesSession')).waitFor();
    }),
    scene('link-web-watched', list(otherPages), shown),
    scene('link-web-invite', list(open.web), async (page, t) => {
      await shown(page, t);
      await press('links:guests.invite')(page, t);
      await page.getByText(t('links:guests.hostSession')).waitFor();
    }),
    visitor('link-web-guest', pageGuest(pageInvitations, 'consent')),
    visitor('link-web-guest-open', pageGuest(pageInvitations, 'pages')),
    scene('links-of-device', `${page(devices.all)}?tab=links`),
    scene('links-of-site', `/manage/site/detail/${devices.all.siteId}?tab=links`),
    scene('links-of-fleet', '/manage/device/links'),
    scene('links-of-issue', `/manage/issue/detail/${issueId}?tab=links`),
    scene('links-policy', `/manage/customer/detail/${devices.all.customerId}?tab=links`),
    scene('links-policy-set', `/manage/customer/detail/${devices.guarded.customerId}?tab=links`),
    scene('link-terminal-own', '/manage/device/terminal'),
    scene('link-terminal', terminal(), shell('cat readme.txt', 'status')),
    scene('link-terminal-password', terminal(), both(shell(), press('links:terminal.otherUser'))),
    scene('link-terminal-tabs', terminal(), async (page, t) => {
      await shell('status')(page, t);
      for (const number of [2, 3]) {
        await button(page, t('links:terminal.new')).click();
        await page.getByRole('tab', { name: t('links:terminal.tab', { number }), exact: true }).waitFor();
        await says(page, '$');
      }
    }),
    scene('link-terminal-search', terminal(), async (page, t) => {
      await shell('status', 'tail /var/log/charger.log')(page, t);
      await button(page, t('links:terminal.search')).click();
      await page.getByRole('textbox', { name: t('links:terminal.searchField') }).fill('info');
      await page.keyboard.press('Enter');
    }),
    scene('link-terminal-paste', terminal(), async (page, t) => {
      await shell()(page, t);
      await page.evaluate(`{
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', 'cd /var/log\\nsystemctl restart meter\\ntail -f meter.log');
        document.querySelector('.xterm-helper-textarea').dispatchEvent(
          new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
      }`);
      await page.getByRole('dialog', { name: t('links:terminal.pasteTitle') }).waitFor();
    }),
    scene('link-terminal-files', terminal(), async (page, t) => {
      await shell()(page, t);
      await button(page, t('links:files.button')).click();
      const { width } = page.viewportSize()!;
      const named = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.alloc(2_000_000, 'x') });
      const folder = page.getByRole('region', { name: t('links:files.title') });
      await folder.getByRole('table').waitFor();
      const unique = `firmware-${t('links:files.title').length}-${width}.bin`;
      await folder.locator('input[type=file]').setInputFiles([named(unique), named('readme.txt')]);
      await folder.getByText(t('links:files.states.done')).first().waitFor();
      await folder.getByText(t('links:files.states.exists')).first().waitFor();
    }),
    scene(
      'link-terminal-leave',
      terminal(),
      both(shell(), async (page) => {
        await page.locator('main a[href*="/links?link="]').click();
        await dialog(page).waitFor();
      }),
    ),
    scene('link-terminal-ended', terminal(), async (page, t) => {
      await shell()(page, t);
      await page.keyboard.insertText('exit');
      await page.keyboard.press('Enter');
      await page.getByText(t('links:terminal.ends.exited')).waitFor();
    }),
    scene(
      'link-guest-invited',
      terminal(),
      both(shell(), async (page, t) => {
        await press('links:guests.invite')(page, t);
        await button(page, t('links:guests.create')).click();
        await dialog(page)
          .getByText(/\/share\/file\?s=/)
          .first()
          .waitFor();
      }),
    ),
    scene('link-watch', `/manage/device/terminal?link=${watched}`),
    scene('link-watching', `/manage/device/terminal?link=${watched}`, async (page) => {
      await page.getByRole('main').getByRole('button').last().click();
      await page.locator('.xterm-rows').getByText('SIM00001').first().waitFor();
    }),
    visitor('link-guest-code', guest(invitations, 'code')),
    visitor('link-guest-consent', guest(invitations, 'consent')),
    visitor('link-guest', guest(invitations, 'terminal')),
  ];
}
