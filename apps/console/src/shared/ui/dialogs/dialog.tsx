import { Modal, type ModalProps } from 'antd';
import { useEffect, useState } from 'react';
import { rememberFocus } from '../../lib/browser/remember-focus.ts';
import { LeaveGuard, LeaveQuestion } from './leave-guard.tsx';

interface Props extends ModalProps {
  /**
   * True while the change of the dialog is running. Then it asks before it closes, because closing does not stop the
   * change, and hides its error. A `footer` disables its own button to cancel.
   */
  pending?: boolean;
}

/**
 * A dialog that is open while it is rendered. The focus returns to the previous element, so that keyboard users can
 * continue there. Ant Design only does this for a dialog that is closed before it is removed.
 */
export function Dialog({ afterOpenChange, onOk, onCancel, pending = false, children, ...props }: Props) {
  const [place] = useState(rememberFocus);
  const [closing, setClosing] = useState<Parameters<NonNullable<ModalProps['onCancel']>>[0] | null>(null);
  if (closing && !pending) setClosing(null);
  useEffect(() => () => place.giveBack(), [place]);
  return (
    <Modal
      open
      {...props}
      okButtonProps={{ loading: pending, ...props.okButtonProps }}
      onCancel={(event) => (pending ? setClosing(event) : onCancel?.(event))}
      // A double click counts once: the second click may come before the button is rendered as loading.
      onOk={(press) => press.detail <= 1 && onOk?.(press)}
      afterOpenChange={(open) => {
        afterOpenChange?.(open);
        if (open) enterFirstField();
      }}
    >
      {pending && (
        <>
          <LeaveGuard pending />
          <LeaveQuestion
            open={closing !== null}
            pending
            onLeave={() => closing && onCancel?.(closing)}
            onStay={() => setClosing(null)}
          />
        </>
      )}
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
