import type { WaitingDeviceRow } from '@chargehand/contract';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import type { Static } from 'typebox';
import { call } from '../../../../shared/api/client.ts';
import { queryOf, refresh } from '../../../../shared/api/query.ts';
import { seal } from '../../../../shared/api/seal.ts';
import { useTabLabel } from '../../../../shared/hooks/use-tab-label.ts';
import { protocolName } from '../../../../shared/lib/protocol-name.ts';
import { usePermitted } from '../../../../shared/session/permitted.tsx';
import { toast } from '../../../../shared/ui/dialogs/toast.ts';
import { EditPage } from '../../../../shared/ui/form-page/edit-page.tsx';
import { Page, Panel } from '../../../../shared/ui/page/page-header.tsx';
import { SkeletonRows } from '../../../../shared/ui/states/skeleton-rows.tsx';
import { Describe } from '../../../../shared/ui/values/describe.tsx';
import { Dash } from '../../../../shared/ui/values/time-ago.tsx';
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
  const waits = usePermitted(['auth_black_device']);
  const found = useQuery({
    ...queryOf('listWaitingDevices', { query: { page: 1, pageSize: 100, search: sn } }, { quiet: true }),
    enabled: sn !== '' && waits,
  });
  useTabLabel(sn || undefined);
  const title = routes('deviceAdd');
  if (found.isLoading) {
    return (
      <Page title={title} note={t('form.withSn', { sn })}>
        <SkeletonRows rows={8} />
      </Page>
    );
  }
  // Without the entry, the form is filled in by hand.
  const entry = found.data?.items.find((one) => one.sn === sn);
  const model = entry?.proposedModel;
  const site = entry?.proposedSite;
  return (
    <Page title={title} note={sn ? t('form.withSn', { sn }) : t('form.addNote')}>
      {entry && <Reported entry={entry} />}
      <DeviceForm
        sn={sn}
        snFixed={sn !== ''}
        proposed={{
          ...(model && { model }),
          ...(site && { site, siteReason: t('form.siteOfAddress', { count: site.devices }) }),
        }}
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

/** What a waiting device said about itself. */
function Reported({ entry }: { entry: Static<typeof WaitingDeviceRow> }) {
  const { t } = useTranslation('fleet');
  const { vendor, model, serialNumber, firmwareVersion, mac, protocolVersion, remoteAddress } = entry;
  return (
    <Panel title={t('form.reported')}>
      <Describe
        items={[
          {
            key: 'model',
            label: t('waiting.vendorModel'),
            value: [vendor, model].filter(Boolean).join(' · ') || <Dash />,
          },
          { key: 'protocol', label: t('form.protocol'), value: protocolName(protocolVersion) },
          { key: 'firmware', label: t('waiting.firmware'), value: firmwareVersion ?? <Dash /> },
          { key: 'serial', label: t('waiting.serialNumber'), value: serialNumber ?? <Dash /> },
          { key: 'address', label: t('remoteAddress'), value: <span className="mono">{remoteAddress}</span> },
          ...(mac ? [{ key: 'mac', label: t('waiting.mac'), value: <span className="mono">{mac}</span> }] : []),
        ]}
      />
    </Panel>
  );
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
