import type { FolderRow } from '@chargehand/contract';
import { DEFAULT_FILE_LEVELS, levelsWithin } from '@chargehand/domain';
import { Form } from 'antd';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { refresh } from '../../../shared/api/query.ts';
import { useUser } from '../../../shared/session/use-user.ts';
import { levelsOf } from '../use-folders.ts';
import { OwnerField, type OwnerValues, ownerOf, useMayChooseOwner } from './owner-field.tsx';
import { type Properties, PropertiesDialog } from './properties-dialog.tsx';
import { SiteField, type SiteValues } from './site-field.tsx';

type Values = Properties & OwnerValues & SiteValues;

interface Props {
  /** null: a new folder */
  folder: FolderRow | null;
  /** the folder that contains it; undefined: none */
  parent: FolderRow | undefined;
  onSaved(id: number): void;
  onClose(): void;
}

/** Adds a folder, or changes the name, the description, the site and the levels of one. */
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
  const initial: Values = { ...properties, owner: 'own', siteId: folder?.siteId ?? undefined };
  // What is in a folder of a site has that site.
  const asksSite = !parent?.siteId;

  async function save({ owner, customerId, siteId, ...values }: Values): Promise<{ id: number }> {
    if (!folder) {
      const ofOwner = asksOwner ? ownerOf({ owner, customerId }) : {};
      const ofSite = asksSite && ofOwner.customerId !== null && siteId !== undefined && { siteId };
      const place = { folderId: parent?.id ?? null, ...ofOwner, ...ofSite };
      return await call('createFolder', { body: { ...values, ...place } }, { quiet: true });
    }
    const body = { ...values, ...(asksSite && { siteId: siteId ?? null }), revision: folder.revision };
    await call('updateFolder', { params: { id: folder.id }, body }, { quiet: true });
    return { id: folder.id };
  }

  return (
    <PropertiesDialog
      title={folder ? t('folder.editTitle', { name: folder.name }) : t('folder.addTitle')}
      ok={folder ? common('save') : t('folder.add')}
      initial={initial}
      within={within}
      fields={
        <>
          {asksOwner && <OwnerField />}
          {asksSite && <SiteOf owner={folder ?? parent} />}
        </>
      }
      intro={
        <>
          {!folder && parent && <p className="quiet">{t('folder.inside', { name: parent.name })}</p>}
          {parent?.site && <p className="quiet">{t('site.ofFolder', { site: parent.site })}</p>}
        </>
      }
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

/** The site of a folder of a customer. Folders for all customers have none. */
function SiteOf({ owner: row }: { owner: FolderRow | undefined }) {
  const { user } = useUser();
  const owner = Form.useWatch<OwnerValues['owner'] | undefined>('owner');
  const other = Form.useWatch<number | undefined>('customerId');
  const entered = owner === 'other' ? other : owner === 'platform' ? null : user.customerId;
  const customerId = row ? row.customerId : entered;
  return typeof customerId === 'number' ? <SiteField customerId={customerId} knownAs={row?.site ?? null} /> : null;
}
