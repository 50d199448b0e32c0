import type { DeviceDetail, NewCommand } from '@chargehand/contract';
import type { FirmwareKind, Transport } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { queryOf, refresh } from '../../shared/api/query.ts';
import { useRequestKey } from '../../shared/hooks/use-request-key.ts';
import { ANY_LOG, logInputsOf } from '../../shared/lib/requested-log.ts';
import { START_NOW, type StartForm, startInputsOf } from '../../shared/lib/upgrade-start.ts';
import { Confirm } from '../../shared/ui/dialogs/confirm.tsx';
import { EmptyState } from '../../shared/ui/states/empty-state.tsx';
import { ErrorState } from '../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../shared/ui/states/skeleton-rows.tsx';
import { FirmwareField, LogFields, StartField, TransportField } from '../../shared/ui/transfers/transfer-fields.tsx';

interface Props {
  device: DeviceDetail;
  onClose(): void;
}

interface UpgradeProps {
  kind: FirmwareKind;
  /** a vehicle is charging, and the model allows the upgrade only without one */
  charging: boolean;
}

/** Selects the firmware of a device and the start of the upgrade, and sends the command. */
export function FirmwareUpdateDialog({ device, kind, charging, onClose }: Props & UpgradeProps) {
  const { t } = useTranslation('transfers');
  const choices = useQuery(queryOf('firmwareChoices', { params: { id: device.id }, query: { kind } }, { quiet: true }));
  const [firmwareId, setFirmwareId] = useState<number | null>(null);
  const [transport, setTransport] = useState<Transport>('http');
  const [start, setStart] = useState<StartForm>(
    charging || !device.connected ? { ...START_NOW, start: 'whenIdle' } : START_NOW,
  );
  const send = useSend(device);
  const inputs = startInputsOf(start);
  const items = choices.data?.items ?? [];
  const command: NewCommand = {
    kind: kind === 'plc' ? 'updatePlcFirmware' : 'upgradeSoftware',
    firmwareId: firmwareId ?? 0,
    transport,
    ...inputs,
  };
  return (
    <Confirm
      title={t(`update.${kind}.title`, { name: device.name })}
      ok={t(`update.${kind}.do`)}
      width={520}
      ready={items.some(({ id }) => id === firmwareId) && inputs !== null}
      run={() => send(command)}
      onDone={onClose}
      onClose={onClose}
    >
      <p>{t(`update.${kind}.text`, { name: device.name })}</p>
      {choices.isLoadingError ? (
        <ErrorState error={choices.error} onRetry={() => void choices.refetch()} />
      ) : !choices.data ? (
        <SkeletonRows rows={3} />
      ) : items.length === 0 ? (
        <EmptyState text={t('update.none')} />
      ) : (
        <div className="transfer-form">
          <p className="quiet">
            {choices.data.softVersion === ''
              ? t('update.runsUnknown')
              : t('update.runs', { version: choices.data.softVersion })}
          </p>
          <FirmwareField items={items} value={firmwareId} onChange={setFirmwareId} />
          <StartField value={start} offline={!device.connected} onChange={setStart} />
          {charging && start.start === 'now' && <p className="warning-note">{t('start.refused')}</p>}
          <TransportField value={transport} onChange={setTransport} />
        </div>
      )}
    </Confirm>
  );
}

/** Requests a log from a device. */
export function LogDialog({ device, onClose }: Props) {
  const { t } = useTranslation('transfers');
  const [wanted, setWanted] = useState(ANY_LOG);
  const [transport, setTransport] = useState<Transport>('http');
  const send = useSend(device);
  const command: NewCommand = { kind: 'uploadLog', ...logInputsOf(wanted), transport };
  return (
    <Confirm
      title={t('log.title', { name: device.name })}
      ok={t('log.do')}
      width={520}
      run={() => send(command)}
      onDone={onClose}
      onClose={onClose}
    >
      <p>{t('log.text', { name: device.name })}</p>
      <div className="transfer-form">
        <LogFields value={wanted} onChange={setWanted} />
        <TransportField value={transport} onChange={setTransport} />
      </div>
    </Confirm>
  );
}

function useSend({ id }: DeviceDetail) {
  const withKey = useRequestKey();
  return async (command: NewCommand): Promise<void> => {
    await withKey(command, (requestKey) =>
      call('sendCommand', { params: { id }, body: { ...command, requestKey } }, { quiet: true }),
    );
    void refresh('listTransfers', 'listExecutions');
  };
}
