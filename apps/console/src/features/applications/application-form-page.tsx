import type { ApplicationDetail, NewSecret } from '@chargehand/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { call } from '../../shared/api/client.ts';
import { refresh } from '../../shared/api/query.ts';
import { toast } from '../../shared/ui/dialogs/toast.ts';
import { EditPage } from '../../shared/ui/form-page/edit-page.tsx';
import { Page } from '../../shared/ui/page/page-header.tsx';
import { ApplicationForm } from './application-form.tsx';
import { NewSecretDialog } from './new-secret-dialog.tsx';

const detail = (id: number) => `/manage/system/application/detail/${id}`;

/** Adds an application, or changes one (`/update/:id`). */
export default function ApplicationFormPage() {
  const { id } = useParams();
  return id === undefined ? <AddApplication /> : <EditApplication key={id} id={Number(id)} />;
}

function AddApplication() {
  const { t: routes } = useTranslation('routes');
  const navigate = useNavigate();
  const [secret, setSecret] = useState<NewSecret | null>(null);
  return (
    <Page title={routes('applicationAdd')}>
      <ApplicationForm
        onSave={async (body) => {
          const created = await call('createApplication', { body }, { quiet: true });
          setSecret(created);
          await refresh('listApplications');
          // The page stays until the secret was stored.
          return '/manage/system/application/add';
        }}
      />
      {secret && <NewSecretDialog secret={secret} onClose={() => navigate(detail(secret.id), { replace: true })} />}
    </Page>
  );
}

function EditApplication({ id }: { id: number }) {
  const { t: routes } = useTranslation('routes');
  return (
    <EditPage
      title={routes('applicationEdit')}
      read="readApplication"
      input={{ params: { id } }}
      nameOf={({ name }) => name}
    >
      {(application) => <EditForm application={application} />}
    </EditPage>
  );
}

function EditForm({ application }: { application: ApplicationDetail }) {
  const { t } = useTranslation('applications');
  const { id, revision } = application;
  return (
    <ApplicationForm
      application={application}
      onSave={async ({ userId: _, ...fields }) => {
        await call('updateApplication', { params: { id }, body: { ...fields, revision } }, { quiet: true });
        await refresh('listApplications', 'readApplication');
        toast.success(t('saved', { name: fields.name }));
        return detail(id);
      }}
    />
  );
}
