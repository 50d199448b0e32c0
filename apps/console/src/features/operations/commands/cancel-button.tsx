import type { ExecutionRow } from '@chargehand/contract';
import { useMutation } from '@tanstack/react-query';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { call } from '../../../shared/api/client.ts';
import { refresh } from '../../../shared/api/query.ts';
import { toast } from '../../../shared/ui/dialogs/toast.ts';

/** Cancels a queued command; hidden when it cannot be cancelled. `name` distinguishes several buttons. */
export function CancelButton({ execution, name }: { execution: Pick<ExecutionRow, 'id' | 'state'>; name?: string }) {
  const { t } = useTranslation('operations');
  const cancel = useMutation({
    mutationFn: () => call('cancelExecution', { params: { executionId: execution.id }, body: {} }, { quiet: true }),
    onSuccess: () => toast.success(t('cancel.done')),
    onError: (error) => toast.error(error.message),
    onSettled: () => refresh('listExecutions', 'readBatch', 'listBatchExecutions'),
  });
  if (execution.state !== 'queued') return null;
  return (
    <Button
      size="small"
      loading={cancel.isPending}
      aria-label={name === undefined ? undefined : t('cancel.of', { name })}
      onClick={() => cancel.mutate()}
    >
      {t('cancel.do')}
    </Button>
  );
}
