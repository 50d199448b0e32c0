import { Modal, type ModalProps } from 'antd';
import { useEffect, useState } from 'react';
import { rememberFocus } from '../../lib/browser/remember-focus.ts';

/**
 * A dialog that is there as long as it is rendered. What had the focus before gets it back, so that a person without a
 * mouse goes on where they were: Ant Design does so only for a dialog that is closed before it goes.
 */
export function Dialog({ afterOpenChange, onOk, ...props }: ModalProps) {
  const [place] = useState(rememberFocus);
  useEffect(() => () => place.giveBack(), [place]);
  return (
    <Modal
      open
      {...props}
      // A double click means it once: the second may come before the button is drawn as busy.
      onOk={(press) => press.detail <= 1 && onOk?.(press)}
      afterOpenChange={(open) => {
        afterOpenChange?.(open);
        if (open) enterFirstField();
      }}
    />
  );
}

/**
 * A dialog that begins with a field is opened to fill that in. Its `autoFocus` comes too early, before the dialog is in
 * the page, and Ant Design then chooses the button that closes. Not where it would only bring up a keyboard on the screen.
 */
function enterFirstField(): void {
  const { activeElement } = document;
  if (!activeElement?.matches('.ant-modal-close') || !matchMedia('(hover: hover)').matches) return;
  const first = activeElement
    .closest('.ant-modal')
    ?.querySelector<HTMLElement>('.ant-modal-body :is(input, textarea, select, button, a[href]):not(:disabled)');
  if (first?.matches('textarea, input:not([type=radio], [type=checkbox], [type=file])')) first.focus();
}
