import { useMutation } from '@tanstack/react-query';
import { Input } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { ApiProblem } from '../../../shared/api/problem.ts';
import { refresh } from '../../../shared/api/query.ts';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { useGuardedClose } from '../../../shared/ui/dialogs/leave-guard.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';

/** Closes a charging session manually, with a comment. */
export function CloseSessionDialog(props: { deviceId: number; transactionId: number; onClose(): void }) {
  const { t } = useTranslation('telemetry');
  const { t: common } = useTranslation();
  const field = useId();
  const [comment, setComment] = useState('');
  const text = comment.trim();
  const closing = useMutation({
    mutationFn: () =>
      call(
        'closeTransaction',
        { params: { id: props.deviceId, transactionId: props.transactionId }, body: { comment: text } },
        { quiet: true },
      ),
    onSuccess: async () => {
      toast.success(t('close.done'));
      props.onClose();
      await refresh('listTransactions', 'readRuntime', 'listControls');
    },
  });
  const unsaved = text !== '' && !closing.isPending && !closing.isSuccess;
  const { close, guard } = useGuardedClose(unsaved, props.onClose);
  return (
    <Dialog
      title={t('close.title', { id: props.transactionId })}
      okText={t('close.ok')}
      cancelText={common('cancel')}
      okButtonProps={{ disabled: text === '' }}
      pending={closing.isPending}
      onOk={() => closing.mutate()}
      onCancel={close}
      width={480}
    >
      {guard}
      <div className="dialog-text">
        <p>{t('close.text')}</p>
        <div>
          <label htmlFor={field}>{t('close.comment')}</label>
          <Input.TextArea
            id={field}
            rows={3}
            maxLength={500}
            value={comment}
            onChange={(event) => setComment(event.target.value)}
          />
        </div>
        {closing.error && (
          <p className="error-note" role="alert">
            {closing.error instanceof ApiProblem ? closing.error.message : common('com_error_system')}
          </p>
        )}
      </div>
    </Dialog>
  );
}
