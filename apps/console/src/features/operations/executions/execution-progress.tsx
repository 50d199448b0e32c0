import type { ExecutionRow } from '@chargehand/contract';
import { COMMAND_RULES, type Confirmation, formatTime } from '@chargehand/domain';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useReason } from '../../../shared/hooks/use-reason.ts';
import { ResultTag } from '../../../shared/ui/tags/result-tag.tsx';
import { resultOf } from '../commands/command-state.ts';
import '../operations.module.css';

/** The progress of a command: queued, sent, and its end with the reason. */
export function ExecutionProgress({ execution }: { execution: ExecutionRow }) {
  const { t } = useTranslation('operations');
  const reasonOf = useReason();
  const now = useSeconds(execution.state !== 'ended');
  const seconds = Math.max(0, Math.round((now - Date.parse(execution.sentAt ?? execution.queuedAt)) / 1_000));
  const left = Math.max(0, Math.round((Date.parse(execution.deadlineAt) - now) / 1_000));
  return (
    <div className="progress" role="status" data-result={resultOf(execution)}>
      <ResultTag result={execution.result} />
      {execution.state === 'queued' && (
        <p>
          {execution.whenOffline === 'queue'
            ? t('progress.waits', { time: formatTime(execution.deadlineAt) })
            : t('progress.queued')}
        </p>
      )}
      {execution.state === 'sent' && <p>{t('progress.sent', { seconds, left })}</p>}
      {execution.state === 'accepted' && <p>{t(`progress.accepted.${awaitedBy(execution)}`, { left })}</p>}
      {execution.state === 'ended' && <p>{reasonOf(execution)}</p>}
      {execution.detail && <p className="quiet">{t('progress.detail', { detail: execution.detail })}</p>}
      {execution.lateAnswerAt && <p className="quiet">{t('progress.late')}</p>}
      {execution.state !== 'ended' && <p className="quiet">{t('progress.leave')}</p>}
    </div>
  );
}

/** What an accepted command waits for. */
export function awaitedBy({ kind }: Pick<ExecutionRow, 'kind'>): Confirmation {
  return COMMAND_RULES[kind].confirmation?.by ?? 'messageReceived';
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
