import type { ShownBatchCounts } from '@chargehand/contract';
import { BATCH_DEVICE_STATES, type BatchDeviceState } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import { doneOf, shownCounts, TONES } from './batch-parts.ts';
import css from './batches.module.css';

/** Progress as a bar with one segment per state. */
export function BatchBar({ counts }: { counts: ShownBatchCounts }) {
  const { t } = useTranslation('batches');
  const { total } = counts;
  const numbers = shownCounts(counts);
  const shown = BATCH_DEVICE_STATES.filter((state) => numbers[state] > 0);
  const parts = shown.map((state) => `${t(`results.${state}`)} ${numbers[state]}`).join(', ');
  return (
    <div className="batch-bar" role="img" aria-label={t('bar', { done: doneOf({ counts }), total, parts })}>
      {shown.map((state) => (
        <span key={state} className={`tag-${TONES[state]}`} data-result={state} style={{ flexGrow: numbers[state] }} />
      ))}
    </div>
  );
}

/** The legend of the bar with counts. A click filters the list by the state. */
export function BatchLegend(props: { counts: ShownBatchCounts; onChoose(state: BatchDeviceState): void }) {
  const { t } = useTranslation('batches');
  const numbers = shownCounts(props.counts);
  return (
    <ul className={css.batchLegend}>
      {BATCH_DEVICE_STATES.filter((state) => numbers[state] > 0).map((state) => (
        <li key={state}>
          <button type="button" className="text-button" onClick={() => props.onChoose(state)}>
            <span className={`${css.batchSwatch} tag-${TONES[state]}`} data-result={state} aria-hidden="true" />
            {t(`results.${state}`)} <strong>{numbers[state]}</strong>
          </button>
        </li>
      ))}
    </ul>
  );
}
