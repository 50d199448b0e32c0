import type { AttachmentRow, FolderRow } from '@chargehand/contract';
import { formatSize, TRASH_DAYS } from '@chargehand/domain';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { queryOf, refresh } from '../../shared/api/query.ts';
import { useList } from '../../shared/hooks/lists/use-list.ts';
import { filtersIn, type ListSpec } from '../../shared/lib/lists/list-query.ts';
import { useUser } from '../../shared/session/use-user.ts';
import { Confirm } from '../../shared/ui/dialogs/confirm.tsx';
import { toast } from '../../shared/ui/dialogs/toast.ts';
import type { DataColumn } from '../../shared/ui/list-page/data-table.tsx';
import { CardLine, ListCard } from '../../shared/ui/list-page/list-card.tsx';
import { ListSection } from '../../shared/ui/list-page/list-page.tsx';
import { Panel } from '../../shared/ui/page/page-header.tsx';
import { ExactTime } from '../../shared/ui/values/time-ago.tsx';
import css from './attachments.module.css';
import { useTrashBulk } from './file-bulk.tsx';

const filters = { search: 'text' } as const;
const SPEC: ListSpec<typeof filters, 'name' | 'size' | 'deletedAt'> = {
  filters,
  sorts: ['name', 'size', 'deletedAt'],
  defaultSort: '-deletedAt',
};

/** Deleted files and folders, which can be restored for some time. */
export function TrashTab() {
  const { t } = useTranslation('attachments');
  const { user } = useUser();
  const inTrash = { trash: true, below: true };
  const list = useList(SPEC, 'listAttachments', (query) => ({ query: { ...query, ...inTrash } }));
  const folders = useQuery(queryOf('listFolders', { query: { trash: true } }, { quiet: true }));
  const [empties, setEmpties] = useState(false);
  const bulk = useTrashBulk();
  const restoring = useMutation({
    mutationFn: ({ id }: AttachmentRow) => call('restoreAttachment', { params: { id }, body: {} }),
    onSuccess: ({ name }) => toast.success(t('trash.restored', { name })),
    onSettled: () => refresh('listAttachments', 'listFolders', 'readQuota'),
  });
  const restore = (file: AttachmentRow) =>
    file.may.write &&
    file.managedBy === null && (
      <Button
        size="small"
        loading={restoring.isPending && restoring.variables.id === file.id}
        aria-label={t('trash.restoreOf', { name: file.name })}
        onClick={() => restoring.mutate(file)}
      >
        {t('trash.restore')}
      </Button>
    );
  const columns: DataColumn<AttachmentRow, 'name' | 'size' | 'deletedAt'>[] = [
    {
      title: t('name'),
      sortBy: 'name',
      render: (_, { name }) => (
        <span className={`two-lines ${css.fileName}`} title={name}>
          {name}
        </span>
      ),
    },
    {
      title: t('folderOf'),
      render: (_, { folder }) => folder ?? <span className="quiet">{t('top')}</span>,
    },
    { title: t('size'), sortBy: 'size', align: 'end', render: (_, { size }) => formatSize(size) },
    {
      title: t('trash.deletedAt'),
      sortBy: 'deletedAt',
      render: (_, { deletedAt, deletedBy }) => (
        <>
          <ExactTime at={deletedAt} /> <span className="quiet">{deletedBy}</span>
        </>
      ),
    },
  ];
  const deleted = folders.data?.items ?? [];
  const total = list.rows.data?.total ?? 0;

  return (
    <div className="stack">
      <div className={css.tools}>
        <p className="quiet">{t('trash.kept', { count: TRASH_DAYS })}</p>
        {!user.readOnly && total + deleted.length > 0 && (
          <Button danger onClick={() => setEmpties(true)}>
            {t('trash.empty')}
          </Button>
        )}
      </div>
      {deleted.length > 0 && (
        <Panel title={t('folders')}>
          <ul className={css.deletedFolders}>
            {deleted.map((folder) => (
              <DeletedFolder key={folder.id} folder={folder} />
            ))}
          </ul>
        </Panel>
      )}
      <ListSection<AttachmentRow, typeof filters, 'name' | 'size' | 'deletedAt'>
        label={t('tabs.trash')}
        list={list}
        search={t('searchTrash')}
        columns={columns}
        rowActions={restore}
        empty={t('trash.nothing')}
        bulk={
          bulk && {
            ...bulk,
            matching: () => call('selectAttachments', { query: { ...filtersIn(list.query), ...inTrash } }),
          }
        }
        compact={(file) => (
          <ListCard
            title={
              <span className={`two-lines ${css.fileName}`} title={file.name}>
                {file.name}
              </span>
            }
            aside={restore(file)}
          >
            <CardLine end={formatSize(file.size)}>
              <ExactTime at={file.deletedAt} /> {file.deletedBy}
            </CardLine>
          </ListCard>
        )}
      />
      {empties && (
        <Confirm
          title={t('trash.emptyTitle')}
          ok={t('trash.emptyOk')}
          danger
          run={() => call('emptyTrash', { body: {} }, { quiet: true })}
          onDone={() => {
            toast.success(t('trash.emptied'));
            void refresh('listAttachments', 'listFolders', 'readQuota');
            setEmpties(false);
          }}
          onClose={() => setEmpties(false)}
        >
          <p>{t('trash.emptyText')}</p>
        </Confirm>
      )}
    </div>
  );
}

function DeletedFolder({ folder }: { folder: FolderRow }) {
  const { t } = useTranslation('attachments');
  const restoring = useMutation({
    mutationFn: () => call('restoreFolder', { params: { id: folder.id }, body: {} }),
    onSuccess: ({ name }) => toast.success(t('trash.restored', { name })),
    onSettled: () => refresh('listAttachments', 'listFolders', 'readQuota'),
  });
  return (
    <li>
      <span className={`two-lines ${css.fileName}`} title={folder.name}>
        {folder.name}
      </span>
      <span className="quiet">
        <ExactTime at={folder.deletedAt} /> {folder.deletedBy}
      </span>
      {folder.may.write && (
        <Button
          size="small"
          loading={restoring.isPending}
          aria-label={t('trash.restoreOf', { name: folder.name })}
          onClick={() => restoring.mutate()}
        >
          {t('trash.restore')}
        </Button>
      )}
    </li>
  );
}
