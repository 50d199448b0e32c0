import { FolderOutlined } from '@ant-design/icons';
import type { FolderRow } from '@chargehand/contract';
import { ATTACHMENT_TYPES, type AttachmentType } from '@chargehand/domain';
import { Breadcrumb, Button, Select } from 'antd';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../shared/api/client.ts';
import { refresh } from '../../shared/api/query.ts';
import { chosenFiles, type PlacedFile } from '../../shared/lib/files/dropped.ts';
import { Confirm } from '../../shared/ui/dialogs/confirm.tsx';
import { MoreMenu } from '../../shared/ui/dialogs/more-menu.tsx';
import { toast } from '../../shared/ui/dialogs/toast.ts';
import css from './attachments.module.css';
import { FolderDialog } from './dialogs/folder-dialog.tsx';
import { LevelsText } from './dialogs/level-fields.tsx';
import { MoveDialog } from './dialogs/move-dialog.tsx';
import { NewShare } from './shares/new-share.tsx';
import { SharesDialog } from './shares/shares-dialog.tsx';
import { keepUploadType, useUploadType } from './uploads/upload-types.ts';
import { pathOf, useMayDownload } from './use-folders.ts';

interface Props {
  folders: readonly FolderRow[];
  folder: FolderRow | undefined;
  /** there is no tree next to it: it lists the subfolders */
  narrow: boolean;
  mayAdd: boolean;
  mayAddFolder: boolean;
  /** whose type of uploads is shown */
  uploadPlace: Parameters<typeof keepUploadType>[0];
  onChoose(id: number | null): void;
  onUpload(files: PlacedFile[]): void;
}

type FolderAction = 'add' | 'edit' | 'move' | 'copy' | 'share' | 'request' | 'shares' | 'delete';

/** Where the user is, what can be added here, and the actions of the folder. */
export function FolderBar(props: Props) {
  const { folders, folder, narrow, mayAdd, mayAddFolder, uploadPlace, onChoose, onUpload } = props;
  const { t } = useTranslation('attachments');
  const here = folder?.id ?? null;
  const [open, setOpen] = useState<{ dialog: FolderAction; at: number | null } | null>(null);
  // A dialog belongs to the folder in which it was opened: "back" may lead to another one meanwhile.
  const dialog = open?.at === here ? open.dialog : null;
  const setDialog = (next: FolderAction) => setOpen({ dialog: next, at: here });
  const close = () => setOpen(null);
  const uploadType = useUploadType(uploadPlace);
  const mayDownload = useMayDownload(folder);
  const path = pathOf(folders, here);
  const parent = path.at(-2);
  const below = folders.filter(({ parentId }) => parentId === here);
  const crumb = (id: number | null, name: string) => (
    <button type="button" className="text-button" onClick={() => onChoose(id)}>
      {name}
    </button>
  );

  return (
    <div className="field-row">
      <Breadcrumb
        className={css.crumbs}
        items={[
          { title: folder ? crumb(null, t('top')) : t('top') },
          ...path.map((one) => ({ key: one.id, title: one === folder ? one.name : crumb(one.id, one.name) })),
        ]}
      />
      {folder && (
        <span className="quiet">
          {t('levels.title')} <LevelsText levels={folder} /> {folder.site && `· ${folder.site}`}
        </span>
      )}
      {mayAddFolder && !mayAdd && <span className="quiet">{t('site.topNote')}</span>}
      <div className={css.tools}>
        {mayAdd && (
          <>
            <ChooseButton label={t('uploadFiles')} primary onChosen={onUpload} />
            {!narrow && <ChooseButton label={t('uploadFolder')} wholeFolder onChosen={onUpload} />}
            <Select<AttachmentType>
              prefix={t('uploads.as')}
              aria-label={t('uploads.as')}
              value={uploadType}
              options={ATTACHMENT_TYPES.map((value) => ({ value, label: t(`types.${value}`) }))}
              popupMatchSelectWidth={false}
              onChange={(type) => keepUploadType(uploadPlace, type)}
            />
          </>
        )}
        {mayAddFolder && <Button onClick={() => setDialog('add')}>{t('folder.new')}</Button>}
        {folder && (
          <MoreMenu
            type="default"
            label={t('folder.actionsOf', { name: folder.name })}
            items={[
              ...(folder.may.write
                ? [
                    { key: 'edit', label: t('folder.edit'), onClick: () => setDialog('edit') },
                    { key: 'move', label: t('move.do'), onClick: () => setDialog('move') },
                  ]
                : []),
              ...(mayDownload ? [{ key: 'copy', label: t('copy.do'), onClick: () => setDialog('copy') }] : []),
              ...(mayDownload ? [{ key: 'share', label: t('share.do'), onClick: () => setDialog('share') }] : []),
              ...(folder.may.write
                ? [{ key: 'request', label: t('share.request'), onClick: () => setDialog('request') }]
                : []),
              { key: 'shares', label: t('share.list'), onClick: () => setDialog('shares') },
              ...(folder.may.write
                ? [{ key: 'delete', label: t('folder.delete'), danger: true, onClick: () => setDialog('delete') }]
                : []),
            ]}
          />
        )}
      </div>
      {narrow && below.length > 0 && (
        <ul className={css.subfolders} aria-label={t('folders')}>
          {below.map((one) => (
            <li key={one.id}>
              <button type="button" onClick={() => onChoose(one.id)}>
                <FolderOutlined aria-hidden="true" />{' '}
                <span className="two-lines" title={one.name}>
                  {one.name}
                </span>
                <span className="quiet">{t('folder.files', { count: one.files })}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
      {folder?.description && <p className={css.description}>{folder.description}</p>}
      {dialog === 'add' && (
        <FolderDialog
          folder={null}
          parent={folder}
          onSaved={(id) => {
            close();
            onChoose(id);
          }}
          onClose={close}
        />
      )}
      {dialog === 'edit' && folder && <FolderDialog folder={folder} parent={parent} onSaved={close} onClose={close} />}
      {(dialog === 'share' || dialog === 'request') && folder && (
        <NewShare
          object={{ kind: 'folder', id: folder.id, name: folder.name }}
          upload={dialog === 'request'}
          onClose={close}
        />
      )}
      {dialog === 'shares' && folder && <SharesDialog folder={folder} onClose={close} />}
      {dialog === 'move' && folder && (
        <MoveDialog
          title={t('move.title', { name: folder.name })}
          ok={t('move.ok')}
          customerId={folder.customerId}
          from={folder.parentId}
          folderId={folder.id}
          run={(to) =>
            call('moveFolder', { params: { id: folder.id }, body: { folderId: to?.id ?? null } }, { quiet: true })
          }
          onDone={() => {
            toast.success(t('move.moved', { name: folder.name }));
            void refresh('listFolders', 'listAttachments');
            close();
          }}
          onClose={close}
        />
      )}
      {dialog === 'copy' && folder && <CopyDialog folder={folder} onClose={close} />}
      {dialog === 'delete' && folder && (
        <Confirm
          title={t('folder.deleteTitle', { name: folder.name })}
          ok={t('delete')}
          danger
          run={() => call('deleteFolder', { params: { id: folder.id } }, { quiet: true })}
          onDone={() => {
            toast.success(t('trash.moved', { name: folder.name }));
            void refresh('listFolders', 'listAttachments');
            onChoose(folder.parentId);
            close();
          }}
          onClose={close}
        >
          <p>{t('folder.deleteText')}</p>
        </Confirm>
      )}
    </div>
  );
}

/** Copies a folder with what the user may download of it, and says what was left out. */
function CopyDialog({ folder, onClose }: { folder: FolderRow; onClose(): void }) {
  const { t } = useTranslation('attachments');
  const { id, name } = folder;
  return (
    <MoveDialog
      title={t('copy.title', { name })}
      ok={t('copy.ok')}
      note={t('copy.folderText')}
      customerId={undefined}
      folderId={id}
      levels={folder}
      run={async (to) => {
        const body = { folderId: to?.id ?? null };
        const copied = await call('copyFolder', { params: { id }, body }, { quiet: true });
        const done = t('copy.folderDone', { name: copied.name, count: copied.files });
        if (copied.skipped === 0) toast.success(done);
        else toast.info(`${done} ${t('copy.skipped', { count: copied.skipped })}`);
      }}
      onDone={() => {
        void refresh('listFolders', 'listAttachments', 'readQuota');
        onClose();
      }}
      onClose={onClose}
    />
  );
}

/** A button that lets the user choose files, or a whole folder. */
function ChooseButton(props: {
  label: string;
  primary?: boolean;
  wholeFolder?: boolean;
  onChosen(files: PlacedFile[]): void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const { label, primary = false, wholeFolder = false } = props;
  return (
    <>
      <input
        ref={input}
        hidden
        type="file"
        multiple
        // React knows no property for it.
        {...(wholeFolder && { webkitdirectory: '' })}
        onChange={(event) => {
          const files = event.target.files ? chosenFiles(event.target.files) : [];
          // Allows the same files to be chosen again.
          event.target.value = '';
          if (files.length > 0) props.onChosen(files);
        }}
      />
      <Button type={primary ? 'primary' : 'default'} onClick={() => input.current?.click()}>
        {label}
      </Button>
    </>
  );
}
