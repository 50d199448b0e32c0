import type { ShownBatchCounts } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';
import { doneOf, RESULTS, shownCounts } from './batch-parts.ts';
import css from './batches.module.css';

/** Progress as a bar with one segment per state. */
export function BatchBar({ counts }: { counts: ShownBatchCounts }) {
  const { t } = useTranslation('batches');
  const { total } = counts;
  const numbers = shownCounts(counts);
  const shown = RESULTS.filter(({ result }) => numbers[result] > 0);
  const parts = shown.map(({ result }) => `${t(`results.${result}`)} ${numbers[result]}`).join(', ');
  return (
    <div className="batch-bar" role="img" aria-label={t('bar', { done: doneOf({ counts }), total, parts })}>
      {shown.map(({ result, tone }) => (
        <span key={result} className={`tag-${tone}`} data-result={result} style={{ flexGrow: numbers[result] }} />
      ))}
    </div>
  );
}

/** The legend of the bar with counts. A click filters the list by the result. */
export function BatchLegend(props: { counts: ShownBatchCounts; onChoose(results: string): void }) {
  const { t } = useTranslation('batches');
  const numbers = shownCounts(props.counts);
  return (
    <ul className={css.batchLegend}>
      {RESULTS.filter(({ result }) => numbers[result] > 0).map(({ result, tone, results }) => (
        <li key={result}>
          <button type="button" className="text-button" onClick={() => props.onChoose(results)}>
            <span className={`${css.batchSwatch} tag-${tone}`} data-result={result} aria-hidden="true" />
            {t(`results.${result}`)} <strong>{numbers[result]}</strong>
          </button>
        </li>
      ))}
    </ul>
  );
}
