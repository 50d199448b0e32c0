import type { ExecutionRow } from '@chargehand/contract';
import { EXECUTION_RESULTS, executionResultOf } from '@chargehand/domain';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useReason } from '../../../shared/hooks/use-reason.ts';
import { ResultTag } from '../../../shared/ui/tags/result-tag.tsx';
import { FileProgress, shownStage, timesOf } from './execution-stage.tsx';
import '../operations.module.css';
import { useConnectionDetail } from '../../../shared/hooks/use-connection-detail.ts';

interface Props {
  execution: ExecutionRow;
  /** whether the device is connected; null if unknown */
  connected?: boolean | null;
}

/** The progress of a command: queued, sent, accepted, its transfer, and its result with the reason. */
export function ExecutionProgress({ execution, connected = null }: Props) {
  const { t } = useTranslation('operations');
  const detailOf = useConnectionDetail();
  const reasonOf = useReason();
  const waits = execution.outcome === EXECUTION_RESULTS.waiting;
  const now = useSeconds(execution.state !== 'ended');
  const seconds = Math.max(0, Math.round((now - Date.parse(execution.sentAt ?? execution.queuedAt)) / 1_000));
  const left = Math.max(0, Math.round((Date.parse(execution.deadlineAt) - now) / 1_000));
  const stage = shownStage(execution, connected);
  const values = { seconds, left, ...timesOf(execution) };
  return (
    <div className="progress" role="status" data-result={executionResultOf(execution.outcome)}>
      <ResultTag execution={execution} />
      {stage === 'transfer' && execution.transfer ? (
        <FileProgress transfer={execution.transfer} />
      ) : (
        <p>{stage === 'ended' || stage === 'transfer' ? reasonOf(execution) : t(`progress.long.${stage}`, values)}</p>
      )}
      {execution.detail && <p className="quiet">{t('progress.detail', { detail: detailOf(execution.detail) })}</p>}
      {execution.lateAnswerAt && <p className="quiet">{t('progress.late')}</p>}
      {waits && <p className="quiet">{t('progress.leave')}</p>}
    </div>
  );
}

/** The current time in milliseconds, updated every second while it is needed. */
function useSeconds(running: boolean): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [running]);
  return now;
}
