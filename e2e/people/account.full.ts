import { messageOf, privacyEndpoints, sessionEndText } from '@chargehand/contract';
import { describe, expect } from 'vitest';
import { signIn } from '../../apps/server/src/testing/sign-in.ts';
import { type Person, userNameOf, WORLD_PASSWORD } from '../../apps/server/src/testing/world.ts';
import { journey, visit } from '../harness/journey.ts';
import { product } from '../harness/product.ts';
import type { Visitor } from '../harness/visitor.ts';

const chargehand = product({ sessionsPerUser: 10, languageSwitch: true });
const { readPolicyDraft, savePolicyDraft } = privacyEndpoints;

const dialog = (visitor: Visitor) => visitor.page.getByRole('dialog');
const confirm = (visitor: Visitor, name: string) => dialog(visitor).getByRole('button', { name, exact: true }).click();
const field = (visitor: Visitor, label: string) => visitor.page.getByLabel(label, { exact: true });
/** The same user in another browser with the same language. */
const elsewhere = (visitor: Visitor, as: Person) => visit(chargehand, visitor.locale, { as });
/** The dialog that reports the end of a session, with the reason. */
const isSignedOut = async (visitor: Visitor, why: string) => {
  await visitor.sees(dialog(visitor).getByText(why, { exact: true }));
  await visitor.follow(visitor.button(visitor.t('access:sessionEnd.confirm')), visitor.signInPage);
};

describe('my account', () => {
  journey(
    chargehand,
    'changes the password, and every other session shows why it ended',
    { as: 'southAdmin' },
    async (visitor) => {
      const { page, t, locale } = visitor;
      const user = userNameOf('southAdmin');
      const [before, after] = locale === 'zh-CN' ? ['South-gate.2', 'South-gate.3'] : [WORLD_PASSWORD, 'South-gate.2'];
      const other = await elsewhere(visitor, 'southAdmin');
      await other.page.goto('/manage/welcome');
      await other.sees(t('common:live.on'));

      await page.goto('/manage/welcome');
      await visitor.frameButton(t('common:shell.account', { name: user })).click();
      await visitor.follow(page.getByRole('menuitem', { name: t('common:shell.my'), exact: true }), {
        path: '/manage/my',
        heading: t('routes:my'),
      });
      await visitor.sees(visitor.heading(t('account:password.title')));
      await field(visitor, t('account:password.current')).fill(before);
      await field(visitor, t('account:password.new')).fill(after);
      await field(visitor, t('account:password.repeated')).fill(after);
      await visitor.button(t('account:password.change')).click();
      await visitor.sees(page.getByText(locale === 'zh-CN' ? /^密码已修改，其他/ : /^Your password was changed; /));

      await isSignedOut(other, sessionEndText('password', null, locale));
      await other.context.close();
      expect((await signIn(chargehand.url, user, before)).envelope.code).not.toBe(0);
      expect((await signIn(chargehand.url, user, after)).envelope.code).toBe(0);
    },
  );

  journey(chargehand, 'signs out another session, which shows it', { as: 'readOnlyAdmin' }, async (visitor) => {
    const { page, t, locale } = visitor;
    const other = await elsewhere(visitor, 'readOnlyAdmin');
    await other.page.goto('/manage/welcome');
    await other.sees(t('common:live.on'));
    await page.goto('/manage/my');
    await visitor.sees(t('account:sessions.current'));
    await page
      .getByRole('button', { name: t('account:sessions.endOne', { address: '127.0.0.1' }), exact: true })
      .first()
      .click();
    await confirm(visitor, t('account:sessions.end'));
    await visitor.sees(t('account:sessions.ended'));
    await isSignedOut(other, sessionEndText('owner', null, locale));
    await other.context.close();
  });

  journey(
    chargehand,
    'saves language and theme, and another browser uses them',
    { as: 'northReader' },
    async (visitor) => {
      const { page, t } = visitor;
      await page.goto('/manage/my');
      await visitor.main.getByText(t('common:theme.dark'), { exact: true }).click();
      await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark');
      await visitor.main.getByText('简体中文', { exact: true }).click();
      await visitor.sees(visitor.main.getByRole('heading', { name: '我的账号' }));
      const kept = async () => {
        const id = chargehand.server.world.users.northReader;
        const query = chargehand.server.database.db.selectFrom('users').select(['locale', 'theme']);
        return await query.where('id', '=', id).executeTakeFirstOrThrow();
      };
      await expect.poll(kept, { timeout: 30_000 }).toEqual({ locale: 'zh-CN', theme: 'dark' });
      const other = await elsewhere(visitor, 'northReader');
      await other.page.goto('/manage/my');
      await other.sees(other.page.getByRole('heading', { name: '我的账号' }));
      expect(await other.page.locator('html').getAttribute('data-theme')).toBe('dark');
      await other.context.close();
    },
  );
});

describe('online users', () => {
  journey(
    chargehand,
    'signing out a user shows them the reason in their language',
    { as: 'northAdmin' },
    async (visitor) => {
      const { page, t, locale } = visitor;
      await page.goto('/manage/system/online?search=north_assigned');
      await visitor.sees(t('common:live.on'), t('common:table.noMatch'));
      const { session } = await signIn(chargehand.url, 'north_assigned', WORLD_PASSWORD);
      const kicked = await visit(chargehand, locale === 'zh-CN' ? 'en-US' : 'zh-CN', { session });
      await kicked.page.goto('/manage/welcome');
      await kicked.sees(kicked.t('common:live.on'));
      // The list shows the new sign-in without a reload.
      const actions = t('online:actionsOf', { name: 'north_assigned', address: '127.0.0.1' });
      await visitor.main.getByRole('button', { name: actions, exact: true }).click();
      await page.getByRole('menuitem', { name: t('online:kick.session'), exact: true }).click();
      await dialog(visitor).getByText(t('online:causes.security'), { exact: true }).click();
      await dialog(visitor).getByLabel(t('online:kick.note'), { exact: true }).fill('Laptop 7');
      await confirm(visitor, t('online:kick.ok'));
      await visitor.sees(t('online:kick.done', { name: 'north_assigned' }), t('common:table.noMatch'));
      await isSignedOut(kicked, sessionEndText('security', 'Laptop 7', kicked.locale));
      await kicked.context.close();
    },
  );
});

describe('the privacy policy', () => {
  // Affects all users, so this uses a separate world.
  const apart = product({ sessionsPerUser: 10 });

  journey(apart, 'a new version must be accepted by everybody', { as: 'vendorStaff' }, async (visitor) => {
    const { page, t, locale } = visitor;
    const reader = await visit(apart, locale, { as: 'southAdmin' });
    await page.goto('/manage/system/privacy?tab=next');
    await field(visitor, t('privacy:draft.en')).fill(`New text, written in ${locale}`);
    await field(visitor, t('privacy:draft.zh')).fill(`新的文本 ${locale}`);
    // Opening the list of acceptances does not close the draft, and neither does somebody else's draft.
    await visitor.main.getByRole('tab', { name: t('privacy:tabs.acceptances'), exact: true }).click();
    await visitor.sees('root_user');
    await visitor.main.getByRole('tab', { name: t('privacy:tabs.next'), exact: true }).click();
    const other = await apart.server.as('vendorStaff');
    await other.data(savePolicyDraft, { body: { contentEn: `Of another ${locale}`, contentZh: '' } });
    await visitor.button(t('privacy:draft.save')).click();
    await visitor.sees(messageOf('changedMeanwhile', locale));
    expect(await field(visitor, t('privacy:draft.en')).inputValue()).toBe(`New text, written in ${locale}`);
    expect(await other.data(readPolicyDraft)).toMatchObject({ contentEn: `Of another ${locale}` });
    await other.data(savePolicyDraft, { body: { contentEn: '', contentZh: '' } });
    await visitor.button(t('privacy:draft.save')).click();
    await visitor.sees(t('privacy:draft.saved'));
    await visitor.button(t('privacy:draft.preview')).click();
    const text = locale === 'zh-CN' ? `新的文本 ${locale}` : `New text, written in ${locale}`;
    await visitor.sees(dialog(visitor).getByText(text, { exact: true }));
    await dialog(visitor).locator('.ant-modal-close').click();

    await reader.page.goto('/manage/welcome');
    await reader.sees(reader.page.locator('.live-indicator[data-state="on"]'));
    await visitor.button(t('privacy:draft.publish')).click();
    await confirm(visitor, t('privacy:draft.publish'));
    // The publisher must accept it like everybody else.
    await accept(visitor);
    await visitor.sees(visitor.main.getByText(t('privacy:inForce'), { exact: true }));

    // At the next request of a signed-in user, the policy is shown before everything else.
    await reader.menuLink(t('routes:site')).click();
    await accept(reader);
    await reader.arrivesAt({ path: '/manage/site/list', heading: t('routes:siteList') });
    await reader.sees(reader.page.getByText('Site southPark', { exact: true }).first());
    await reader.context.close();
    await page.goto('/manage/system/privacy?tab=acceptances&search=south_admin');
    await visitor.sees(visitor.main.getByText('south_admin', { exact: true }).first());
  });
});

/** Reads, checks and accepts the policy that is shown before everything else. */
async function accept({ page }: Visitor): Promise<void> {
  await page.locator('.privacy-actions input[type=checkbox]').check();
  await page.locator('.privacy-actions .ant-btn-primary').click();
}
