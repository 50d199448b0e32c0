import type { FolderRow } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { ObjectShares } from '../../../shared/ui/shares/object-shares.tsx';

/** The shares of a folder and its upload requests. */
export function SharesDialog({ folder, onClose }: { folder: FolderRow; onClose(): void }) {
  const { t } = useTranslation('shares');
  return (
    <Dialog title={t('ofObject.title', { name: folder.name })} width={640} footer={null} onCancel={onClose}>
      <ObjectShares folderId={folder.id} />
    </Dialog>
  );
}
