import { messageOf, type UserDetail } from '@chargehand/contract';
import { ROLE_PRESETS } from '@chargehand/domain';
import { describe, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { LANGUAGES } from '../../../testing/languages.ts';
import { pick } from '../../../testing/on-screen.ts';
import { sampleList } from '../../../testing/sample.ts';
import { show } from '../../../testing/show.tsx';
import { type Answers, Refused } from '../../../testing/stub-server.ts';
import { UserActions } from './user-actions.tsx';
import UserFormPage from './user-form-page.tsx';

const choices = { listRoleChoices: { items: [] }, listCustomers: { items: [], total: 0 } } as unknown as Answers;

const user: UserDetail = {
  ...{ id: 6, userName: 'north_reader', nickName: 'Rita Wong', avatar: null, email: null, contact: '' },
  ...{ customerId: 2, customerName: 'Customer north', roleId: 3, roleName: 'Reader', root: false, enabled: true },
  ...{
    passwordState: 'own',
    secondFactor: false,
    sessions: 0,
    lastSeenAt: null,
    createdAt: '2026-01-01T00:00:00Z',
    maxSites: null,
  },
  ...{ locale: 'en-US', customerAccess: 1, siteAccess: 0, assignedSites: 0, assignedCustomers: 0, revision: 'r1' },
  ...{ invitation: null, may: { edit: true, assign: true } },
};

describe('the form of a user', () => {
  test.each(LANGUAGES)('rejects a weak password and a wrong repetition (%s)', async (locale) => {
    const path = '/manage/user/add';
    const { field, button, text, server } = await show(<UserFormPage />, {
      path,
      route: path,
      locale,
      branding: { passwordLength: 12 },
      answers: choices,
    });
    await field('people:userName').fill('night_watch');
    // Where mails are delivered, an invitation is proposed.
    await text('people:first.byHand').click();
    await field('people:password').fill('weak');
    await field('people:repeated').fill('weaker');
    await button('common:save').click();
    await expect.element(text('people:form.passwordWeak')).toBeVisible();
    await expect.element(text('people:form.passwordsDiffer')).toBeVisible();
    await field('people:password').fill('South-gate2');
    await expect.element(page.getByText(messageOf('passwordShort', locale, { least: 12 }))).toBeVisible();
    expect(server.sent('createUser')).toEqual([]);
  });

  test('requires an email address when the user is invited by mail', async () => {
    const path = '/manage/user/add';
    const { t, button, text } = await show(<UserFormPage />, { path, route: path, answers: choices });
    await text('people:first.byMail').click();
    await button('common:save').click();
    await expect.element(text('people:form.required', { label: t('people:email') })).toBeVisible();
    expect(page.getByLabelText(t('people:password'), { exact: true }).query()).toBeNull();
  });

  test('adds the role of a preset with the user, not before', async () => {
    const path = '/manage/user/add';
    const { t, field, button, text, server } = await show(<UserFormPage />, {
      ...{ path, route: path },
      answers: {
        ...choices,
        listCustomers: sampleList('listCustomers', [{ id: 2, name: 'North' }]),
        listSites: sampleList('listSites'),
        createUser: () => {
          throw new Refused('userNameExists', {}, 'userName');
        },
      },
    });
    await button('people:preset.choose').click();
    await page.getByRole('menuitem', { name: t('people:preset.maintainer') }).click();
    await expect.element(text('people:preset.added', { name: ROLE_PRESETS.maintainer })).toBeVisible();
    // The maintainer has assigned sites.
    await expect.element(field('people:sites')).toBeVisible();
    await field('people:userName').fill('night_watch');
    await text('people:first.byMail').click();
    await field('people:email').fill('watch@example.com');
    await page.getByRole('combobox', { name: t('people:customer') }).click();
    await page.getByText('North', { exact: true }).last().click();
    await button('common:save').click();
    await expect.poll(() => server.sent('createUser').map(({ body }) => body)).toHaveLength(1);
    expect(server.sent('createUser')[0]?.body).toMatchObject({ rolePreset: 'maintainer' });
    expect(server.sent('createUser')[0]?.body).not.toHaveProperty('roleId');
    expect(server.sent('createRole')).toEqual([]);
  });

  test('assigns sites of the chosen customer only, also when another one was chosen before', async () => {
    const path = '/manage/user/add';
    const sites = { 2: { id: 21, name: 'Quay' }, 3: { id: 31, name: 'Mill' } } as const;
    const { t, field, button, text, server } = await show(<UserFormPage />, {
      ...{ path, route: path },
      answers: {
        ...choices,
        listCustomers: sampleList('listCustomers', [
          { id: 2, name: 'North' },
          { id: 3, name: 'South' },
        ]),
        listSites: ({ query }) => sampleList('listSites', [query.customerId === '3' ? sites[3] : sites[2]]),
        createUser: { id: 9 },
      },
    });
    await button('people:preset.choose').click();
    await page.getByRole('menuitem', { name: t('people:preset.maintainer') }).click();
    await field('people:userName').fill('night_watch');
    await text('people:first.byMail').click();
    await field('people:email').fill('watch@example.com');
    for (const [customer, site] of [
      ['North', 'Quay'],
      ['South', 'Mill'],
    ] as const) {
      await pick(t('people:customer'), customer);
      await pick(t('people:sites'), site);
    }
    await button('common:save').click();
    await expect
      .poll(() => server.sent('createUser').map(({ body }) => body))
      .toMatchObject([{ customerId: 3, siteIds: [31] }]);
  });

  test('keeps unsaved input when somebody else saves in the meantime', async () => {
    const { field, button, server } = await show(<UserFormPage />, {
      ...{ path: '/manage/user/update/6', route: '/manage/user/update/:id' },
      answers: {
        ...choices,
        readUser: user,
        updateUser: () => {
          throw new Refused('changedMeanwhile');
        },
      },
    });
    await expect.element(field('people:nickName')).toHaveValue('Rita Wong');
    await field('people:contact').fill('+852 5555 0100');
    await button('common:save').click();
    await expect.element(page.getByText(messageOf('changedMeanwhile', 'en-US'))).toBeVisible();
    await expect.element(field('people:contact')).toHaveValue('+852 5555 0100');
    expect(server.sent('updateUser')[0]?.body).toMatchObject({ revision: 'r1', contact: '+852 5555 0100' });
  });
});

describe('the actions of a user', () => {
  test.each([
    [1, false],
    [2, true],
  ])('of account %i, seen by account 1, offer disabling and deleting: %s', async (id, offered) => {
    const { t, button } = await show(<UserActions user={{ ...user, id }} />);
    await button('people:actionsOf', { name: user.userName }).click();
    const entry = (key: string) => page.getByRole('menuitem', { name: t(key), exact: true });
    await expect.element(entry('people:edit')).toBeVisible();
    expect([entry('people:disable').query() !== null, entry('people:delete').query() !== null]).toEqual([
      offered,
      offered,
    ]);
  });
});
