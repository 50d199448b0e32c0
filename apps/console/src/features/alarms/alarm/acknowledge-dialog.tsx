import { useMutation } from '@tanstack/react-query';
import { Input } from 'antd';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { ApiProblem } from '../../../shared/api/problem.ts';
import { refresh } from '../../../shared/api/query.ts';
import { useSlices } from '../../../shared/hooks/lists/use-slices.ts';
import { rememberFocus } from '../../../shared/lib/browser/remember-focus.ts';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { LeaveGuard, useGuardedClose } from '../../../shared/ui/dialogs/leave-guard.tsx';
import { SliceProgress } from '../../../shared/ui/dialogs/slice-progress.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';

/** Acknowledges alarms, with an optional comment. */
export default function AcknowledgeDialog(props: {
  ids: readonly number[];
  onClose(): void;
  /** called with the alarms that were not tried */
  onDone?: (left: number[]) => void;
  /** how the selection changed */
  changes?: ReactNode;
}) {
  const { t } = useTranslation('alarms');
  const { t: common } = useTranslation();
  const [note, setNote] = useState('');
  const [restoreFocus] = useState(rememberFocus);
  const slices = useSlices();
  const taking = useMutation({
    mutationFn: () =>
      slices.run(props.ids, async (ids) => {
        const body = { ids, ...(note.trim() && { note: note.trim() }) };
        return { results: [{ ids, ...(await call('acknowledgeAlarms', { body }, { quiet: true })) }] };
      }),
    onSuccess: async ({ results, error }) => {
      const sum = (read: (one: (typeof results)[number]) => number) => results.reduce((all, one) => all + read(one), 0);
      const [acknowledged, already] = [sum((one) => one.acknowledged), sum((one) => one.already)];
      if (acknowledged > 0) toast.success(t('acknowledge.done', { count: acknowledged }));
      else if (!error) toast.success(t('acknowledge.already', { count: already }));
      const tried = new Set(results.flatMap((one) => one.ids));
      if (!error) props.onClose();
      props.onDone?.(props.ids.filter((id) => !tried.has(id)));
      await refresh('listAlarms', 'listIncidents', 'readAlarm', 'summarizeAlarms');
      if (error) throw error;
      restoreFocus.moveOut();
    },
  });
  const unsent = note.trim() !== '' && !taking.isPending && !taking.isSuccess;
  const { close, guard } = useGuardedClose(unsent, props.onClose);
  return (
    <Dialog
      title={t('acknowledge.title', { count: props.ids.length })}
      okText={t('acknowledge.ok')}
      cancelText={common(taking.isPending ? 'list.stop' : 'cancel')}
      okButtonProps={{ loading: taking.isPending }}
      onOk={() => taking.mutate()}
      onCancel={() => (taking.isPending ? slices.stop() : close())}
      width={480}
    >
      {guard}
      {taking.isPending && <LeaveGuard pending />}
      <div className="dialog-text">
        <p>{t('acknowledge.text')}</p>
        {props.changes}
        <Input.TextArea
          rows={3}
          maxLength={500}
          value={note}
          placeholder={t('acknowledge.note')}
          aria-label={t('acknowledge.note')}
          onChange={(event) => setNote(event.target.value)}
        />
        {taking.isPending && <SliceProgress done={slices.done} total={props.ids.length} label={t('acknowledge.ok')} />}
        {taking.error && (
          <p className="error-note" role="alert">
            {taking.error instanceof ApiProblem ? taking.error.message : common('com_error_system')}
          </p>
        )}
      </div>
    </Dialog>
  );
}
