import { messageOf } from '@chargehand/contract';
import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { publicKeyAnswer } from '../../testing/inputs/public-key.ts';
import { misses, sees } from '../../testing/on-screen.ts';
import { type Options, userInfo } from '../../testing/show.tsx';
import { showConsole } from '../../testing/show-console.tsx';
import { type Answers, Refused } from '../../testing/stub-server.ts';

const challenge: Answers['captcha'] = {
  ...{ captchaId: 'c', expiresAt: '2100-01-01T00:00:00Z', required: false, challenge: null },
  settings: { captcha: false, languageSwitch: true, version: '0' },
};

async function open(path: string, login: NonNullable<Answers['login']>, options: Omit<Options, 'path'> = {}) {
  const answers = { captcha: challenge, publicKey: await publicKeyAnswer(), login, ...options.answers };
  const stage = await showConsole(path, { ...options, user: null, answers });
  return {
    ...stage,
    async enter() {
      await stage.field('access:login.userName').fill('ada');
      await stage.field('access:login.password').fill('Quay-side.1');
      await stage.button('access:login.submit').click();
    },
  };
}

describe('sign-in', () => {
  test.each(['en-US', 'zh-CN'] as const)('shows each reason for a rejection (%s)', async (locale) => {
    const refusals = [
      () => new Refused('credentialsWrong', { left: 1 }),
      () => new Refused('accountLocked', { minutes: 15 }),
      () => new Refused('accountDisabled'),
      () => new Refused('captchaWrong'),
    ];
    let next = refusals[0]!;
    const { enter, path } = await open('/login', () => Promise.reject(next()), { locale });
    for (const refusal of refusals) {
      next = refusal;
      const { error, values } = refusal();
      await enter();
      await sees(messageOf(error, locale, values));
      expect(path()).toBe('/login');
    }
  });

  const holder = { root: false, platformVendor: false, userName: 'ada' };
  test.each([
    ['leads to Home', '/login', undefined, '/manage/home'],
    ['leads users without Home to Welcome', '/login', [], '/manage/welcome'],
    ['follows a deep link', '/manage/device/list?status=faulted&pageSize=50', undefined, null],
    ['leads to Welcome from a deep link that the user may not open', '/manage/device/list', [], '/manage/welcome'],
  ] as const)('%s', async (_, path, keys, target) => {
    const info = userInfo({ user: keys ? { ...holder, keys: [...keys] } : { userName: 'ada' } });
    const { enter, path: now, button } = await open(path, info);
    await expect.poll(now).toMatch(/^\/login/);
    await enter();
    await expect.poll(now).toBe(target ?? path);
    await sees(button('common:shell.account', { name: 'ada' }));
  });

  test('requires the second factor, and reports a wrong one', async () => {
    let requested = false;
    const { enter, field, button, path } = await open('/login', ({ input }) => {
      if (input.body.code) throw new Refused('secondFactorWrong', { left: 4 });
      requested = true;
      throw new Refused('secondFactorNeeded', {}, 'code');
    });
    await enter();
    const code = field('access:login.code');
    await code.fill('000000');
    await button('access:login.submit').click();
    await sees(messageOf('secondFactorWrong', 'en-US', { left: 4 }));
    expect([requested, path()]).toEqual([true, '/login']);
  });
});

describe('a link from a mail', () => {
  test.each(['en-US', 'zh-CN'] as const)('that has expired offers a new one (%s)', async (locale) => {
    const { t, field, button } = await open('/find-password/reset#used', () => Promise.reject(), {
      locale,
      answers: {
        checkPasswordLink: () => {
          throw new Refused('linkExpired', {}, 'token');
        },
        sendPasswordLink: null,
      },
    });
    await sees(page.getByRole('heading', { name: t('recovery:expired.title') }));
    await field('recovery:find.email').fill('ada@example.org');
    await button('recovery:expired.submit').click();
    await sees(t('recovery:find.sent', { email: 'ada@example.org' }));
  });
});

describe('a password that somebody else set', () => {
  test('must be replaced before anything else, or the user signs out', async () => {
    const given = { userName: 'ada', passwordGiven: true };
    const { t, path, button } = await showConsole('/manage/device/list?status=faulted', {
      user: given,
      answers: { captcha: challenge, publicKey: await publicKeyAnswer(), logout: null },
    });
    await expect.poll(path).toBe(`/choose-password?from=${encodeURIComponent('/manage/device/list?status=faulted')}`);
    await sees(page.getByRole('heading', { name: t('recovery:choose.title') }));
    await misses(page.getByRole('heading', { name: t('routes:deviceList') }));
    await button('common:shell.signOut').click();
    await expect.poll(path).toBe('/login');
  });

  test.each(['en-US', 'zh-CN'] as const)('cannot be chosen again (%s)', async (locale) => {
    const { field, button } = await showConsole('/choose-password', {
      ...{ locale, user: { userName: 'ada', passwordGiven: true } },
      answers: {
        captcha: challenge,
        publicKey: await publicKeyAnswer(),
        chooseFirstPassword: () => {
          throw new Refused('passwordSame');
        },
      } as Answers,
    });
    await field('recovery:new.password').fill('Harbour-light.9');
    await field('recovery:new.repeated').fill('Harbour-light.9');
    await button('recovery:new.submit').click();
    await sees(messageOf('passwordSame', locale));
  });
});
