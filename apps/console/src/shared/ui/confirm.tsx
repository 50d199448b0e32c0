import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiProblem } from '../api/problem.ts';
import { Dialog } from './dialog.tsx';

interface Props {
  title: string;
  ok: string;
  danger?: boolean;
  /** in pixels; as wide as a question unless said */
  width?: number;
  /** what may still be missing before it can be confirmed */
  ready?: boolean;
  /** @throws ApiProblem, which the dialog then shows */
  run(): Promise<unknown>;
  /** after it was done */
  onDone(): void;
  onClose(): void;
  children: ReactNode;
}

/** A question before something is changed; what the server refuses is said inside it. */
export function Confirm({ title, ok, danger, width = 460, ready = true, run, onDone, onClose, children }: Props) {
  const { t } = useTranslation();
  const change = useMutation({ mutationFn: run, onSuccess: onDone });
  return (
    <Dialog
      title={title}
      okText={ok}
      cancelText={t('cancel')}
      okButtonProps={{ danger: danger ?? false, loading: change.isPending, disabled: !ready }}
      onOk={() => change.mutate()}
      onCancel={onClose}
      width={width}
    >
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
