import type { AttachmentRow, FolderRow } from '@chargehand/contract';
import { ATTACHMENT_TYPES } from '@chargehand/domain';
import { type DragEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { call } from '../../shared/api/client.ts';
import { ApiProblem } from '../../shared/api/problem.ts';
import { refresh } from '../../shared/api/query.ts';
import { addressNow } from '../../shared/hooks/lists/use-address.ts';
import { useList } from '../../shared/hooks/lists/use-list.ts';
import { useMedia } from '../../shared/hooks/use-media.ts';
import { droppedFiles, MOST_FILES, type PlacedFile } from '../../shared/lib/files/dropped.ts';
import { filtersIn, isFiltered, type ListSpec } from '../../shared/lib/lists/list-query.ts';
import { useUser } from '../../shared/session/use-user.ts';
import { toast } from '../../shared/ui/dialogs/toast.ts';
import { FilterSelect } from '../../shared/ui/list-page/filter-bar.tsx';
import { ListSection } from '../../shared/ui/list-page/list-page.tsx';
import { CustomerPicker } from '../../shared/ui/list-page/pickers.tsx';
import { Panel } from '../../shared/ui/page/page-header.tsx';
import css from './attachments.module.css';
import { type FileAction, FileActionDialog } from './dialogs/file-action-dialog.tsx';
import { useFileBulk } from './file-bulk.tsx';
import { FileCard, useFileColumns } from './file-columns.tsx';
import { FileMenu } from './file-menu.tsx';
import { FolderBar } from './folder-bar.tsx';
import { type Dragged, FolderTree } from './folder-tree.tsx';
import { PreviewDialog } from './preview/preview-dialog.tsx';
import { QuotaBar } from './quota-bar.tsx';
import { uploadInto } from './uploads/upload-into.ts';
import { uploadTypeFor } from './uploads/upload-types.ts';
import { useFolders, useMayAdd } from './use-folders.ts';

const filters = { search: 'text', type: ATTACHMENT_TYPES, uploadedBy: 'text', customerId: 'number' } as const;
const sorts = ['name', 'size', 'type', 'uploadedBy', 'createdAt'] as const;
const SPEC: ListSpec<typeof filters, (typeof sorts)[number]> = { filters, sorts };
/** the parameters of the page that are not filters */
const FOLDER = 'folder';
const FILE = 'file';

/** The tree of folders next to the files of the chosen one. */
export function FilesTab() {
  const { t } = useTranslation('attachments');
  const narrow = useMedia('(max-width: 900px)');
  const [search, setSearch] = useSearchParams();
  const { folders } = useFolders();
  const chosen = Number(search.get(FOLDER)) || null;
  const folder = folders.find(({ id }) => id === chosen);
  // Until the folder is known, files would go to the top level.
  const known = chosen === null || folder !== undefined;
  const mayAdd = useMayAdd(folder, 'files') && known;
  const mayAddFolder = useMayAdd(folder, 'folders') && known;
  // A search includes the folders below.
  const inFolder = <Q extends object>(query: Q) => ({
    ...query,
    ...(chosen !== null && { folderId: chosen }),
    ...(isFiltered(query as Record<string, unknown>) && { below: true }),
  });
  const list = useList(SPEC, 'listAttachments', (query) => ({ query: inFolder(query) }));
  const bulk = useFileBulk();
  const [over, setOver] = useState(false);
  const [acting, setActing] = useState<{ file: AttachmentRow; action: FileAction } | null>(null);
  const { user } = useUser();
  const openId = Number(search.get(FILE)) || null;
  const columns = useFileColumns({ withFolder: list.filtered });

  const placeOf = (to: FolderRow | null | undefined) => ({ userId: user.id, folderId: to?.id ?? null });
  const quotaOf = folder && spaceOwner(folder);

  // Rendered at once, not as a transition: the next click, such as "New folder", must apply to the chosen folder.
  const set = (name: string, value: number | null) =>
    setSearch(
      () => {
        const next = addressNow();
        if (value === null) next.delete(name);
        else next.set(name, String(value));
        if (name === FOLDER) next.delete('page');
        return next;
      },
      { flushSync: true },
    );

  async function upload(files: Promise<PlacedFile[]> | PlacedFile[], to: FolderRow | null): Promise<void> {
    try {
      const placed = await files;
      if (placed.length > MOST_FILES) toast.error(t('uploads.tooMany', { count: MOST_FILES }));
      else await uploadInto(placed, to ?? { id: null, name: t('top') }, uploadTypeFor(placeOf(to)));
    } catch (error) {
      console.warn('The files could not be queued', error);
      toast.error(error instanceof ApiProblem ? error.message : t('uploads.unreadable'));
    }
  }

  async function move({ files, folders: moved }: Dragged, to: FolderRow | null): Promise<void> {
    const folderId = to?.id ?? null;
    const values = { target: to?.name ?? t('top') };
    try {
      for (const one of moved) {
        if (one.id === folderId) continue;
        await call('moveFolder', { params: { id: one.id }, body: { folderId } });
        toast.success(t('move.done', { ...values, name: one.name }));
      }
      for (const one of files) {
        const { name } = await call('moveAttachment', { params: { id: one.id }, body: { folderId } });
        toast.success(t('move.done', { ...values, name }));
      }
    } catch (error) {
      // Shown as a message by the call.
      if (!(error instanceof ApiProblem)) throw error;
    } finally {
      void refresh('listAttachments', 'listFolders', 'readAttachment');
    }
  }

  const menuOf = (file: AttachmentRow) => (
    <FileMenu file={file} onOpen={() => set(FILE, file.id)} onAct={(action) => setActing({ file, action })} />
  );
  const accepts = (to: FolderRow | null) => (to ? to.may.write : mayAdd);
  const dropZone = mayAdd && {
    onDragOver: (event: DragEvent) => {
      if (!event.dataTransfer.types.includes('Files')) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: (event: DragEvent) => {
      if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
    },
    onDrop: (event: DragEvent) => {
      setOver(false);
      if (!event.dataTransfer.types.includes('Files')) return;
      event.preventDefault();
      void upload(droppedFiles(event.dataTransfer), folder ?? null);
    },
  };

  return (
    <div className={css.panes}>
      {!narrow && (
        <Panel title={t('folders')}>
          <FolderTree
            counts
            folders={folders}
            chosen={chosen}
            label={t('folders')}
            top={t('top')}
            onChoose={(id) => set(FOLDER, id)}
            accepts={accepts}
            onMove={(dragged, to) => void move(dragged, to)}
            onUpload={(transfer, to) => void upload(droppedFiles(transfer), to)}
          />
          {known && <QuotaBar customer={quotaOf} />}
        </Panel>
      )}
      <div className={css.files} data-over={over || undefined} {...dropZone}>
        <FolderBar
          folders={folders}
          folder={folder}
          narrow={narrow}
          mayAdd={mayAdd}
          mayAddFolder={mayAddFolder}
          uploadPlace={placeOf(folder)}
          onChoose={(id) => set(FOLDER, id)}
          onUpload={(files) => void upload(files, folder ?? null)}
        />
        {list.answer?.scanning === false && <p className="quiet">{t('notScanned')}</p>}
        <ListSection<AttachmentRow, typeof filters, (typeof sorts)[number]>
          label={folder?.name ?? t('top')}
          list={list}
          keep="attachments"
          search={chosen === null ? t('searchAll') : t('searchHere')}
          filters={
            <>
              <FilterSelect
                label={t('type')}
                options={ATTACHMENT_TYPES.map((value) => ({ value, label: t(`types.${value}`) }))}
                {...list.field('type')}
              />
              {(user.root || user.platformVendor) && (
                <CustomerPicker placeholder={t('customer')} {...list.field('customerId')} />
              )}
            </>
          }
          columns={columns}
          rowActions={menuOf}
          onOpen={(file) => set(FILE, file.id)}
          empty={mayAdd ? t('emptyDrop') : t('empty')}
          bulk={
            bulk && {
              ...bulk,
              matching: () => call('selectAttachments', { query: inFolder(filtersIn(list.query)) }),
            }
          }
          compact={(file) => <FileCard file={file} actions={menuOf(file)} />}
        />
        {narrow && known && <QuotaBar customer={quotaOf} />}
      </div>
      {acting && <FileActionDialog {...acting} onClose={() => setActing(null)} />}
      {openId !== null && <PreviewDialog id={openId} onClose={() => set(FILE, null)} />}
    </div>
  );
}

/** Whose space the files of a folder take; null: the platform's. */
function spaceOwner({ customerId, customer }: FolderRow): { id: number; name: string } | null {
  return customerId === null ? null : { id: customerId, name: customer ?? '' };
}
