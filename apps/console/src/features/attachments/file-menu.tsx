import type { AttachmentRow } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';
import { useUser } from '../../shared/session/use-user.ts';
import { MoreMenu } from '../../shared/ui/dialogs/more-menu.tsx';
import { useAddsToIssues } from '../../shared/ui/issues/add/use-adds-to-issues.ts';
import type { FileAction } from './dialogs/file-action-dialog.tsx';
import { downloadFile } from './preview/content.ts';

interface Props {
  file: AttachmentRow;
  onOpen(): void;
  /** Opens the dialog of an action. Not in the row, which may leave the list while the dialog is open. */
  onAct(action: FileAction): void;
}

/** The actions of a file that the user may do. */
export function FileMenu({ file, onOpen, onAct }: Props) {
  const { t } = useTranslation('attachments');
  const { t: common } = useTranslation();
  const { user } = useUser();
  const writes = user.root || !user.readOnly;
  const { id, name } = file;
  const toIssue = useAddsToIssues() && file.managedBy !== 'firmware';
  const changes = writes && file.may.write && file.managedBy === null;
  const readable = file.scan !== 'infected';
  return (
    <MoreMenu
      size="small"
      label={t('actionsOf', { name })}
      items={[
        { key: 'open', label: t('open'), onClick: onOpen },
        ...(file.may.download && readable
          ? [
              ...(file.scan === 'waiting'
                ? []
                : [
                    { key: 'download', label: t('download'), onClick: () => downloadFile(id) },
                    { key: 'link', label: t('link.do'), onClick: () => onAct('link') },
                  ]),
              ...(writes ? [{ key: 'share', label: t('share.do'), onClick: () => onAct('share') }] : []),
              ...(toIssue ? [{ key: 'issue', label: common('issue.add'), onClick: () => onAct('issue') }] : []),
            ]
          : []),
        ...(changes
          ? [
              { key: 'edit', label: t('edit.do'), onClick: () => onAct('edit') },
              { key: 'move', label: t('move.do'), onClick: () => onAct('move') },
            ]
          : []),
        ...(writes && file.may.download && file.managedBy === null
          ? [{ key: 'copy', label: t('copy.do'), onClick: () => onAct('copy') }]
          : []),
        ...(changes ? [{ key: 'delete', label: t('delete'), danger: true, onClick: () => onAct('delete') }] : []),
      ]}
    />
  );
}
