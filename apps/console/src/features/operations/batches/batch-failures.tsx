import type { BatchDetail, BatchFailure } from '@chargehand/contract';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { useReason } from '../../../shared/hooks/use-reason.ts';
import { Panel } from '../../../shared/ui/page/page-header.tsx';
import { useTransferReason } from '../../../shared/ui/transfers/transfer-stand.tsx';
import css from './batches.module.css';

/** The devices without success by reason, each with a retry once the command has ended. */
export function BatchFailures(props: { batch: BatchDetail; onRetry(failure: BatchFailure): void }) {
  const { batch, onRetry } = props;
  const { t } = useTranslation('batches');
  const textOf = useFailureText();
  if (batch.failures.length === 0) return null;
  return (
    <Panel title={t('failures.title')}>
      <ul className={`row-list ${css.failures}`}>
        {batch.failures.map((failure) => (
          <li key={`${failure.outcome} ${failure.reason} ${failure.transferReason}`}>
            <strong className={css.failureCount}>{t('sites.devices', { count: failure.devices })}</strong>
            <span>{textOf(failure)}</span>
            {batch.may && batch.endedAt !== null && failure.reason !== null && (
              <Button
                size="small"
                aria-label={t('failures.retryOf', { reason: textOf(failure) })}
                onClick={() => onRetry(failure)}
              >
                {t('failures.retry')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** The reason of a failure as text: that of the transfer, or of the command. */
export function useFailureText(): (failure: BatchFailure) => string {
  const reasonOf = useReason();
  const transferReasonOf = useTransferReason();
  return ({ reason, transferReason }) =>
    transferReason ? transferReasonOf({ reason: transferReason, detail: null }) : reasonOf({ reason });
}
