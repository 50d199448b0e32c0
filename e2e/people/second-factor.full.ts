import { LOCALES, messageOf } from '@chargehand/contract';
import { Secret, TOTP } from 'otpauth';
import { describe, expect } from 'vitest';
import { userNameOf, WORLD_PASSWORD } from '../../apps/server/src/testing/world.ts';
import { journey } from '../harness/journey.ts';
import { product } from '../harness/product.ts';
import type { Visitor } from '../harness/visitor.ts';

const chargehand = product();
const both = { locales: LOCALES };

/** The users who set it up, one per language. */
const PERSON = { 'en-US': 'northReader', 'zh-CN': 'southAdmin' } as const;

async function enter({ main, t }: Visitor, name: string): Promise<void> {
  await main.getByLabel(t('access:login.userName'), { exact: true }).fill(name);
  await main.getByLabel(t('access:login.password'), { exact: true }).fill(WORLD_PASSWORD);
  await main.getByRole('button', { name: t('access:login.submit'), exact: true }).click();
}

describe('a second factor', () => {
  journey(chargehand, 'is set up on the account page, and required at the next sign-in', both, async (visitor) => {
    const { page, t, locale } = visitor;
    const userName = userNameOf(PERSON[locale]);
    await page.goto('/login?from=%2Fmanage%2Fmy');
    await enter(visitor, userName);
    await visitor.isAt('/manage/my');
    await visitor.sees(t('account:factor.isOff'));
    await visitor.button(t('account:factor.turnOn')).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel(t('account:password.current'), { exact: true }).fill(WORLD_PASSWORD);
    await dialog.getByRole('button', { name: t('account:factor.next'), exact: true }).click();
    await visitor.sees(t('account:factor.scan'));
    const secret = await dialog.locator('.factor-secret .mono').innerText();
    const totp = new TOTP({ secret: Secret.fromBase32(secret.trim()) });
    await dialog.getByLabel(t('account:factor.code'), { exact: true }).fill(totp.generate());
    await dialog.getByRole('button', { name: t('account:factor.turnOn'), exact: true }).click();
    await visitor.sees(t('account:factor.recoveryText'));
    const codes = await dialog.locator('.factor-codes li').allInnerTexts();
    expect(codes).toHaveLength(10);
    await dialog.getByRole('button', { name: t('account:factor.noted'), exact: true }).click();
    await visitor.sees(t('account:factor.isOn'));

    await visitor.context.clearCookies({ name: 'x-auth-token' });
    await page.goto('/login?from=%2Fmanage%2Fmy');
    await enter(visitor, userName);
    const code = visitor.main.getByLabel(t('access:login.code'), { exact: true });
    await code.fill('000000');
    await visitor.main.getByRole('button', { name: t('access:login.submit'), exact: true }).click();
    await visitor.sees(messageOf('secondFactorWrong', locale, { left: 4 }));
    await code.fill(codes[0]!);
    await visitor.main.getByRole('button', { name: t('access:login.submit'), exact: true }).click();
    await visitor.isAt('/manage/my');
    const left = locale === 'en-US' ? 'account:factor.codesLeft_other' : 'account:factor.codesLeft';
    await visitor.sees(t(left, { count: 9 }));

    await visitor.button(t('account:factor.renew')).click();
    await visitor.sees(t('account:factor.renewText'));
    await dialog.getByLabel(t('account:password.current'), { exact: true }).fill(WORLD_PASSWORD);
    await dialog.getByLabel(t('account:factor.anyCode'), { exact: true }).fill(codes[1]!);
    await dialog.getByRole('button', { name: t('account:factor.renew'), exact: true }).click();
    await visitor.sees(t('account:factor.renewed'));
    const renewed = await dialog.locator('.factor-codes li').allInnerTexts();
    expect(new Set([...codes, ...renewed]).size).toBe(20);
    await dialog.getByRole('button', { name: t('account:factor.noted'), exact: true }).click();
    await visitor.sees(t(left, { count: 10 }));
  });

  journey(chargehand, 'is set up first when a role requires it', both, async (visitor) => {
    const { page, t, locale } = visitor;
    const { db } = chargehand.server.database;
    const userName = userNameOf(locale === 'en-US' ? 'northAssigned' : 'readOnlyAdmin');
    const { role_id } = await db
      .selectFrom('users')
      .select('role_id')
      .where('user_name', '=', userName)
      .executeTakeFirstOrThrow();
    await db.updateTable('roles').set({ second_factor: true }).where('id', '=', role_id!).execute();
    await page.goto('/login');
    await enter(visitor, userName);
    await visitor.isAt('/second-factor');
    await visitor.sees(t('account:factor.due', { name: userName }));
    await page.goto('/manage/device/list');
    await visitor.isAt('/second-factor');
    await visitor.main.getByLabel(t('account:password.current'), { exact: true }).fill(WORLD_PASSWORD);
    await visitor.button(t('account:factor.next')).click();
    const secret = await page.locator('.factor-secret .mono').innerText();
    await page
      .getByLabel(t('account:factor.code'), { exact: true })
      .fill(new TOTP({ secret: Secret.fromBase32(secret.trim()) }).generate());
    await visitor.button(t('account:factor.turnOn')).click();
    await visitor.button(t('account:factor.noted')).click();
    await visitor.isAt('/manage/device/list');
    await db.updateTable('roles').set({ second_factor: false }).where('id', '=', role_id!).execute();
  });
});
