import { useTranslation } from 'react-i18next';
import { useParams, useSearchParams } from 'react-router';
import { call } from '../../../../shared/api/client.ts';
import { refresh } from '../../../../shared/api/query.ts';
import { seal } from '../../../../shared/api/seal.ts';
import { useTabLabel } from '../../../../shared/hooks/use-tab-label.ts';
import { toast } from '../../../../shared/ui/dialogs/toast.ts';
import { EditPage } from '../../../../shared/ui/form-page/edit-page.tsx';
import { Page } from '../../../../shared/ui/page/page-header.tsx';
import { detailPath } from '../device-paths.ts';
import { DeviceForm } from './device-form.tsx';
import '../devices.module.css';

/** Registers a device (`/add/:SN?`) or changes the record of one (`/update/:id`). */
export default function DeviceFormPage() {
  const { id, SN } = useParams();
  return id === undefined ? <AddDevice key={SN} sn={SN ?? ''} /> : <EditDevice key={id} id={Number(id)} />;
}

function AddDevice({ sn }: { sn: string }) {
  const { t } = useTranslation('fleet');
  const { t: routes } = useTranslation('routes');
  const [search] = useSearchParams();
  useTabLabel(sn || undefined);
  return (
    <Page title={routes('deviceAdd')} note={sn ? t('form.withSn', { sn }) : t('form.addNote')}>
      <DeviceForm
        sn={sn}
        snFixed={sn !== ''}
        suggested={suggestedModel(search)}
        onSave={async ({ sn: entered, ...fields }) => {
          const { id } = await call(
            'createDevice',
            { body: { sn: entered, ...(await sealed(fields)) } },
            { quiet: true },
          );
          await refresh('listDevices', 'countDevices', 'listWaitingDevices');
          toast.success(t('form.registered', { name: fields.name }));
          return detailPath(id);
        }}
      />
    </Page>
  );
}

/** The fields with the password encrypted for the server. */
async function sealed<F extends { gatewayPassword?: string | null }>(fields: F): Promise<F> {
  return fields.gatewayPassword ? { ...fields, gatewayPassword: await seal(fields.gatewayPassword) } : fields;
}

/** The model that the reported name is mapped to, as passed by the list of waiting devices. */
function suggestedModel(search: URLSearchParams): { id: number; name: string } | undefined {
  const id = Number(search.get('model'));
  return Number.isInteger(id) && id > 0 ? { id, name: search.get('name') ?? '' } : undefined;
}

function EditDevice({ id }: { id: number }) {
  const { t } = useTranslation('fleet');
  const { t: routes } = useTranslation('routes');
  return (
    <EditPage title={routes('deviceEdit')} read="readDevice" input={{ params: { id } }} nameOf={({ name }) => name}>
      {(device) => (
        <DeviceForm
          sn={device.sn}
          snFixed
          device={device}
          onSave={async ({ sn: _, ...fields }) => {
            const { revision } = device;
            await call(
              'updateDevice',
              { params: { id }, body: { ...(await sealed(fields)), revision } },
              { quiet: true },
            );
            await refresh('listDevices', 'countDevices', 'readDevice');
            toast.success(t('form.saved', { name: fields.name }));
            return detailPath(id);
          }}
        />
      )}
    </EditPage>
  );
}
