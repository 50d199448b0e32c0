import type { AttachmentDetail } from '@chargehand/contract';
import { type AttachmentUse, formatSize } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { queryOf } from '../../../shared/api/query.ts';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { AddToIssue } from '../../../shared/ui/issues/add/add-to-issue.tsx';
import { storedFileNode } from '../../../shared/ui/issues/add/issue-nodes.ts';
import { useAddsToIssues } from '../../../shared/ui/issues/add/use-adds-to-issues.ts';
import shareCss from '../../../shared/ui/shares/object-shares.module.css';
import { ObjectShares } from '../../../shared/ui/shares/object-shares.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { latePart } from '../../../shared/ui/states/late-part.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { Describe } from '../../../shared/ui/values/describe.tsx';
import { ExactTime } from '../../../shared/ui/values/time-ago.tsx';
import { DownloadLink } from '../dialogs/download-link.tsx';
import { LevelsText } from '../dialogs/level-fields.tsx';
import { ScanMark } from '../file-columns.tsx';
import { NewShare } from '../shares/new-share.tsx';
import { contentUrl, downloadFile } from './content.ts';
import { OFFICE_LIMIT } from './office/limit.ts';
import css from './preview.module.css';
import { previewKind } from './preview-kind.ts';
import { TextPreview } from './text-preview.tsx';

/** Its readers are large, and few files need them. */
const OfficePreview = latePart(() => import('./office/office-preview.tsx'), 8);

/** A file: its content as far as a browser can show it, its data, and what uses it. */
export function PreviewDialog({ id, onClose }: { id: number; onClose(): void }) {
  const { t } = useTranslation('attachments');
  const read = useQuery(queryOf('readAttachment', { params: { id } }, { quiet: true }));
  const file = read.data;
  return (
    <Dialog title={file?.name ?? t('file')} width={1_000} footer={null} onCancel={onClose}>
      {file ? (
        <div className="stack">
          <Content key={file.etag} file={file} />
          <Facts file={file} />
          <Shares file={file} />
        </div>
      ) : read.isError ? (
        <ErrorState error={read.error} onRetry={() => void read.refetch()} />
      ) : (
        <SkeletonRows rows={8} />
      )}
    </Dialog>
  );
}

function Content({ file }: { file: AttachmentDetail }) {
  const { t } = useTranslation('attachments');
  const [failed, setFailed] = useState(false);
  const { id, name, scan } = file;
  const kind = previewKind(file);
  const url = contentUrl(id);
  if (scan === 'infected' || scan === 'waiting') return <p className="warning-note">{t(`preview.${scan}`)}</p>;
  if (kind === 'tooLarge') {
    return <p className="quiet">{t('preview.tooLarge', { limit: formatSize(OFFICE_LIMIT) })}</p>;
  }
  if (kind === null || failed) {
    return (
      <p className="quiet">
        {failed ? t('preview.failed') : t('preview.none')}
        {!file.may.download && ` ${t('preview.noDownload')}`}
      </p>
    );
  }
  if (kind === 'text') return <TextPreview id={id} name={name} />;
  if (kind === 'word' || kind === 'sheets') {
    return <OfficePreview file={file} kind={kind} />;
  }
  if (kind === 'image') return <img className={css.image} src={url} alt={name} onError={() => setFailed(true)} />;
  if (kind === 'video') {
    return (
      // biome-ignore lint/a11y/useMediaCaption: uploaded videos have no captions
      <video
        className={css.image}
        src={url}
        controls
        preload="metadata"
        aria-label={name}
        onError={() => setFailed(true)}
      />
    );
  }
  return <iframe className={css.frame} src={url} title={name} />;
}

/** The shares of the file, and a new one for those who may download it. */
function Shares({ file: { id, name, may, scan } }: { file: AttachmentDetail }) {
  const { t } = useTranslation(['attachments', 'shares']);
  const [sharing, setSharing] = useState(false);
  return (
    <section aria-label={t('shares:ofObject.heading')}>
      <div className={shareCss.head}>
        <h3>{t('shares:ofObject.heading')}</h3>
        {may.download && scan !== 'infected' && <Button onClick={() => setSharing(true)}>{t('share.do')}</Button>}
      </div>
      <ObjectShares attachmentId={id} />
      {sharing && <NewShare object={{ kind: 'attachment', id, name }} onClose={() => setSharing(false)} />}
    </section>
  );
}

/** The pages of the objects that use files. */
const PAGES = {
  device: '/manage/device/detail/',
  document: '/manage/docs/detail/',
  issue: '/manage/issue/detail/',
} as const satisfies Record<AttachmentUse, string>;

function Facts({ file }: { file: AttachmentDetail }) {
  const { t } = useTranslation('attachments');
  const [linking, setLinking] = useState(false);
  const { t: common } = useTranslation();
  const toIssue = useAddsToIssues() && file.managedBy !== 'firmware';
  const [adds, setAdds] = useState(false);
  const clean = file.scan !== 'infected' && file.scan !== 'waiting';
  const place = [t('top'), ...file.path.map(({ name }) => name)].join(' / ');
  return (
    <>
      <div className="field-row">
        {file.may.download && clean && (
          <>
            <Button type="primary" onClick={() => downloadFile(file.id)}>
              {t('download')}
            </Button>
            <Button onClick={() => setLinking(true)}>{t('link.do')}</Button>
            {toIssue && <Button onClick={() => setAdds(true)}>{common('issue.add')}</Button>}
          </>
        )}
        <ScanMark scan={file.scan} />
      </div>
      {linking && <DownloadLink file={file} onClose={() => setLinking(false)} />}
      {adds && (
        <AddToIssue name={file.name} prepare={async () => [storedFileNode(file)]} onClose={() => setAdds(false)} />
      )}
      {file.managedBy && <p className="quiet">{t(`managed.${file.managedBy}`)}</p>}
      {file.description && <p className="pre-text">{file.description}</p>}
      <Describe
        items={[
          { key: 'folder', label: t('folderOf'), value: place },
          { key: 'size', label: t('size'), value: formatSize(file.size) },
          { key: 'type', label: t('type'), value: t(`types.${file.type}`) },
          { key: 'levels', label: t('levels.title'), value: <LevelsText levels={file} /> },
          { key: 'by', label: t('uploadedBy'), value: file.uploadedBy },
          { key: 'at', label: t('createdAt'), value: <ExactTime at={file.createdAt} /> },
          ...(file.customer ? [{ key: 'customer', label: t('customer'), value: file.customer }] : []),
          {
            key: 'uses',
            label: t('uses'),
            value:
              file.uses === 0 ? (
                t('unused')
              ) : (
                <ul className={`plain-list ${css.uses}`}>
                  {file.usedBy.map((use) => (
                    <li key={`${use.kind}${use.id}`}>
                      {t(`usedBy.${use.kind}`)} <Link to={PAGES[use.kind] + use.id}>{use.name}</Link>
                    </li>
                  ))}
                  {file.uses > file.usedBy.length && (
                    <li className="quiet">{t('usedElsewhere', { count: file.uses - file.usedBy.length })}</li>
                  )}
                </ul>
              ),
          },
        ]}
      />
    </>
  );
}
