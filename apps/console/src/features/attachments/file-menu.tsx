import type { AttachmentRow } from '@chargehand/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { call } from '../../shared/api/client.ts';
import { refresh } from '../../shared/api/query.ts';
import { Confirm } from '../../shared/ui/dialogs/confirm.tsx';
import { MoreMenu } from '../../shared/ui/dialogs/more-menu.tsx';
import { toast } from '../../shared/ui/dialogs/toast.ts';
import { FileDialog } from './dialogs/file-dialog.tsx';
import { MoveDialog } from './dialogs/move-dialog.tsx';
import { newSharePath } from './new-share-path.ts';
import { downloadFile } from './preview/content.ts';

type Action = 'edit' | 'move' | 'copy' | 'delete';

/** The actions of a file that the user may do. */
export function FileMenu({ file, onOpen }: { file: AttachmentRow; onOpen(): void }) {
  const { t } = useTranslation('attachments');
  const [action, setAction] = useState<Action | null>(null);
  const navigate = useNavigate();
  const close = () => setAction(null);
  const { id, name } = file;
  const changes = file.may.write && file.managedBy === null;
  const readable = file.scan !== 'infected';
  const done = (text: string) => {
    toast.success(text);
    void refresh('listAttachments', 'listFolders', 'readAttachment', 'readQuota');
    close();
  };
  return (
    <>
      <MoreMenu
        size="small"
        label={t('actionsOf', { name })}
        items={[
          { key: 'open', label: t('open'), onClick: onOpen },
          ...(file.may.download && readable
            ? [
                { key: 'download', label: t('download'), onClick: () => downloadFile(id) },
                {
                  key: 'share',
                  label: t('share.do'),
                  onClick: () => void navigate(newSharePath('file', { id, name })),
                },
              ]
            : []),
          ...(changes
            ? [
                { key: 'edit', label: t('edit.do'), onClick: () => setAction('edit') },
                { key: 'move', label: t('move.do'), onClick: () => setAction('move') },
              ]
            : []),
          ...(file.may.download && file.managedBy === null
            ? [{ key: 'copy', label: t('copy.do'), onClick: () => setAction('copy') }]
            : []),
          ...(changes ? [{ key: 'delete', label: t('delete'), danger: true, onClick: () => setAction('delete') }] : []),
        ]}
      />
      {action === 'edit' && <FileDialog file={file} onClose={close} />}
      {action === 'move' && (
        <MoveDialog
          title={t('move.title', { name })}
          ok={t('move.ok')}
          customerId={file.customerId}
          from={file.folderId}
          levels={file}
          run={(to) => call('moveAttachment', { params: { id }, body: { folderId: to?.id ?? null } }, { quiet: true })}
          onDone={() => done(t('move.moved', { name }))}
          onClose={close}
        />
      )}
      {action === 'copy' && (
        <MoveDialog
          title={t('copy.title', { name })}
          ok={t('copy.ok')}
          customerId={undefined}
          levels={file}
          run={(to) => call('copyAttachment', { params: { id }, body: { folderId: to?.id ?? null } }, { quiet: true })}
          onDone={() => done(t('copy.done', { name }))}
          onClose={close}
        />
      )}
      {action === 'delete' && (
        <Confirm
          title={t('trash.deleteTitle', { name })}
          ok={t('delete')}
          danger
          run={() => call('deleteAttachment', { params: { id } }, { quiet: true })}
          onDone={() => done(t('trash.moved', { name }))}
          onClose={close}
        >
          <p>{t('trash.hint')}</p>
          {file.uses > 0 && <p className="warning-note">{t('trash.used', { count: file.uses })}</p>}
        </Confirm>
      )}
    </>
  );
}
