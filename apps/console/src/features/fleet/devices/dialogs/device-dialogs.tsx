import type { DeviceRow } from '@chargehand/contract';
import { useMutation } from '@tanstack/react-query';
import { Input } from 'antd';
import { type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../../shared/api/client.ts';
import { ApiProblem } from '../../../../shared/api/problem.ts';
import { refresh } from '../../../../shared/api/query.ts';
import { Dialog } from '../../../../shared/ui/dialogs/dialog.tsx';
import { toast } from '../../../../shared/ui/dialogs/toast.ts';

interface Props {
  device: Pick<DeviceRow, 'id' | 'name' | 'sn' | 'status'>;
  onClose(): void;
}

/** The confirmation before a device is enabled, disabled or deleted. */
export default function DeviceDialog(
  props: Props & { kind: 'enable' | 'disable' | 'delete'; onDeleted?: (() => void) | undefined },
) {
  if (props.kind === 'enable') return <EnableDialog {...props} />;
  return props.kind === 'disable' ? <DisableDialog {...props} /> : <DeleteDialog {...props} />;
}

/** Enables a device: it can connect again. */
function EnableDialog({ device, onClose }: Props) {
  const { t } = useTranslation('fleet');
  const change = useChange(
    () => call('enableDevice', { params: { id: device.id }, body: {} }, { quiet: true }),
    () => {
      toast.success(t('enable.done', { name: device.name }));
      onClose();
    },
  );
  return (
    <Confirm title={t('enable.title', { name: device.name })} ok={t('enable.ok')} change={change} onClose={onClose}>
      <p>{t('enable.text')}</p>
    </Confirm>
  );
}

/** Disables a device: it is disconnected and rejected until it is enabled. */
function DisableDialog({ device, onClose }: Props) {
  const { t } = useTranslation('fleet');
  const change = useChange(
    () => call('disableDevice', { params: { id: device.id }, body: {} }, { quiet: true }),
    () => {
      toast.success(t('disable.done', { name: device.name }));
      onClose();
    },
  );
  return (
    <Confirm
      title={t('disable.title', { name: device.name })}
      ok={t('disable.ok')}
      danger
      change={change}
      onClose={onClose}
    >
      <p>{t('disable.text')}</p>
      {device.status === 'working' && <p className="warning-note">{t('disable.charging')}</p>}
    </Confirm>
  );
}

/** Deletes a device and all its data. The user must type its SN. */
function DeleteDialog({ device, onClose, onDeleted }: Props & { onDeleted?: (() => void) | undefined }) {
  const { t } = useTranslation('fleet');
  const [typed, setTyped] = useState('');
  const inputId = useId();
  const change = useChange(
    () => call('deleteDevice', { params: { id: device.id } }, { quiet: true }),
    () => {
      toast.success(t('delete.done', { name: device.name }));
      onClose();
      onDeleted?.();
    },
    onDeleted !== undefined,
  );
  return (
    <Confirm
      title={t('delete.title', { name: device.name })}
      ok={t('delete.ok')}
      danger
      ready={typed.trim() === device.sn}
      change={change}
      onClose={onClose}
    >
      <p>{t('delete.text')}</p>
      <ul>
        <li>{t('delete.what1')}</li>
        <li>{t('delete.what2')}</li>
        <li>{t('delete.what3')}</li>
      </ul>
      <label htmlFor={inputId}>{t('delete.type', { sn: device.sn })}</label>
      <Input
        id={inputId}
        className="mono"
        value={typed}
        autoComplete="off"
        autoFocus
        onChange={(event) => setTyped(event.target.value)}
        onPressEnter={() => typed.trim() === device.sn && change.mutate()}
      />
    </Confirm>
  );
}

type Change = ReturnType<typeof useChange>;

/** A change of the device, which refetches lists and details. `gone`: the page closes with the device. */
function useChange(run: () => Promise<unknown>, done: () => void, gone = false) {
  return useMutation({
    mutationFn: run,
    onSuccess: async () => {
      done();
      await (gone ? refresh('listDevices', 'countDevices') : refresh('listDevices', 'countDevices', 'readDevice'));
    },
  });
}

function Confirm(props: {
  title: string;
  ok: string;
  danger?: boolean;
  ready?: boolean;
  change: Change;
  onClose(): void;
  children: ReactNode;
}) {
  const { change } = props;
  const { t } = useTranslation();
  return (
    <Dialog
      title={props.title}
      okText={props.ok}
      cancelText={t('cancel')}
      okButtonProps={{ danger: props.danger, disabled: props.ready === false }}
      pending={change.isPending}
      onOk={() => change.mutate()}
      onCancel={props.onClose}
      width={480}
    >
      {/* Keeps keyboard and mouse events of the dialog away from the row that opened it. */}
      <div className="dialog-text">
        {props.children}
        {change.error && (
          <p className="error-note" role="alert">
            {change.error instanceof ApiProblem ? change.error.message : t('com_error_system')}
          </p>
        )}
      </div>
    </Dialog>
  );
}
