import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiProblem } from '../../api/problem.ts';
import { useEdited } from '../../hooks/use-edited.ts';
import { Dialog } from './dialog.tsx';
import { useGuardedClose } from './leave-guard.tsx';

interface Props<A> {
  title: string;
  ok: string;
  danger?: boolean;
  /** in pixels; default: the width of a confirmation */
  width?: number;
  /** false while required input is missing */
  ready?: boolean;
  /** the entered values: once they differ from the initial ones, closing asks for confirmation */
  entered?: unknown;
  /** closing the dialog cancels the action, so this is possible while it runs */
  cancellable?: boolean;
  /** @throws ApiProblem, which the dialog shows */
  run(): Promise<A>;
  /** called after the action */
  onDone(answer: A): void;
  onClose(): void;
  children: ReactNode;
}

/** A confirmation before a change. Errors of the server are shown inside it. */
export function Confirm<A>({ title, ok, danger, width = 460, ready = true, cancellable = false, ...props }: Props<A>) {
  const { entered, run, onDone, onClose, children } = props;
  const { t } = useTranslation();
  const change = useMutation({ mutationFn: run, onSuccess: onDone });
  const pending = change.isPending && !cancellable;
  const edited = useEdited(entered);
  const { close, guard } = useGuardedClose(edited && !pending && !change.isSuccess, onClose);
  return (
    <Dialog
      title={title}
      okText={ok}
      cancelText={t('cancel')}
      okButtonProps={{ danger: danger ?? false, disabled: !ready, loading: change.isPending }}
      pending={pending}
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
