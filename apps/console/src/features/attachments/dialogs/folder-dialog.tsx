import type { FolderRow } from '@chargehand/contract';
import { DEFAULT_FILE_LEVELS, levelsWithin } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { refresh } from '../../../shared/api/query.ts';
import { levelsOf } from '../use-folders.ts';
import { OwnerField, type OwnerValues, ownerOf, useMayChooseOwner } from './owner-field.tsx';
import { type Properties, PropertiesDialog } from './properties-dialog.tsx';

type Values = Properties & OwnerValues;

interface Props {
  /** null: a new folder */
  folder: FolderRow | null;
  /** the folder that contains it; undefined: none */
  parent: FolderRow | undefined;
  onSaved(id: number): void;
  onClose(): void;
}

/** Adds a folder, or changes the name, the description and the levels of one. */
export function FolderDialog({ folder, parent, onSaved, onClose }: Props) {
  const { t } = useTranslation('attachments');
  const { t: common } = useTranslation();
  const within = levelsOf(parent);
  const fresh = levelsWithin(within ?? DEFAULT_FILE_LEVELS, within);
  // The folders in a folder have its owner.
  const asksOwner = useMayChooseOwner() && !folder && !parent;
  const properties: Properties = folder
    ? {
        ...{ name: folder.name, description: folder.description },
        ...{ readLevel: folder.readLevel, writeLevel: folder.writeLevel, downloadLevel: folder.downloadLevel },
      }
    : { name: '', description: '', readLevel: fresh.read, writeLevel: fresh.write, downloadLevel: fresh.download };
  const initial: Values = { ...properties, owner: 'own' };

  async function save({ owner, customerId, ...values }: Values): Promise<{ id: number }> {
    if (!folder) {
      const place = { folderId: parent?.id ?? null, ...(asksOwner && ownerOf({ owner, customerId })) };
      return await call('createFolder', { body: { ...values, ...place } }, { quiet: true });
    }
    const body = { ...values, revision: folder.revision };
    await call('updateFolder', { params: { id: folder.id }, body }, { quiet: true });
    return { id: folder.id };
  }

  return (
    <PropertiesDialog
      title={folder ? t('folder.editTitle', { name: folder.name }) : t('folder.addTitle')}
      ok={folder ? common('save') : t('folder.add')}
      initial={initial}
      within={within}
      fields={asksOwner && <OwnerField />}
      intro={!folder && parent && <p className="quiet">{t('folder.inside', { name: parent.name })}</p>}
      note={folder && <p className="quiet">{t('folder.levelsApply')}</p>}
      save={save}
      onSaved={({ id }) => {
        void refresh('listFolders', 'listAttachments', 'readAttachment');
        onSaved(id);
      }}
      onClose={onClose}
    />
  );
}
