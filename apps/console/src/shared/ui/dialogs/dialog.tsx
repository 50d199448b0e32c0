import { Modal, type ModalProps } from 'antd';
import { useEffect, useState } from 'react';
import { rememberFocus } from '../../lib/browser/remember-focus.ts';
import { LeaveGuard } from './leave-guard.tsx';

interface Props extends ModalProps {
  /**
   * True while the change of the dialog is running. Then it stays open to show an error, and keeps what was entered.
   * A `footer` disables its own button to cancel.
   */
  pending?: boolean;
}

/**
 * A dialog that is open while it is rendered. The focus returns to the previous element, so that keyboard users can
 * continue there. Ant Design only does this for a dialog that is closed before it is removed.
 */
export function Dialog({ afterOpenChange, onOk, onCancel, pending = false, children, ...props }: Props) {
  const [place] = useState(rememberFocus);
  useEffect(() => () => place.giveBack(), [place]);
  return (
    <Modal
      open
      {...props}
      {...(pending && { closable: { disabled: true } })}
      okButtonProps={{ loading: pending, ...props.okButtonProps }}
      cancelButtonProps={{ disabled: pending, ...props.cancelButtonProps }}
      onCancel={(event) => !pending && onCancel?.(event)}
      // A double click counts once: the second click may come before the button is rendered as loading.
      onOk={(press) => press.detail <= 1 && onOk?.(press)}
      afterOpenChange={(open) => {
        afterOpenChange?.(open);
        if (open) enterFirstField();
      }}
    >
      {pending && <LeaveGuard pending />}
      {children}
    </Modal>
  );
}

/**
 * Focuses the first field of a dialog. `autoFocus` runs too early, before the dialog is in the page, and Ant Design
 * then focuses the close button. Not on devices where it would only open an on-screen keyboard.
 */
function enterFirstField(): void {
  const { activeElement } = document;
  if (!activeElement?.matches('.ant-modal-close') || !matchMedia('(hover: hover)').matches) return;
  const first = activeElement
    .closest('.ant-modal')
    ?.querySelector<HTMLElement>('.ant-modal-body :is(input, textarea, select, button, a[href]):not(:disabled)');
  if (first?.matches('textarea, input:not([type=radio], [type=checkbox], [type=file])')) first.focus();
}
