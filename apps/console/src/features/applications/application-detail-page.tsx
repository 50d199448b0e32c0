import type { ApplicationDetail, NewSecret } from '@chargehand/contract';
import { OPEN_OPERATION_GROUPS, type OpenOperationName } from '@chargehand/domain';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useParams } from 'react-router';
import { call } from '../../shared/api/client.ts';
import { refresh } from '../../shared/api/query.ts';
import { usePermitted } from '../../shared/session/permitted.tsx';
import { DetailPage } from '../../shared/ui/detail-page/detail-page.tsx';
import { Confirm } from '../../shared/ui/dialogs/confirm.tsx';
import { toast } from '../../shared/ui/dialogs/toast.ts';
import { LinkButton } from '../../shared/ui/page/link-button.tsx';
import { Page, Panel } from '../../shared/ui/page/page-header.tsx';
import { OpenedPicture } from '../../shared/ui/pictures/stored-picture.tsx';
import { Copyable } from '../../shared/ui/values/copyable.tsx';
import { Describe } from '../../shared/ui/values/describe.tsx';
import { ExactTime, TimeAgo } from '../../shared/ui/values/time-ago.tsx';
import { ApplicationActions } from './application-actions.tsx';
import { ApplicationState } from './application-state.tsx';
import './applications.module.css';
import { ExplainPanel } from './explain-panel.tsx';
import { NewSecretDialog } from './new-secret-dialog.tsx';
import { UsagePanel } from './usage-panel.tsx';
import { WebhooksPanel } from './webhooks-panel.tsx';

/** An application: whom it acts for, what it may do, its secrets and its use. */
export default function ApplicationDetailPage() {
  const { t: routes } = useTranslation('routes');
  const id = Number(useParams().id);
  return (
    <DetailPage
      title={routes('applicationDetail')}
      read="readApplication"
      input={{ params: { id } }}
      nameOf={({ name }) => name}
    >
      {(application) => <Shown application={application} />}
    </DetailPage>
  );
}

function Shown({ application }: { application: ApplicationDetail }) {
  const { t } = useTranslation('applications');
  const navigate = useNavigate();
  const mayEdit = usePermitted(['auth_application_edit']);
  const { id, name } = application;
  return (
    <Page
      title={name}
      note={<ApplicationState state={application.state} />}
      actions={
        <>
          {mayEdit && <LinkButton to={`/manage/system/application/update/${id}`}>{t('edit')}</LinkButton>}
          <ApplicationActions
            application={application}
            onDeleted={() => navigate('/manage/system/application/list', { replace: true })}
          />
        </>
      }
    >
      {application.state === 'userMissing' && <p className="warning-note">{t('state.userMissingHint')}</p>}
      <Facts application={application} />
      <Operations application={application} />
      <Secrets application={application} mayEdit={mayEdit} />
      <WebhooksPanel id={id} mayEdit={mayEdit} />
      <ExplainPanel applicationId={id} />
      <UsagePanel id={id} name={name} />
    </Page>
  );
}

function Facts({ application }: { application: ApplicationDetail }) {
  const { t } = useTranslation('applications');
  const mayUser = usePermitted(['auth_user_detail']);
  const { boundUser, allowedAddresses, expiresAt, lastUsedAt } = application;
  const user = boundUser && (boundUser.nickName ? `${boundUser.userName} · ${boundUser.nickName}` : boundUser.userName);
  return (
    <Panel title={t('baseInfo')}>
      {application.icon && <OpenedPicture of={application.icon} alt={t('icon')} width={64} height={64} />}
      <Describe
        items={[
          { key: 'appId', label: t('appId'), value: <Copyable text={application.appId} /> },
          {
            key: 'user',
            label: t('boundUser'),
            value: boundUser && mayUser ? <Link to={`/manage/user/detail/${boundUser.id}`}>{user}</Link> : user,
          },
          { key: 'description', label: t('description'), value: application.description },
          { key: 'addresses', label: t('allowedAddresses'), value: allowedAddresses.join(', ') || t('anyAddress') },
          { key: 'rate', label: t('rateLimit'), value: application.rateLimit },
          { key: 'expires', label: t('expiresAt'), value: expiresAt ? <ExactTime at={expiresAt} /> : t('never') },
          { key: 'installed', label: t('installedAt'), value: <ExactTime at={application.installedAt} /> },
          { key: 'used', label: t('lastUsed'), value: lastUsedAt ? <TimeAgo at={lastUsedAt} /> : t('neverUsed') },
        ]}
      />
    </Panel>
  );
}

/** What the application may call, and which of it its user may not. */
function Operations({ application }: { application: ApplicationDetail }) {
  const { t } = useTranslation('applications');
  const shown = (of: (id: string) => boolean) =>
    (Object.values(OPEN_OPERATION_GROUPS).flat() as OpenOperationName[])
      .filter((name) => of(`open.${name}`))
      .map((name) => t(`operation.${name}`))
      .join(t('comma'));
  const { allowedOperations, boundUser } = application;
  // Without a user the page says so once, instead of for each operation.
  const unreachable = boundUser === null ? [] : application.unreachable;
  return (
    <Panel title={t('allowedOperations')}>
      <p>{shown((id) => allowedOperations.includes(id) && !unreachable.includes(id)) || t('noOperations')}</p>
      {unreachable.length > 0 && (
        <p className="warning-note">{t('unreachable', { operations: shown((id) => unreachable.includes(id)) })}</p>
      )}
    </Panel>
  );
}

type Secret = ApplicationDetail['secrets'][number];

function Secrets({ application, mayEdit }: { application: ApplicationDetail; mayEdit: boolean }) {
  const { t } = useTranslation('applications');
  const [created, setCreated] = useState<NewSecret | null>(null);
  const [dialog, setDialog] = useState<'rotate' | Secret | null>(null);
  const { id, name, secrets } = application;
  return (
    <Panel
      title={t('secrets')}
      extra={
        mayEdit && (
          <Button onClick={() => setDialog('rotate')} disabled={secrets.length > 1}>
            {t('rotate.ok')}
          </Button>
        )
      }
    >
      <ul className="row-list">
        {secrets.map((secret) => (
          <li key={secret.id}>
            <span className="mono">…{secret.ending}</span> · {t('secret.created')} <ExactTime at={secret.createdAt} /> ·{' '}
            {secret.lastUsedAt ? (
              <>
                {t('lastUsed')} <TimeAgo at={secret.lastUsedAt} />
              </>
            ) : (
              t('neverUsed')
            )}
            {secret.validUntil && (
              <>
                {' '}
                · {t('secret.until')} <ExactTime at={secret.validUntil} />
                {mayEdit && (
                  <Button type="link" danger onClick={() => setDialog(secret)}>
                    {t('remove.ok')}
                  </Button>
                )}
              </>
            )}
          </li>
        ))}
      </ul>
      {dialog === 'rotate' && (
        <Confirm
          title={t('rotate.title', { name })}
          ok={t('rotate.ok')}
          run={() => call('rotateApplicationSecret', { params: { id }, body: {} }, { quiet: true })}
          onDone={(secret) => {
            setDialog(null);
            setCreated(secret);
            void refresh('readApplication');
          }}
          onClose={() => setDialog(null)}
        >
          <p>{t('rotate.text')}</p>
        </Confirm>
      )}
      {dialog !== null && dialog !== 'rotate' && (
        <Confirm
          title={t('remove.title', { ending: dialog.ending })}
          ok={t('remove.ok')}
          danger
          run={() => call('removeApplicationSecret', { params: { id, secretId: dialog.id } }, { quiet: true })}
          onDone={() => {
            toast.success(t('remove.done'));
            setDialog(null);
            void refresh('readApplication');
          }}
          onClose={() => setDialog(null)}
        >
          <p>{t('remove.text')}</p>
        </Confirm>
      )}
      {created && <NewSecretDialog secret={created} onClose={() => setCreated(null)} />}
    </Panel>
  );
}
