import type { Account } from '@chargehand/contract';
import { useQuery } from '@tanstack/react-query';
import { type ComponentType, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../shared/api/query.ts';
import { useUser } from '../../shared/session/use-user.ts';
import { Page, Panel } from '../../shared/ui/page/page-header.tsx';
import { ErrorState } from '../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../shared/ui/states/skeleton-rows.tsx';
import { Describe } from '../../shared/ui/values/describe.tsx';
import css from './account.module.css';
import { BaseInfo } from './base-info.tsx';
import { OwnSessions } from './own-sessions.tsx';
import { PasswordForm } from './password-form.tsx';
import { PreferenceChoices } from './preference-choices.tsx';
import { SecondFactor } from './second-factor/second-factor.tsx';
import { SignIns } from './sign-ins.tsx';

/** Parts of the page that belong to other features. */
export interface MyParts {
  /** changes the picture; shown before the basic information */
  avatar?: ComponentType<{ account: Account }>;
  /** changes the email address; without it the address is read-only */
  email?: ComponentType<{ account: Account }>;
}

/** The user's own account: profile, password, language and theme, sessions. */
export function MyPage({ parts }: { parts: MyParts }) {
  const { t } = useTranslation('account');
  const { t: routes } = useTranslation('routes');
  const { languageSwitch } = useUser().info.settings;
  const account = useQuery(queryOf('readAccount', {}, { quiet: true }));
  if (!account.data) {
    return (
      <Page title={routes('my')}>
        {account.isError ? (
          <ErrorState error={account.error} onRetry={() => void account.refetch()} />
        ) : (
          <SkeletonRows />
        )}
      </Page>
    );
  }
  const { data } = account;
  const { avatar: Avatar, email: Email = PresentEmail } = parts;
  return (
    <Page title={routes('my')} note={data.userName}>
      <div className={css.myColumns}>
        <div className="stack">
          <Panel title={t('base.title')}>
            <div className="stack">
              {Avatar && (
                <Suspense>
                  <Avatar account={data} />
                </Suspense>
              )}
              <BaseInfo account={data} />
            </div>
          </Panel>
          <Panel title={t(languageSwitch ? 'preferences.both' : 'preferences.theme')}>
            <PreferenceChoices />
          </Panel>
        </div>
        <div className="stack">
          <Panel title={t('password.title')}>
            <PasswordForm userName={data.userName} />
          </Panel>
          <Panel title={t('factor.title')}>
            <SecondFactor />
          </Panel>
          <Panel title={t('email.title')}>
            <Suspense fallback={<SkeletonRows rows={1} />}>
              <Email account={data} />
            </Suspense>
          </Panel>
        </div>
      </div>
      <OwnSessions />
      <SignIns signIns={data.signIns} />
    </Page>
  );
}

function PresentEmail({ account }: { account: Account }) {
  const { t } = useTranslation('account');
  return <Describe items={[{ key: 'email', label: t('email.present'), value: account.email }]} />;
}
