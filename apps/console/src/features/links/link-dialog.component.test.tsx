import { messageOf } from '@chargehand/contract';
import { linkEnds } from '@chargehand/contract/link-ends';
import { describe, expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { expectAccessible } from '../../testing/accessibility.ts';
import { deviceDetail } from '../../testing/devices.ts';
import { FakeSocket } from '../../testing/fake-socket.ts';
import { LANGUAGES } from '../../testing/languages.ts';
import { linkOptions, linkRow, NO_WEB } from '../../testing/links.ts';
import { expectConfirmBeforeClosing, misses, pick, sees, tooWide } from '../../testing/on-screen.ts';
import { sampleList } from '../../testing/sample.ts';
import { atEnd } from '../../testing/show.tsx';
import { showConsole } from '../../testing/show-console.tsx';
import { type Answers, Refused } from '../../testing/stub-server.ts';

const LINKS = '/manage/device/links';
const onDevice = (answers: Answers, options: Parameters<typeof showConsole>[1] = {}) =>
  showConsole('/manage/device/detail/7', {
    ...options,
    answers: {
      readDevice: deviceDetail(),
      readLinkOptions: linkOptions(),
      listIssues: sampleList('listIssues', [{ id: 5, key: 'HVC-12', title: 'No meter values' }]),
      listAlarms: { ...sampleList('listAlarms'), items: [] },
      ...answers,
    },
  });

describe('a request', () => {
  test.each(LANGUAGES)('is sent with its reason, and its terminal is shown when it is open (%s)', async (locale) => {
    const state = { link: linkRow({ state: 'requested' }) };
    const stage = await onDevice({ requestLink: () => state.link, readLink: () => state.link }, { locale });
    const { t, server, dialog } = stage;
    await stage.button('fleet:remoteLink').click();
    await sees(dialog.getByText(NO_WEB));
    await expect.element(dialog.getByRole('radio', { name: t('links:kinds.web') })).toBeDisabled();
    await stage.field('links:request.reason').fill('');
    await expect.element(stage.button('links:request.ok')).toBeDisabled();
    await stage.field('links:request.reason').fill(' No meter values ');
    await pick(t('links:request.issue'), 'HVC-12 No meter values');
    await stage.field('links:request.port').fill('2222');
    await expectAccessible();
    await stage.button('links:request.ok').click();
    await sees(dialog.getByText(t('links:stateTexts.requested')));
    expect(server.sent('requestLink')[0]).toMatchObject({
      params: { id: '7' },
      body: { kind: 'ssh', reason: 'No meter values', minutes: 15, port: 2_222, issueId: 5 },
    });
    state.link = linkRow({ state: 'open', openedAt: new Date().toISOString() });
    stage.stream('resync');
    await sees(dialog.getByText(t('links:terminal.memory')));
    expect(stage.path()).toBe('/manage/device/terminal?link=3');
  });

  test.each([
    ['an open alarm', [{ code: 'GroundFailure', nameEn: 'Ground failure' }], 'Ground failure (GroundFailure)'],
    ['an inspection', [], 'Inspection, no open alarm'],
  ])('needs 2 steps; its reason is %s until another one is entered', async (_, alarms, reason) => {
    const stage = await onDevice({
      listAlarms: sampleList('listAlarms', alarms),
      requestLink: linkRow({ state: 'requested' }),
      readLink: linkRow({ state: 'requested' }),
    });
    await stage.button('fleet:remoteLink').click();
    await stage.button('links:request.ok').click();
    await expect.poll(() => stage.server.sent('requestLink')[0]?.body).toMatchObject({ kind: 'ssh', reason });
  });

  test('goes to its terminal without an event, and the terminal is opened once', async () => {
    const state = { link: linkRow({ state: 'requested' }) };
    FakeSocket.all = [];
    vi.stubGlobal('WebSocket', FakeSocket);
    atEnd(() => vi.unstubAllGlobals());
    const stage = await onDevice({
      requestLink: () => state.link,
      readLink: () => state.link,
      openTerminal: { key: 'k1', id: 1 },
    });
    await stage.button('fleet:remoteLink').click();
    await stage.field('links:request.reason').fill('No meter values');
    await stage.button('links:request.ok').click();
    await sees(stage.dialog.getByText(stage.t('links:stateTexts.requested')));
    state.link = linkRow({ state: 'open', shellUser: 'root', openedAt: new Date().toISOString() });
    await expect.poll(() => FakeSocket.all.map(({ url }) => url.split('/').at(-1))).toEqual(['k1?from=0']);
    expect(stage.path()).toBe('/manage/device/terminal?link=3');
    expect(stage.server.sent('openTerminal')).toHaveLength(1);
    expect(stage.server.sent('listRecordings')).toEqual([]);
  });

  test('explains why none is possible, and shows the refusal of the server', async () => {
    const kinds = linkOptions().kinds.map((one) => ({ ...one, refusal: { code: 1, message: `No ${one.kind}` } }));
    const options = linkOptions({ kinds, maxMinutes: 0 });
    const { t, button, dialog, field, server } = await onDevice({ readLinkOptions: options });
    await button('fleet:remoteLink').click();
    await sees(dialog.getByText(t('links:request.none')), dialog.getByText('No ssh'), dialog.getByText('No vpn'));
    await expect.element(button('links:request.ok')).toBeDisabled();
    await misses(field('links:request.reason'));
    await misses(field('links:request.minutes'));
    expect(server.sent('requestLink')).toEqual([]);
  });

  test('has the rules of the customer, and at most the time that is left; closing keeps what was typed', async () => {
    const policy = { secondPerson: true, hours: { from: '08:00', until: '18:00' }, web: false };
    const stage = await onDevice({
      readLinkOptions: linkOptions({ policy, maxMinutes: 10 }),
      requestLink: () => {
        throw new Refused('linkTooMany', { most: 10 });
      },
    });
    const { t, dialog, server } = stage;
    await stage.button('fleet:remoteLink').click();
    await sees(dialog.getByText(t('links:request.secondPerson')), dialog.getByText(/08:00.*18:00/));
    await stage.field('links:request.reason').fill('No meter values');
    await stage.button('links:request.ok').click();
    await sees(dialog.getByText(messageOf('linkTooMany', 'en-US', { most: 10 })));
    expect(server.sent('requestLink')[0]?.body).toMatchObject({ minutes: 10 });
    await expectConfirmBeforeClosing(stage, stage.field('links:request.reason'));
  });

  test('is not offered to users who may not control the device', async () => {
    const may = { ...deviceDetail().may, control: false };
    const { t, button } = await onDevice({ readDevice: deviceDetail({ may }) });
    await sees(page.getByRole('tab', { name: t('fleet:tab.operations') }));
    await misses(button('fleet:remoteLink'));
  });
});

describe('a link', () => {
  const open = (link: ReturnType<typeof linkRow>, answers: Answers = {}, options = {}) =>
    showConsole(`${LINKS}?link=${link.id}`, { ...options, answers: { readLink: link, ...answers } });

  test.each(LANGUAGES)('that failed says why and what to do, and is requested again (%s)', async (locale) => {
    const failed = linkRow({ state: 'ended', end: 'vpnError', endDetail: 'E-42', endedAt: '2026-01-01T00:00:00Z' });
    const { t, dialog, button, server, path } = await open(
      failed,
      {
        readLink: ({ params }) => (params.id === '4' ? linkRow({ id: 4, state: 'waiting' }) : failed),
        restartLink: linkRow({ id: 4, state: 'waiting' }),
      },
      { locale, size: [375, 700] },
    );
    await sees(
      dialog.getByText(linkEnds.vpnError[locale === 'zh-CN' ? 'zh' : 'en']),
      dialog.getByText(t('links:detail', { detail: 'E-42' })),
      dialog.getByText(t('links:next.vpnError')),
    );
    await expectAccessible();
    expect(tooWide()).toEqual([]);
    await button('links:again').click();
    await sees(dialog.getByText(t('links:stateTexts.waiting')));
    expect(server.sent('restartLink')[0]?.body).toEqual({ id: 3 });
    expect(path()).toBe(`${LINKS}?link=4`);
  });

  test('is approved by a second person, and not by its own user', async () => {
    const waiting = { state: 'requested', approval: { needed: true, by: null } } as const;
    const state = { link: linkRow({ ...waiting, own: false, requestedBy: 'ann' }) };
    const stage = await open(state.link, {
      readLink: () => state.link,
      approveLink: () => {
        state.link = linkRow({ state: 'requested', own: false, approval: { needed: true, by: 'root_user' } });
        return state.link;
      },
    });
    const { t, dialog, button } = stage;
    const progress = dialog.getByRole('region', { name: t('links:progress') });
    await sees(progress.getByText(t('links:states.approval')));
    await misses(dialog.getByText(t('links:ownApproval')));
    await button('links:approve').click();
    await sees(t('links:approved'), progress.getByText(t('links:states.requested')));
    await misses(button('links:approve'));
    state.link = linkRow(waiting);
    stage.stream('resync');
    await sees(dialog.getByText(t('links:ownApproval')), dialog.getByText(/\/manage\/device\/links\?link=3$/));
    await misses(button('links:approve'));
  });

  test('is ended after a confirmation', async () => {
    const state = { link: linkRow({ state: 'open' }) };
    const { t, button, server } = await open(state.link, {
      readLink: () => state.link,
      destroyLink: () => {
        state.link = linkRow({ state: 'ended', end: 'destroyed', endedBy: 'root_user' });
        return state.link;
      },
    });
    await button('links:end').click();
    expect(server.sent('destroyLink')).toEqual([]);
    await page
      .getByRole('dialog', { name: t('links:endTitle') })
      .getByRole('button', { name: t('links:end'), exact: true })
      .click();
    await sees(t('links:ended'), t('links:endedBy', { name: 'root_user' }));
    await sees(button('links:again'));
  });

  test('of a read-only user has no actions', async () => {
    const { t, dialog, button } = await open(linkRow({ state: 'open' }), {}, { user: { root: false, readOnly: true } });
    await sees(dialog.getByText(t('links:stateTexts.open')));
    await misses(button('links:end'));
  });
});
