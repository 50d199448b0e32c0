import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../shared/api/query.ts';
import { Dialog } from '../../../shared/ui/dialogs/dialog.tsx';
import { IssueButton } from '../../../shared/ui/issues/issue-button.tsx';
import { ErrorState } from '../../../shared/ui/states/error-state.tsx';
import { SkeletonRows } from '../../../shared/ui/states/skeleton-rows.tsx';
import { Describe } from '../../../shared/ui/values/describe.tsx';
import { ExactTime } from '../../../shared/ui/values/time-ago.tsx';
import { ExecutionProgress } from './execution-progress.tsx';
import { VerificationMark } from './verification.tsx';

/** An execution: who sent it, when, and its result. */
export function ExecutionDialog(props: { deviceId: number; executionId: string; onClose(): void }) {
  const { t } = useTranslation('operations');
  const { t: words } = useTranslation('parameters');
  const params = { id: props.deviceId, executionId: props.executionId };
  const execution = useQuery(queryOf('readExecution', { params }, { quiet: true }));
  const { data } = execution;
  const { key, value } = (data?.params ?? {}) as { key?: string; value?: string };
  return (
    <Dialog
      title={data ? t(`kinds.${data.kind}.do`) : words('execution')}
      footer={null}
      width={560}
      onCancel={props.onClose}
    >
      {!data ? (
        execution.isError ? (
          <ErrorState error={execution.error} onRetry={() => void execution.refetch()} />
        ) : (
          <SkeletonRows rows={4} />
        )
      ) : (
        <div className="stack">
          <Describe
            items={[
              ...(key === undefined ? [] : [{ key: 'key', label: t('parameter.key'), value: <code>{key}</code> }]),
              ...(value === undefined ? [] : [{ key: 'value', label: t('parameter.value'), value }]),
              { key: 'by', label: t('execution.by'), value: data.requestedBy || t('execution.automatic') },
              { key: 'at', label: t('execution.queuedAt'), value: <ExactTime at={data.queuedAt} /> },
            ]}
          />
          <ExecutionProgress execution={data} />
          <VerificationMark execution={data} />
          <div>
            <IssueButton of={{ executionId: data.id }} deviceId={props.deviceId} />
          </div>
        </div>
      )}
    </Dialog>
  );
}
