import type { DeviceDetail, NewCommand } from '@chargehand/contract';
import { type FirmwareKind, formatSize, LOG_TYPES, type LogType, TRANSPORTS, type Transport } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { DatePicker, Radio, Select } from 'antd';
import type { Dayjs } from 'dayjs';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { queryOf, refresh } from '../../shared/api/query.ts';
import { Confirm } from '../../shared/ui/confirm.tsx';
import { EmptyState } from '../../shared/ui/empty-state.tsx';
import { ErrorState } from '../../shared/ui/error-state.tsx';
import { SkeletonRows } from '../../shared/ui/skeleton-rows.tsx';
import { FormField } from './form-field.tsx';

interface Props {
  device: DeviceDetail;
  onClose(): void;
}

/** Chooses what a device is to install, and asks it. */
export function FirmwareUpdateDialog({ device, kind, onClose }: Props & { kind: FirmwareKind }) {
  const { t } = useTranslation('transfers');
  const id = useId();
  const choices = useQuery(queryOf('firmwareChoices', { params: { id: device.id }, query: { kind } }, { quiet: true }));
  const [firmwareId, setFirmwareId] = useState<number>();
  const [transport, setTransport] = useState<Transport>('http');
  const items = choices.data?.items ?? [];
  const chosen = items.find((one) => one.id === firmwareId);
  const command: NewCommand = {
    kind: kind === 'plc' ? 'updatePlcFirmware' : 'upgradeSoftware',
    firmwareId: firmwareId ?? 0,
    transport,
  };
  return (
    <Confirm
      title={t(`update.${kind}.title`, { name: device.name })}
      ok={t(`update.${kind}.do`)}
      width={520}
      ready={chosen !== undefined}
      run={() => send(device, command)}
      onDone={onClose}
      onClose={onClose}
    >
      <p>{t(`update.${kind}.text`, { name: device.name })}</p>
      {choices.isError ? (
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
          <FormField id={`${id}-file`} label={t('update.file')} hint={chosen?.note}>
            <Select<number>
              id={`${id}-file`}
              value={firmwareId}
              placeholder={t('update.choose')}
              options={items.map((one) => ({
                value: one.id,
                label: `${one.version} · ${one.fileName} · ${formatSize(one.size)}`,
              }))}
              onChange={setFirmwareId}
            />
          </FormField>
          <TransportField id={`${id}-transport`} value={transport} onChange={setTransport} />
        </div>
      )}
    </Confirm>
  );
}

/** Asks a device for one of its logs. */
export function LogDialog({ device, onClose }: Props) {
  const { t } = useTranslation('transfers');
  const id = useId();
  const [logType, setLogType] = useState<LogType>('diagnostics');
  const [span, setSpan] = useState<[Dayjs | null, Dayjs | null] | null>(null);
  const [transport, setTransport] = useState<Transport>('http');
  const [from, to] = [span?.[0]?.toISOString(), span?.[1]?.toISOString()];
  const command: NewCommand = { kind: 'uploadLog', logType, transport, ...(from && { from }), ...(to && { to }) };
  return (
    <Confirm
      title={t('log.title', { name: device.name })}
      ok={t('log.do')}
      width={520}
      run={() => send(device, command)}
      onDone={onClose}
      onClose={onClose}
    >
      <p>{t('log.text', { name: device.name })}</p>
      <div className="transfer-form">
        <FormField id={`${id}-type`} label={t('log.type')}>
          <Radio.Group
            id={`${id}-type`}
            value={logType}
            options={LOG_TYPES.map((value) => ({ value, label: t(`logTypes.${value}`) }))}
            onChange={(event) => setLogType(event.target.value)}
          />
        </FormField>
        <FormField id={`${id}-span`} label={t('log.span')} hint={t('log.spanHint')}>
          <DatePicker.RangePicker
            id={`${id}-span`}
            showTime
            allowEmpty={[true, true]}
            value={span}
            onChange={(next) => setSpan(next)}
          />
        </FormField>
        <TransportField id={`${id}-transport`} value={transport} onChange={setTransport} />
      </div>
    </Confirm>
  );
}

function TransportField(props: { id: string; value: Transport; onChange(transport: Transport): void }) {
  const { t } = useTranslation('transfers');
  return (
    <FormField id={props.id} label={t('transport')} hint={t('transportHint')}>
      <Radio.Group
        id={props.id}
        value={props.value}
        options={TRANSPORTS.map((value) => ({ value, label: value.toUpperCase() }))}
        onChange={(event) => props.onChange(event.target.value)}
      />
    </FormField>
  );
}

async function send(device: DeviceDetail, command: NewCommand): Promise<void> {
  await call('sendCommand', { params: { id: device.id }, body: command }, { quiet: true });
  await refresh('listTransfers', 'listExecutions');
}
