import type { BatchRow } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';
import { doneOf, FATES } from './batch-parts.ts';
import './batches.css';

/** How far a batch has come, drawn: a bar with a piece for each fate, as long as its share. */
export function BatchBar({ batch }: { batch: BatchRow }) {
  const { t } = useTranslation('batches');
  const { total } = batch.counts;
  const shown = FATES.filter(({ fate }) => batch.counts[fate] > 0);
  const parts = shown.map(({ fate }) => `${t(`results.${fate}`)} ${batch.counts[fate]}`).join(', ');
  return (
    <div className="batch-bar" role="img" aria-label={t('bar', { done: doneOf(batch), total, parts })}>
      {shown.map(({ fate, tone }) => (
        <span key={fate} className={`tag-${tone}`} data-fate={fate} style={{ flexGrow: batch.counts[fate] }} />
      ))}
    </div>
  );
}

/** What the pieces of the bar stand for, with their figures; each narrows the list below to its result. */
export function BatchLegend({ batch, onChoose }: { batch: BatchRow; onChoose(results: string): void }) {
  const { t } = useTranslation('batches');
  return (
    <ul className="batch-legend">
      {FATES.filter(({ fate }) => batch.counts[fate] > 0).map(({ fate, tone, results }) => (
        <li key={fate}>
          <button type="button" className="text-button" onClick={() => onChoose(results)}>
            <span className={`batch-swatch tag-${tone}`} data-fate={fate} aria-hidden="true" />
            {t(`results.${fate}`)} <strong>{batch.counts[fate]}</strong>
          </button>
        </li>
      ))}
    </ul>
  );
}
