import type { UserDetail } from '@chargehand/contract';
import { CUSTOMER_ACCESS, formatTime, SITE_ACCESS } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { queryOf } from '../../../shared/api/query.ts';
import { useRoleName } from '../../../shared/i18n/use-role-name.ts';
import { DetailPage } from '../../../shared/ui/detail-page/detail-page.tsx';
import { LinkButton } from '../../../shared/ui/page/link-button.tsx';
import { Page, Panel } from '../../../shared/ui/page/page-header.tsx';
import { OpenedPicture } from '../../../shared/ui/pictures/stored-picture.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { Describe } from '../../../shared/ui/values/describe.tsx';
import { Dash, ExactTime, TimeAgo } from '../../../shared/ui/values/time-ago.tsx';
import { AbilitiesPanel } from '../explain/abilities-panel.tsx';
import { ExplainPanel } from '../explain/explain-panel.tsx';
import css from '../people.module.css';
import { UserActions } from './user-actions.tsx';
import { UserState } from './user-state.tsx';

/** A user: profile, role, and assigned customers and sites. */
export default function UserDetailPage() {
  const { t: routes } = useTranslation('routes');
  const id = Number(useParams().id);
  return (
    <DetailPage
      title={routes('userDetail')}
      read="readUser"
      input={{ params: { id } }}
      nameOf={(user) => user.userName}
    >
      {(user) => <Shown user={user} />}
    </DetailPage>
  );
}

function Shown({ user: data }: { user: UserDetail }) {
  const { t } = useTranslation('people');
  const navigate = useNavigate();
  const { id } = data;
  return (
    <Page
      title={data.userName}
      note={<UserState user={data} />}
      actions={
        <>
          {data.may.assign && !data.root && <LinkButton to={`/manage/user/auth/${id}`}>{t('user.assign')}</LinkButton>}
          {data.may.edit && <LinkButton to={`/manage/user/update/${id}`}>{t('edit')}</LinkButton>}
          {data.may.edit && (
            <UserActions user={data} onDeleted={() => navigate('/manage/user/list', { replace: true })} />
          )}
        </>
      }
    >
      <Facts user={data} />
      <Assigned user={data} />
      <AbilitiesPanel user={data} />
      <ExplainPanel userId={data.id} />
    </Page>
  );
}

function Facts({ user }: { user: UserDetail }) {
  const roleNameOf = useRoleName();
  const { t } = useTranslation('people');
  const { t: common } = useTranslation();
  return (
    <Panel title={t('user.base')}>
      {user.avatar && (
        <OpenedPicture of={user.avatar} alt={t('avatarOf', { name: user.userName })} width={120} height={120} />
      )}
      <Describe
        items={[
          { key: 'nickName', label: t('nickName'), value: user.nickName },
          { key: 'customer', label: t('customer'), value: user.customerName },
          { key: 'role', label: t('roleOf'), value: user.root ? t('user.root') : roleNameOf(user.roleName) },
          { key: 'email', label: t('email'), value: user.email },
          { key: 'contact', label: t('contact'), value: user.contact },
          { key: 'locale', label: t('first.locale'), value: common(`language.${user.locale}`) },
          { key: 'password', label: t('password'), value: <PasswordFact user={user} /> },
          { key: 'maxSites', label: t('maxSites'), value: user.maxSites ?? t('form.noLimit') },
          { key: 'sessions', label: t('user.sessions'), value: user.sessions },
          {
            key: 'lastSeen',
            label: t('user.lastSeen'),
            value: user.lastSeenAt ? <TimeAgo at={user.lastSeenAt} /> : <Dash />,
          },
          { key: 'createdAt', label: t('createdAt'), value: <ExactTime at={user.createdAt} /> },
        ]}
      />
    </Panel>
  );
}

/** Who knows the password, and the state of an invitation. */
function PasswordFact({ user }: { user: UserDetail }) {
  const { t } = useTranslation('people');
  if (user.passwordState === 'own') return t('first.own');
  if (user.passwordState === 'given') return t('first.givenHint');
  const { invitation } = user;
  if (!invitation) return t('first.invitationVoid');
  const until = formatTime(invitation.expiresAt);
  const over = Date.parse(invitation.expiresAt) <= Date.now();
  return over ? t('first.invitationOver', { until }) : t('first.invitationWaits', { until });
}

/** What the user can see, and why. */
function Assigned({ user }: { user: UserDetail }) {
  const { t } = useTranslation('people');
  const byCustomer = user.customerAccess === CUSTOMER_ACCESS.assigned;
  const bySite = user.siteAccess === SITE_ACCESS.assigned;
  const assigned = useQuery({
    ...queryOf('readAssignments', { params: { id: user.id } }, { quiet: true }),
    enabled: byCustomer || bySite,
  });
  return (
    <Panel title={t('user.sees')}>
      <div className="stack">
        <p>
          {user.root
            ? t('user.seesAll')
            : `${t(`customerAccess.${(user.customerAccess ?? 1) as 0}`)} · ${t(`siteAccess.${(user.siteAccess ?? 1) as 0}`)}`}
        </p>
        {assigned.isError && <ErrorState error={assigned.error} onRetry={() => void assigned.refetch()} />}
        {byCustomer && assigned.data && <Names title={t('user.assignedCustomers')} names={assigned.data.customers} />}
        {bySite && assigned.data && (
          <Names
            title={t('user.assignedSites')}
            names={assigned.data.sites.map((site) => ({ id: site.id, name: `${site.customerName} / ${site.name}` }))}
          />
        )}
      </div>
    </Panel>
  );
}

function Names({ title, names }: { title: string; names: readonly { id: number; name: string }[] }) {
  return (
    <section>
      <h3 className={css.assignedTitle}>{`${title} (${names.length})`}</h3>
      {names.length === 0 ? (
        <Dash />
      ) : (
        <ul className={css.assignedList}>
          {names.map(({ id, name }) => (
            <li key={id}>{name}</li>
          ))}
        </ul>
      )}
    </section>
  );
}
