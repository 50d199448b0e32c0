import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { call } from '../../../shared/api/client.ts';
import { refresh } from '../../../shared/api/query.ts';
import { seal } from '../../../shared/api/seal.ts';
import { useUser } from '../../../shared/session/use-user.ts';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { EditPage } from '../../../shared/ui/form-page/edit-page.tsx';
import { Page } from '../../../shared/ui/page/page-header.tsx';
import { UserForm } from './user-form.tsx';
import '../people.module.css';

/** Adds a user, or changes one (`/update/:id`). */
export default function UserFormPage() {
  const { id } = useParams();
  return id === undefined ? <AddUser /> : <EditUser key={id} id={Number(id)} />;
}

function AddUser() {
  const { t } = useTranslation('people');
  const { t: routes } = useTranslation('routes');
  const { mailsDelivered } = useUser().info.settings;
  const invited = mailsDelivered ? 'first.addedInvited' : 'first.addedKept';
  return (
    <Page title={routes('userAdd')}>
      <UserForm
        onSave={async ({ userName, password, siteIds, maxSites, ...fields }) => {
          const body = {
            userName,
            siteIds,
            ...fields,
            // Without a limit, the server uses the limit of the user who adds the account.
            ...(maxSites === null ? {} : { maxSites }),
            ...(password === null ? {} : { password: await seal(password) }),
          };
          const { id } = await call('createUser', { body }, { quiet: true });
          await refresh('listUsers', 'listRoles', 'listRoleChoices');
          toast.success(t(password === null ? invited : 'user.added', { name: userName }));
          return `/manage/user/detail/${id}`;
        }}
      />
    </Page>
  );
}

function EditUser({ id }: { id: number }) {
  const { t } = useTranslation('people');
  const { t: routes } = useTranslation('routes');
  return (
    <EditPage title={routes('userEdit')} read="readUser" input={{ params: { id } }} nameOf={(user) => user.userName}>
      {(user) => (
        <>
          {!user.may.edit && <p className="warning-note">{t('user.beyond')}</p>}
          <UserForm
            user={user}
            onSave={async ({ nickName, avatar, email, contact, customerId, roleId, rolePreset, maxSites }) => {
              const body = {
                nickName,
                avatar,
                email,
                contact,
                customerId,
                ...(roleId === undefined ? {} : { roleId }),
                ...(rolePreset === undefined ? {} : { rolePreset }),
                maxSites,
                revision: user.revision,
              };
              await call('updateUser', { params: { id }, body }, { quiet: true });
              await refresh('listUsers', 'readUser', 'listRoles', 'listRoleChoices');
              toast.success(t('user.saved', { name: user.userName }));
              return `/manage/user/detail/${id}`;
            }}
          />
        </>
      )}
    </EditPage>
  );
}
