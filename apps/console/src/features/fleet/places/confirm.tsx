import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { EndpointName } from '../../../shared/api/client.ts';
import { ApiProblem } from '../../../shared/api/problem.ts';
import { refresh } from '../../../shared/api/query.ts';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';

interface Props {
  title: string;
  ok: string;
  danger?: boolean;
  /** the change, called without global error messages, because this dialog shows them */
  run(): Promise<unknown>;
  /** the text of the toast afterwards */
  done: string;
  /** the queries to fetch again */
  refreshes: readonly EndpointName[];
  onClose(): void;
  onDone?: (() => void) | undefined;
  children: ReactNode;
}

/** Asks for confirmation, runs a change, and shows the error if it fails. */
export function Confirm(props: Props) {
  const { t } = useTranslation();
  const change = useMutation({
    mutationFn: props.run,
    onSuccess: async () => {
      toast.success(props.done);
      props.onClose();
      props.onDone?.();
      await refresh(...props.refreshes);
    },
  });
  return (
    <Dialog
      title={props.title}
      okText={props.ok}
      cancelText={t('cancel')}
      okButtonProps={{ danger: props.danger }}
      pending={change.isPending}
      onOk={() => change.mutate()}
      onCancel={props.onClose}
      width={480}
    >
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
