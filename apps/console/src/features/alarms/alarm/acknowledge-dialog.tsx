import { useMutation } from '@tanstack/react-query';
import { Input } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { ApiProblem } from '../../../shared/api/problem.ts';
import { refresh } from '../../../shared/api/query.ts';
import { rememberFocus } from '../../../shared/lib/browser/remember-focus.ts';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { useGuardedClose } from '../../../shared/ui/dialogs/leave-guard.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';

/** Acknowledges alarms, with an optional comment. */
export function AcknowledgeDialog(props: { ids: readonly number[]; onClose(): void; onDone?: () => void }) {
  const { t } = useTranslation('alarms');
  const { t: common } = useTranslation();
  const [note, setNote] = useState('');
  const [restoreFocus] = useState(rememberFocus);
  const taking = useMutation({
    mutationFn: () =>
      call(
        'acknowledgeAlarms',
        { body: { ids: [...props.ids], ...(note.trim() && { note: note.trim() }) } },
        { quiet: true },
      ),
    onSuccess: async ({ acknowledged, already }) => {
      if (acknowledged > 0) toast.success(t('acknowledge.done', { count: acknowledged }));
      else toast.success(t('acknowledge.already', { count: already }));
      props.onClose();
      props.onDone?.();
      await refresh('listAlarms', 'readAlarm', 'summarizeAlarms');
      restoreFocus.moveOut();
    },
  });
  const unsent = note.trim() !== '' && !taking.isPending && !taking.isSuccess;
  const { close, guard } = useGuardedClose(unsent, props.onClose);
  return (
    <Dialog
      title={t('acknowledge.title', { count: props.ids.length })}
      okText={t('acknowledge.ok')}
      cancelText={common('cancel')}
      okButtonProps={{ loading: taking.isPending }}
      onOk={() => taking.mutate()}
      onCancel={close}
      width={480}
    >
      {guard}
      <div className="dialog-text">
        <p>{t('acknowledge.text')}</p>
        <Input.TextArea
          rows={3}
          maxLength={500}
          value={note}
          placeholder={t('acknowledge.note')}
          aria-label={t('acknowledge.note')}
          onChange={(event) => setNote(event.target.value)}
        />
        {taking.error && (
          <p className="error-note" role="alert">
            {taking.error instanceof ApiProblem ? taking.error.message : common('com_error_system')}
          </p>
        )}
      </div>
    </Dialog>
  );
}
