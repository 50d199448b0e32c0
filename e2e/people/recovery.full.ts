import { LOCALES, type Locale, messageOf } from '@chargehand/contract';
import { afterAll, describe, expect } from 'vitest';
import { startMailServer, tokenIn } from '../../apps/server/src/testing/mails/mail-server.ts';
import { type Person, userNameOf, WORLD_PASSWORD } from '../../apps/server/src/testing/world.ts';
import { journey, visit } from '../harness/journey.ts';
import { product } from '../harness/product.ts';
import type { Visitor } from '../harness/visitor.ts';

const post = await startMailServer();
const sends = product({ smtp: { url: post.url, from: { name: 'Chargehand', address: 'no-reply@example.org' } } });
afterAll(() => post.stop());

const NEW = 'Harbour-light.9';

/** Gives a user an email address per language, which decides the language of the mails. */
async function addressOf(person: Person, locale: Locale): Promise<string> {
  const email = `${person}.${locale}@example.org`;
  const { db } = sends.server.database;
  await db.updateTable('users').set({ email, locale }).where('id', '=', sends.server.world.users[person]).execute();
  return email;
}

const dialog = ({ page }: Visitor) => page.getByRole('dialog');
const field = ({ page, t }: Visitor, label: string) => page.getByLabel(t(label), { exact: true });

async function choosePassword(visitor: Visitor, password: string): Promise<void> {
  await field(visitor, 'recovery:new.password').fill(password);
  await field(visitor, 'recovery:new.repeated').fill(password);
  await visitor.button(visitor.t('recovery:new.submit')).click();
}

const homeOf = ({ t }: Visitor) => ({ path: '/manage/home', heading: t('home:title') });

async function enter(visitor: Visitor, userName: string, password: string): Promise<void> {
  await field(visitor, 'access:login.userName').fill(userName);
  await field(visitor, 'access:login.password').fill(password);
  await visitor.button(visitor.t('access:login.submit')).click();
}

/** Selects from a list that opens under its label. */
async function pick({ main, page }: Visitor, label: string, option: string): Promise<void> {
  await main.getByRole('combobox', { name: label }).click();
  await page.locator('.ant-select-dropdown:visible').getByText(option, { exact: true }).click();
}

describe('a forgotten password', () => {
  journey(sends, 'is reset from the sign-in page with the link in a mail', { locales: LOCALES }, async (visitor) => {
    const { page, t, locale } = visitor;
    const email = await addressOf('southAdmin', locale);
    await page.goto('/login');
    await visitor.follow(visitor.link(t('access:login.forgot')), {
      path: '/find-password',
      heading: t('recovery:find.title'),
    });
    await field(visitor, 'recovery:find.email').fill(email);
    await visitor.button(t('recovery:find.submit')).click();
    await visitor.sees(t('recovery:find.sent', { email }));

    const mail = await post.newest(email);
    const link = new URL(/https?:\S+#\S+/.exec(mail.email.text ?? '')?.[0] ?? '');
    // In another browser, too, the page has the language of the mail.
    await visitor.context.clearCookies();
    await page.goto(`${link.pathname}${link.search}${link.hash}`);
    await visitor.sees(visitor.heading(t('recovery:reset.title')), visitor.main.getByText(userNameOf('southAdmin')));
    await choosePassword(visitor, NEW);
    await visitor.sees(t('recovery:reset.doneText'));
    await visitor.follow(visitor.link(t('recovery:signIn')), visitor.signInPage);
    await visitor.follow(() => enter(visitor, userNameOf('southAdmin'), NEW), homeOf(visitor));

    // After its use, the link offers to send a new one.
    await page.goto('about:blank');
    await page.goto(`${link.pathname}${link.search}${link.hash}`);
    await visitor.sees(visitor.heading(t('recovery:expired.title')));
    await field(visitor, 'recovery:find.email').fill(email);
    await visitor.button(t('recovery:expired.submit')).click();
    await visitor.sees(t('recovery:find.sent', { email }));
  });
});

describe('an invitation', () => {
  journey(sends, 'leads a new user from the mail to the console', { as: 'northAdmin' }, async (visitor) => {
    const { page, t, locale } = visitor;
    const name = `invited_${locale.slice(0, 2)}`;
    const email = `${name}@example.org`;
    await page.goto('/manage/user/add');
    await field(visitor, 'people:userName').fill(name);
    await visitor.main.getByText(t('people:first.byMail'), { exact: true }).click();
    await pick(visitor, t('people:customer'), 'Customer north');
    await pick(visitor, t('people:roleOf'), 'Assigned sites');
    await visitor.button(t('common:save')).click();
    await visitor.sees(t('people:form.required', { label: t('people:email') }));
    await field(visitor, 'people:email').fill(email);
    await visitor.follow(visitor.button(t('common:save')), { path: /^\/manage\/user\/detail\/\d+$/, heading: name });
    await visitor.sees(t('people:first.invited'));

    const { email: mail } = await post.newest(email);
    const guest = await visit(sends, locale);
    await guest.page.goto(`/find-password/reset#${tokenIn(mail.text)}`);
    await guest.sees(
      guest.heading(t('recovery:reset.invitedTitle', { product: 'Chargehand' })),
      guest.page.getByText(name),
    );
    await choosePassword(guest, NEW);
    await guest.sees(t('recovery:reset.doneText'));
    await guest.follow(guest.link(t('recovery:signIn')), guest.signInPage);
    await enter(guest, name, NEW);
    await guest.page.getByLabel(t('access:privacy.read')).check();
    await guest.follow(guest.button(t('access:privacy.accept')), homeOf(guest));
    expect(guest.problems).toEqual([]);
    await guest.context.close();

    await page.reload();
    await visitor.sees(t('people:first.own'));
  });
});

describe('a password that somebody else set', () => {
  journey(sends, 'must be replaced first, and then leads to the requested page', {}, async (visitor) => {
    const { page, t, locale } = visitor;
    const person = locale === 'zh-CN' ? 'vendorStaff' : 'northReader';
    const { database, world } = sends.server;
    await database.db
      .updateTable('users')
      .set({ password_state: 'given' })
      .where('id', '=', world.users[person])
      .execute();
    await page.goto('/manage/device/list?status=faulted');
    await visitor.follow(() => enter(visitor, userNameOf(person), WORLD_PASSWORD), {
      path: '/choose-password',
      heading: t('recovery:choose.title'),
    });
    await page.goto('/manage/device/list?status=faulted');
    await visitor.sees(visitor.heading(t('recovery:choose.title')));
    await choosePassword(visitor, WORLD_PASSWORD);
    await visitor.sees(messageOf('passwordSame', locale));
    await visitor.follow(() => choosePassword(visitor, NEW), {
      path: '/manage/device/list?status=faulted',
      heading: t('routes:deviceList'),
    });
  });
});

describe("a new email address for the user's own account", () => {
  journey(sends, 'becomes active after it is confirmed by mail', { as: 'northAdmin' }, async (visitor) => {
    const { page, t, locale } = visitor;
    const present = await addressOf('northAdmin', locale);
    const wanted = `wanted.${locale}@example.org`;
    await page.goto('/manage/my');
    await visitor.sees(visitor.main.getByText(present));
    await visitor.button(t('recovery:email.change')).click();
    const inside = (label: string) => dialog(visitor).getByLabel(t(label), { exact: true });
    const send = dialog(visitor).getByRole('button', { name: t('recovery:email.submit'), exact: true });
    await inside('recovery:email.newEmail').fill(wanted);
    await inside('recovery:email.password').fill(WORLD_PASSWORD);
    await send.click();
    await visitor.sees(t('recovery:email.sent', { email: wanted }), visitor.button(t('recovery:email.keep')));
    await post.newest(present);

    const { email } = await post.newest(wanted);
    await page.goto(`/find-password/email#${tokenIn(email.text)}`);
    await visitor.button(t('recovery:confirm.submit')).click();
    await visitor.sees(t('recovery:confirm.done', { email: wanted }));
    await page.goto('/manage/my');
    await visitor.sees(visitor.main.getByText(wanted));
    await visitor.misses(visitor.button(t('recovery:email.keep')));
  });
});

describe('without a mail server', () => {
  const keeps = product();

  journey(keeps, 'root passes on stored mails', { as: 'root' }, async (visitor) => {
    const { page, t, locale } = visitor;
    const email = `kept.${locale}@example.org`;
    const { database, world } = keeps.server;
    await database.db.updateTable('users').set({ email, locale }).where('id', '=', world.users.northAssigned).execute();
    const guest = await visit(keeps, locale);
    await guest.page.goto('/find-password');
    await field(guest, 'recovery:find.email').fill(email);
    await guest.button(t('recovery:find.submit')).click();
    await guest.sees(t('recovery:find.sent', { email }));

    await page.goto('/manage/system/mails');
    await visitor.sees(t('mails:keeping'), page.locator('tbody').getByText(t('mails:states.kept')).first());
    await visitor.button(t('mails:open', { receiver: email })).click();
    const token = tokenIn(await dialog(visitor).getByRole('link').getAttribute('href'));
    await guest.page.goto(`/find-password/reset#${token}`);
    await choosePassword(guest, NEW);
    await guest.sees(t('recovery:reset.doneText'));
    expect(guest.problems).toEqual([]);
    await guest.context.close();
  });
});
