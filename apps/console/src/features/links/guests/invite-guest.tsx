import { Button } from 'antd';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLate } from '../../../shared/hooks/late/use-late.ts';
import { loadChunk } from '../../../shared/lib/browser/load-chunk.ts';
import type InviteDialog from './invite-dialog.tsx';

const loadInviteDialog = () => loadChunk(() => import('./invite-dialog.tsx'));

interface Props {
  size?: 'small';
  /** the dialog of the invitation */
  children(onClose: () => void): ReactNode;
}

/** Opens the dialog of an invitation. */
export function InviteGuest({ size, children }: Props) {
  const { t } = useTranslation('links');
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button {...(size && { size })} onClick={() => setOpen(true)}>
        {t('guests.invite')}
      </Button>
      {open && children(() => setOpen(false))}
    </>
  );
}

/** The dialog of an invitation, which is loaded when it is opened. */
export function LateInviteDialog(props: ComponentProps<typeof InviteDialog>) {
  const Dialog = useLate(loadInviteDialog);
  return Dialog && <Dialog {...props} />;
}
