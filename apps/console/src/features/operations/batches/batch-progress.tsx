import type { BatchRow } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';
import { doneOf, RESULTS } from './batch-parts.ts';
import css from './batches.module.css';

/** The progress of a batch as a bar with one segment per result. */
export function BatchBar({ batch }: { batch: BatchRow }) {
  const { t } = useTranslation('batches');
  const { total } = batch.counts;
  const shown = RESULTS.filter(({ result }) => batch.counts[result] > 0);
  const parts = shown.map(({ result }) => `${t(`results.${result}`)} ${batch.counts[result]}`).join(', ');
  return (
    <div className="batch-bar" role="img" aria-label={t('bar', { done: doneOf(batch), total, parts })}>
      {shown.map(({ result, tone }) => (
        <span key={result} className={`tag-${tone}`} data-result={result} style={{ flexGrow: batch.counts[result] }} />
      ))}
    </div>
  );
}

/** The legend of the bar with counts. A click filters the list by the result. */
export function BatchLegend({ batch, onChoose }: { batch: BatchRow; onChoose(results: string): void }) {
  const { t } = useTranslation('batches');
  return (
    <ul className={css.batchLegend}>
      {RESULTS.filter(({ result }) => batch.counts[result] > 0).map(({ result, tone, results }) => (
        <li key={result}>
          <button type="button" className="text-button" onClick={() => onChoose(results)}>
            <span className={`${css.batchSwatch} tag-${tone}`} data-result={result} aria-hidden="true" />
            {t(`results.${result}`)} <strong>{batch.counts[result]}</strong>
          </button>
        </li>
      ))}
    </ul>
  );
}
