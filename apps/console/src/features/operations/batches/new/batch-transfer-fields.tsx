import { type FirmwareKind, isSameVersion, type TransferKind } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../../shared/api/query.ts';
import { ErrorState } from '../../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../../shared/ui/states/skeleton-rows.tsx';
import {
  FirmwareField,
  LogFields,
  StartField,
  TransportField,
} from '../../../../shared/ui/transfers/transfer-fields.tsx';
import type { FileForm } from './batch-form.ts';

/** The number of versions that are listed before the rest is counted. */
const NAMED = 3;

interface Props {
  deviceIds: readonly number[];
  form: FileForm;
  onChange(part: Partial<FileForm>): void;
}

/** The file to transfer: the firmware that each device downloads, or the log that each device uploads. */
export function BatchTransferFields({ kind, ...props }: Props & { kind: TransferKind }) {
  const { t } = useTranslation('batches');
  const { form, onChange } = props;
  return (
    <div className="transfer-form">
      <p className="quiet">{t(`files.${kind}`)}</p>
      {kind === 'log' ? (
        <LogFields value={form.log} onChange={(log) => onChange({ log })} />
      ) : (
        <Firmware kind={kind} {...props} />
      )}
      <TransportField value={form.transport} onChange={(transport) => onChange({ transport })} />
    </div>
  );
}

function Firmware({ kind, deviceIds, form, onChange }: Props & { kind: FirmwareKind }) {
  const { t } = useTranslation('batches');
  const common = useQuery(queryOf('commonFirmware', { body: { deviceIds: [...deviceIds], kind } }, { quiet: true }));
  if (common.isLoadingError) return <ErrorState error={common.error} onRetry={() => void common.refetch()} />;
  if (!common.data) return <SkeletonRows rows={2} />;
  const { versions, items } = common.data;
  if (items.length === 0) return <p className="warning-note">{t('files.none')}</p>;
  const chosen = items.find(({ id }) => id === form.firmwareId);
  const running = versions.filter(({ version }) => chosen && isSameVersion(version, chosen.version));
  const count = running.reduce((sum, { devices }) => sum + devices, 0);
  const named = versions.slice(0, NAMED).map(({ version, devices }) => {
    const what = version === '' ? t('files.notReported') : version;
    return `${what} × ${devices}`;
  });
  const rest = versions.length - named.length;
  const list = rest > 0 ? [...named, t('files.moreVersions', { count: rest })] : named;
  return (
    <>
      <p className="quiet">{t('files.running', { list: list.join(t('files.comma')) })}</p>
      <FirmwareField items={items} value={form.firmwareId} onChange={(firmwareId) => onChange({ firmwareId })} />
      <StartField value={form.start} onChange={(start) => onChange({ start })} />
      {count > 0 && <p className="warning-note">{t('files.already', { count })}</p>}
    </>
  );
}
