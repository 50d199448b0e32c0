import { Modal, type ModalProps } from 'antd';
import { useEffect, useState } from 'react';

/**
 * A dialog that is there as long as it is rendered. What had the focus before gets it back, so that a person without a
 * mouse goes on where they were: Ant Design does so only for a dialog that is closed before it goes.
 */
export function Dialog(props: ModalProps) {
  const [opener] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    },
    [opener],
  );
  return <Modal open {...props} />;
}
