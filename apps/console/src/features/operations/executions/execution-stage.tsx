import type { ExecutionRow, ExecutionTransfer } from '@chargehand/contract';
import { EXECUTION_RESULTS, executionResultOf, formatTime, type Stage, stageOf } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import { useConnectionDetail } from '../../../shared/hooks/use-connection-detail.ts';
import { useReason } from '../../../shared/hooks/use-reason.ts';
import { TransferSending, TransferTag, useTransferReason } from '../../../shared/ui/transfers/transfer-stand.tsx';
import css from '../operations.module.css';

type Shown = Omit<ExecutionRow, 'id'>;

/**
 * What a command is doing now, or why it ended; the same in every list of executions.
 * @param connected whether the device is connected; null if the list does not know it
 */
export function ExecutionStage({ execution, connected }: { execution: Shown; connected: boolean | null }) {
  const { t } = useTranslation('operations');
  const detailOf = useConnectionDetail();
  const reasonOf = useReason();
  const stage = shownStage(execution, connected);
  if (stage === 'transfer' && execution.transfer) return <FileProgress transfer={execution.transfer} />;
  return (
    <>
      {stage === 'ended' || stage === 'transfer' ? (
        reasonOf(execution)
      ) : (
        <span className="quiet">{t(`progress.short.${stage}`, timesOf(execution))}</span>
      )}
      {execution.detail && <span className="quiet">{` · ${detailOf(execution.detail)}`}</span>}
    </>
  );
}

/** The transfer progress of a command, or why the transfer failed. */
export function FileProgress({ transfer }: { transfer: ExecutionTransfer }) {
  const reasonOf = useTransferReason();
  return (
    <div className={`field-row ${css.fileProgress}`}>
      {transfer.reason ? <span>{reasonOf(transfer)}</span> : <TransferTag state={transfer.state} />}
      <TransferSending transfer={transfer} />
    </div>
  );
}

/** The times that the texts of stages contain. */
export function timesOf({ deadlineAt, params }: Shown): { time: string; startAt: string } {
  const { startAt } = params as { startAt?: string };
  return { time: formatTime(deadlineAt), startAt: startAt === undefined ? '' : formatTime(startAt) };
}

/** The stage of an execution as the API describes it. */
export function shownStage(execution: Shown, connected: boolean | null): Stage {
  const result = executionResultOf(execution.result);
  return stageOf({ ...execution, result }, execution.transfer, connected, new Date());
}

/** When a command ended: with its response, or with its file. Null while it waits. */
export function endOf(execution: Shown): string | null {
  if (execution.outcome === EXECUTION_RESULTS.waiting) return null;
  const { transfer, endedAt } = execution;
  return shownStage(execution, null) === 'transfer' ? (transfer?.endedAt ?? endedAt) : endedAt;
}

/** The progress of an execution as text that changes with every step. */
export function lookOf({ state, outcome, transfer, lateAnswerAt, verification }: Shown): string {
  return `${state}${outcome}${transfer?.state}${lateAnswerAt}${verification?.state}`;
}
