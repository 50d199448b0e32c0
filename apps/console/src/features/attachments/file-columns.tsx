import type { AttachmentRow } from '@chargehand/contract';
import { formatSize } from '@chargehand/domain';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useUser } from '../../shared/session/use-user.ts';
import type { DataColumn } from '../../shared/ui/list-page/data-table.tsx';
import { CardLine, ListCard } from '../../shared/ui/list-page/list-card.tsx';
import { Tag } from '../../shared/ui/tags/tag.tsx';
import { Dash, ExactTime } from '../../shared/ui/values/time-ago.tsx';
import css from './attachments.module.css';
import { LevelsText } from './dialogs/level-fields.tsx';
import { startDrag } from './folder-tree.tsx';

type Sort = 'name' | 'size' | 'type' | 'uploadedBy' | 'createdAt';

/** The columns of the list of files. */
export function useFileColumns({ withFolder }: { withFolder: boolean }): DataColumn<AttachmentRow, Sort>[] {
  const { t } = useTranslation('attachments');
  const { user } = useUser();
  const customer: DataColumn<AttachmentRow, Sort> = {
    name: 'customer',
    optional: true,
    title: t('customer'),
    render: (_, file) => file.customer ?? t('platform'),
  };
  const folder: DataColumn<AttachmentRow, Sort> = {
    name: 'folder',
    title: t('folderOf'),
    render: (_, file) => file.folder ?? <span className="quiet">{t('top')}</span>,
  };
  return [
    {
      name: 'name',
      always: true,
      title: t('name'),
      sortBy: 'name',
      render: (_, file) => (
        <>
          <FileName file={file} />
          {file.site && <span className={css.siteOfFile}>{file.site}</span>}
        </>
      ),
    },
    ...(withFolder ? [folder] : []),
    ...(user.root || user.platformVendor ? [customer] : []),
    {
      name: 'size',
      title: t('size'),
      sortBy: 'size',
      align: 'end',
      render: (_, { size }) => <span className="no-break">{formatSize(size)}</span>,
    },
    {
      name: 'type',
      title: t('type'),
      sortBy: 'type',
      render: (_, { type }) => <span className="no-break">{t(`types.${type}`)}</span>,
    },
    {
      name: 'levels',
      title: t('levels.title'),
      className: css.levelsColumn,
      render: (_, file) => <LevelsText levels={file} />,
    },
    {
      name: 'uploadedBy',
      title: t('uploadedBy'),
      sortBy: 'uploadedBy',
      render: (_, { uploadedBy }) => uploadedBy || <Dash />,
    },
    {
      name: 'createdAt',
      title: t('createdAt'),
      sortBy: 'createdAt',
      render: (_, { createdAt }) => <ExactTime at={createdAt} />,
    },
    {
      name: 'uses',
      optional: true,
      title: t('uses'),
      align: 'end',
      render: (_, { uses }) => (uses > 0 ? uses.toLocaleString('en-US') : <Dash />),
    },
  ];
}

/** The name of a file with its marks. It can be dragged onto a folder of the tree. */
function FileName({ file }: { file: AttachmentRow }) {
  const movable = file.may.write && file.managedBy === null;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the menu of the row does the same with the keyboard
    <span
      className={`two-lines ${css.fileName}`}
      title={file.name}
      draggable={movable}
      onDragStart={(event) => startDrag(event, { files: [{ id: file.id, name: file.name }], folders: [] })}
    >
      <ScanMark scan={file.scan} /> {file.name}
    </span>
  );
}

/** What the virus scan found, if it matters to the reader. */
export function ScanMark({ scan }: { scan: AttachmentRow['scan'] }) {
  const { t } = useTranslation('attachments');
  if (scan === 'infected') {
    return (
      <Tag tone="faulted" glyph="cross">
        {t('scan.infected')}
      </Tag>
    );
  }
  return scan === 'waiting' || scan === 'tooLarge' ? <span className="quiet">{t(`scan.${scan}`)}</span> : null;
}

/** A file on a phone. */
export function FileCard({ file, actions }: { file: AttachmentRow; actions: ReactNode }) {
  const { t } = useTranslation('attachments');
  return (
    <ListCard
      title={
        <span className={`two-lines ${css.fileName}`} title={file.name}>
          {file.name}
        </span>
      }
      aside={actions}
    >
      <CardLine end={<ExactTime at={file.createdAt} />}>
        {formatSize(file.size)} · {t(`types.${file.type}`)} {file.site && `· ${file.site}`}
      </CardLine>
      <CardLine end={file.uploadedBy}>
        <LevelsText levels={file} /> <ScanMark scan={file.scan} />
      </CardLine>
    </ListCard>
  );
}
