import { QuestionCircleOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePermitted } from '../../../shared/session/permitted.tsx';
import { lazyDialog } from '../../../shared/ui/dialogs/lazy/lazy-dialog.tsx';
import type { NotifiedOf } from './notified-of.ts';

const NotifiedDialog = lazyDialog(() => import('./notified-dialog.tsx'));

/** Explains whether the user is notified about a site or an issue, and why. */
export function NotifiedButton({ of }: { of: NotifiedOf }) {
  return usePermitted(['auth_message_list']) ? <Shown of={of} /> : null;
}

function Shown({ of }: { of: NotifiedOf }) {
  const { t } = useTranslation('messages');
  const [open, setOpen] = useState(false);
  const text = t(`why.${of.kind}`);
  return (
    <>
      <Button
        icon={<QuestionCircleOutlined aria-hidden="true" />}
        aria-label={text}
        title={text}
        onClick={() => setOpen(true)}
      />
      {open && <NotifiedDialog of={of} onClose={() => setOpen(false)} />}
    </>
  );
}
