import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { call } from '../../../shared/api/client.ts';
import { refresh } from '../../../shared/api/query.ts';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { EditPage } from '../../../shared/ui/form-page/edit-page.tsx';
import { Page } from '../../../shared/ui/page/page-header.tsx';
import { sitePath } from '../places/place-paths.ts';
import { SiteForm } from './site-form.tsx';

/** Adds a site (`/add`) or changes one (`/update/:id`). */
export default function SiteFormPage() {
  const { id } = useParams();
  return id === undefined ? <AddSite /> : <EditSite key={id} id={Number(id)} />;
}

/** The page to open after saving: the site, or the list for users who may not open it. */
function useAfterwards() {
  const mayOpen = usePermitted(['auth_site_detail']);
  return (id: number) => (mayOpen ? sitePath(id) : '/manage/site/list');
}

function AddSite() {
  const { t } = useTranslation('places');
  const { t: routes } = useTranslation('routes');
  const afterwards = useAfterwards();
  return (
    <Page title={routes('siteAdd')}>
      <SiteForm
        onSave={async (fields) => {
          const { id } = await call('createSite', { body: fields }, { quiet: true });
          await refresh('listSites', 'listCustomers', 'readCustomer');
          toast.success(t('form.added', { name: fields.name }));
          return afterwards(id);
        }}
      />
    </Page>
  );
}

function EditSite({ id }: { id: number }) {
  const { t } = useTranslation('places');
  const { t: routes } = useTranslation('routes');
  const afterwards = useAfterwards();
  return (
    <EditPage title={routes('siteEdit')} read="readSite" input={{ params: { id } }} nameOf={({ name }) => name}>
      {(site) => (
        <SiteForm
          site={site}
          onSave={async ({ customerId: _, ...fields }) => {
            const { revision } = site;
            await call('updateSite', { params: { id }, body: { ...fields, revision } }, { quiet: true });
            await refresh('listSites', 'readSite', 'listDevices', 'readDevice');
            toast.success(t('form.saved', { name: fields.name }));
            return afterwards(id);
          }}
        />
      )}
    </EditPage>
  );
}
