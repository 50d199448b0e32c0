import type { AttachmentRow } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { refresh } from '../../../shared/api/query.ts';
import { Confirm } from '../../../shared/ui/dialogs/confirm.tsx';
import { toast } from '../../../shared/ui/dialogs/toast.ts';
import { AddToIssue } from '../../../shared/ui/issues/add/add-to-issue.tsx';
import { storedFileNode } from '../../../shared/ui/issues/add/issue-nodes.ts';
import { NewShare } from '../shares/new-share.tsx';
import { DownloadLink } from './download-link.tsx';
import { FileDialog } from './file-dialog.tsx';
import { MoveDialog } from './move-dialog.tsx';

/** What is done with a file in a dialog. */
export type FileAction = 'link' | 'share' | 'issue' | 'edit' | 'move' | 'copy' | 'delete';

/** The dialog of an action with a file, as the file was when the dialog was opened. */
export function FileActionDialog(props: { file: AttachmentRow; action: FileAction; onClose(): void }) {
  const { file, action, onClose } = props;
  const { t } = useTranslation('attachments');
  const { id, name } = file;
  const done = (text: string) => {
    toast.success(text);
    void refresh('listAttachments', 'listFolders', 'readAttachment', 'readQuota');
    onClose();
  };
  switch (action) {
    case 'link':
      return <DownloadLink file={file} onClose={onClose} />;
    case 'share':
      return <NewShare object={{ kind: 'attachment', id, name }} onClose={onClose} />;
    case 'issue':
      return <AddToIssue name={name} prepare={async () => [storedFileNode(file)]} onClose={onClose} />;
    case 'edit':
      return <FileDialog file={file} onClose={onClose} />;
    case 'move':
      return (
        <MoveDialog
          title={t('move.title', { name })}
          ok={t('move.ok')}
          customerId={file.customerId}
          from={file.folderId}
          levels={file}
          run={(to) => call('moveAttachment', { params: { id }, body: { folderId: to?.id ?? null } }, { quiet: true })}
          onDone={() => done(t('move.moved', { name }))}
          onClose={onClose}
        />
      );
    case 'copy':
      return (
        <MoveDialog
          title={t('copy.title', { name })}
          ok={t('copy.ok')}
          customerId={undefined}
          levels={file}
          run={(to) => call('copyAttachment', { params: { id }, body: { folderId: to?.id ?? null } }, { quiet: true })}
          onDone={() => done(t('copy.done', { name }))}
          onClose={onClose}
        />
      );
    case 'delete':
      return (
        <Confirm
          title={t('trash.deleteTitle', { name })}
          ok={t('delete')}
          danger
          run={() => call('deleteAttachment', { params: { id } }, { quiet: true })}
          onDone={() => done(t('trash.moved', { name }))}
          onClose={onClose}
        >
          <p>{t('trash.hint')}</p>
          {file.uses > 0 && <p className="warning-note">{t('trash.used', { count: file.uses })}</p>}
        </Confirm>
      );
  }
}
