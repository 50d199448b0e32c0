import type { IssueEntry } from '@chargehand/contract';
import { cleanContent } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../../shared/api/query.ts';
import { DocumentContentView } from '../../../../shared/ui/content/document-content-view.tsx';
import { Dialog } from '../../../../shared/ui/dialogs/dialog.tsx';
import { ErrorState } from '../../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../../shared/ui/states/skeleton-rows.tsx';
import { ExactTime } from '../../../../shared/ui/values/time-ago.tsx';
import css from './timeline.module.css';

/** The former texts of a comment, newest first. */
export function VersionsDialog(props: { issueId: number; entry: IssueEntry; onClose(): void }) {
  const { t } = useTranslation('issue');
  const params = { id: props.issueId, entryId: props.entry.id };
  const versions = useQuery(queryOf('listIssueCommentVersions', { params }, { quiet: true }));
  return (
    <Dialog title={t('comment.versions')} footer={null} width={640} onCancel={props.onClose}>
      {versions.data ? (
        <ol className={css.versions}>
          {versions.data.items.map(({ version, writtenAt, body }) => (
            <li key={version}>
              <p className="quiet">
                <ExactTime at={writtenAt} />
              </p>
              <DocumentContentView content={cleanContent(body)} />
            </li>
          ))}
        </ol>
      ) : versions.isError ? (
        <ErrorState error={versions.error} onRetry={() => void versions.refetch()} />
      ) : (
        <SkeletonRows rows={4} />
      )}
    </Dialog>
  );
}
