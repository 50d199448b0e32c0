import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiProblem } from '../../api/problem.ts';
import { useEdited } from '../../hooks/use-edited.ts';
import { Dialog } from './dialog.tsx';
import { useGuardedClose } from './leave-guard.tsx';

interface Props {
  title: string;
  ok: string;
  danger?: boolean;
  /** in pixels; as wide as a question unless said */
  width?: number;
  /** what may still be missing before it can be confirmed */
  ready?: boolean;
  /** what people enter in it: once that is another than it began with, it is not thrown away unasked */
  entered?: unknown;
  /** @throws ApiProblem, which the dialog then shows */
  run(): Promise<unknown>;
  /** after it was done */
  onDone(): void;
  onClose(): void;
  children: ReactNode;
}

/** A question before something is changed; what the server refuses is said inside it. */
export function Confirm({ title, ok, danger, width = 460, ready = true, ...props }: Props) {
  const { entered, run, onDone, onClose, children } = props;
  const { t } = useTranslation();
  const change = useMutation({ mutationFn: run, onSuccess: onDone });
  const edited = useEdited(entered);
  const { close, guard } = useGuardedClose(edited && !change.isPending && !change.isSuccess, onClose);
  return (
    <Dialog
      title={title}
      okText={ok}
      cancelText={t('cancel')}
      okButtonProps={{ danger: danger ?? false, loading: change.isPending, disabled: !ready }}
      onOk={() => change.mutate()}
      onCancel={close}
      width={width}
    >
      {guard}
      <div className="dialog-text">
        {children}
        {change.error instanceof ApiProblem && (
          <p className="error-note" role="alert">
            {change.error.message}
          </p>
        )}
      </div>
    </Dialog>
  );
}
