import type { AttachmentDetail, AttachmentRow } from '@chargehand/contract';
import { ATTACHMENT_TYPES, type AttachmentType } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { Form, Select } from 'antd';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { EDITED } from '../../../shared/api/edited.ts';
import { queryOf, refresh } from '../../../shared/api/query.ts';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { levelsOf, useFolders } from '../use-folders.ts';
import { type Properties, PropertiesDialog } from './properties-dialog.tsx';
import { SiteField, type SiteValues } from './site-field.tsx';

interface Values extends Properties, SiteValues {
  type: AttachmentType;
}

/** Changes the name, the description, the type, the site and the levels of a file. */
export function FileDialog({ file, onClose }: { file: AttachmentRow; onClose(): void }) {
  const { t } = useTranslation('attachments');
  const read = useQuery({ ...queryOf('readAttachment', { params: { id: file.id } }, { quiet: true }), ...EDITED });
  if (read.data)
    return <Fields key={read.data.revision} file={read.data} revision={read.data.revision} onClose={onClose} />;
  return (
    <Dialog title={t('edit.title', { name: file.name })} footer={null} onCancel={onClose}>
      {read.isError ? <ErrorState error={read.error} onRetry={() => void read.refetch()} /> : <SkeletonRows rows={6} />}
    </Dialog>
  );
}

function Fields({ file, revision, onClose }: { file: AttachmentDetail; revision: string; onClose(): void }) {
  const { t } = useTranslation('attachments');
  const { t: common } = useTranslation();
  const { folders } = useFolders();
  const folder = folders.find(({ id }) => id === file.folderId);
  // Files of a folder with a site, of devices and of issues have the site of these.
  const asksSite = !folder?.siteId && !file.usedBy.some(({ kind }) => kind !== 'document');
  const initial: Values = {
    ...{ name: file.name, description: file.description, type: file.type, siteId: file.siteId ?? undefined },
    ...{ readLevel: file.readLevel, writeLevel: file.writeLevel, downloadLevel: file.downloadLevel },
  };
  return (
    <PropertiesDialog
      title={t('edit.title', { name: file.name })}
      ok={common('save')}
      initial={initial}
      within={levelsOf(folder)}
      fields={
        <>
          <Form.Item name="type" label={t('type')}>
            <Select options={ATTACHMENT_TYPES.map((value) => ({ value, label: t(`types.${value}`) }))} />
          </Form.Item>
          {asksSite && file.customerId !== null && <SiteField customerId={file.customerId} knownAs={file.site} />}
        </>
      }
      save={({ siteId, ...values }) => {
        const body = { ...values, ...(asksSite && { siteId: siteId ?? null }), revision };
        return call('updateAttachment', { params: { id: file.id }, body }, { quiet: true });
      }}
      onSaved={() => {
        void refresh('listAttachments', 'readAttachment');
        onClose();
      }}
      onClose={onClose}
    />
  );
}
