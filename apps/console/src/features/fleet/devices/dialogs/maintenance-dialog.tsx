import { Checkbox, Input } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../../shared/api/client.ts';
import { refresh } from '../../../../shared/api/query.ts';
import { Confirm } from '../../../../shared/ui/dialogs/confirm.tsx';
import { toast } from '../../../../shared/ui/dialogs/toast.ts';

interface Props {
  kind: 'record' | 'begin' | 'end';
  device: { id: number; name: string };
  onClose(): void;
}

const CALLS = { record: 'recordMaintenance', begin: 'beginMaintenance' } as const;
const DONE = { record: 'recorded', begin: 'begun', end: 'ended' } as const;

/** Records a maintenance, or starts or ends work on a device, with a note. */
export default function MaintenanceDialog({ kind, device, onClose }: Props) {
  const { t } = useTranslation('devices');
  const id = useId();
  const [note, setNote] = useState('');
  const [maintained, setMaintained] = useState(true);
  const { name } = device;
  const params = { id: device.id };
  const run = () =>
    kind === 'end'
      ? call('endMaintenance', { params, body: { note, maintained } }, { quiet: true })
      : call(CALLS[kind], { params, body: { note } }, { quiet: true });

  return (
    <Confirm
      title={t(`maintenance.${kind}Title`, { name })}
      ok={t(`maintenance.${kind}`)}
      entered={note}
      run={run}
      onDone={() => {
        toast.success(t(`maintenance.${DONE[kind]}`, { name }));
        onClose();
        void refresh('readDevice', 'listDevices', 'countDevices', 'listMaintenances');
      }}
      onClose={onClose}
    >
      <p>{t(`maintenance.${kind}Text`)}</p>
      {kind === 'end' && (
        <Checkbox checked={maintained} onChange={(event) => setMaintained(event.target.checked)}>
          {t('maintenance.maintained')}
        </Checkbox>
      )}
      <label htmlFor={id}>{t('maintenance.note')}</label>
      <Input.TextArea
        id={id}
        value={note}
        maxLength={500}
        autoSize={{ minRows: 2, maxRows: 6 }}
        placeholder={t('maintenance.notePlaceholder')}
        onChange={(event) => setNote(event.target.value)}
      />
    </Confirm>
  );
}
