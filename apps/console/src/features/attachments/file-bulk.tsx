import type { AttachmentRow, FolderRow } from '@chargehand/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { refresh } from '../../shared/api/query.ts';
import { inSlices } from '../../shared/lib/lists/in-slices.ts';
import { useUser } from '../../shared/session/use-user.ts';
import { toast } from '../../shared/ui/dialogs/toast.ts';
import type { BulkDialogProps } from '../../shared/ui/list/bulk-action.ts';
import { SelectionChanges } from '../../shared/ui/list/selection-changes.tsx';
import type { Bulk } from '../../shared/ui/list-page/data-table.tsx';
import { MoveDialog } from './dialogs/move-dialog.tsx';

const REFRESHES = ['listAttachments', 'listFolders', 'readQuota'] as const;

/** Files that are changed here, and not on the page of a device or of its firmware. */
const choosable = (file: AttachmentRow) => file.may.write && file.managedBy === null;
const nameOf = ({ name }: AttachmentRow) => name;

/** The bulk actions for files in their folders. */
export function useFileBulk(): Bulk<AttachmentRow> | undefined {
  const { t } = useTranslation('attachments');
  const { user } = useUser();
  return useMemo(() => {
    if (user.readOnly) return undefined;
    return {
      nameOf,
      choosable,
      actions: [
        { key: 'move', label: t('move.do'), dialog: MoveMany },
        {
          key: 'delete',
          label: t('delete'),
          danger: true,
          text: t('trash.hint'),
          refreshes: REFRESHES,
          run: (ids) => call('deleteAttachments', { body: { ids } }, { quiet: true }),
        },
      ],
    };
  }, [t, user.readOnly]);
}

/** The bulk actions for files in the trash. */
export function useTrashBulk(): Bulk<AttachmentRow> | undefined {
  const { t } = useTranslation('attachments');
  const { user } = useUser();
  return useMemo(() => {
    if (user.readOnly) return undefined;
    return {
      nameOf,
      choosable,
      actions: [
        {
          key: 'restore',
          label: t('trash.restore'),
          text: t('trash.restoreText'),
          refreshes: REFRESHES,
          run: (ids) => call('restoreAttachments', { body: { ids } }, { quiet: true }),
        },
      ],
    };
  }, [t, user.readOnly]);
}

/** Moves the selected files. Those that cannot be moved stay selected, and the first reason is shown. */
function MoveMany({ selection, onClose }: BulkDialogProps) {
  const { t } = useTranslation('attachments');
  const { t: common } = useTranslation();
  const ids = [...selection.names.keys()];

  async function moveTo(to: FolderRow | null): Promise<void> {
    const folderId = to?.id ?? null;
    const move = (slice: number[]) => call('moveAttachments', { body: { ids: slice, folderId } }, { quiet: true });
    const { results, error } = await inSlices(ids, move, { onProgress: () => undefined, stopped: () => false });
    const failed = results.filter(({ code }) => code !== 0);
    const moved = new Set(results.filter(({ code }) => code === 0).map(({ id }) => id));
    selection.keep(ids.filter((id) => !moved.has(id)));
    await refresh(...REFRESHES);
    if (error) throw error;
    if (failed.length === 0) toast.success(common('list.done', { count: moved.size }));
    else toast.error(t('move.failed', { count: failed.length, reason: failed[0]?.message ?? '' }));
  }

  return (
    <MoveDialog
      title={t('move.titleMany', { count: ids.length })}
      ok={t('move.ok')}
      customerId={undefined}
      run={moveTo}
      onDone={onClose}
      onClose={onClose}
    >
      <SelectionChanges selection={selection} />
    </MoveDialog>
  );
}
