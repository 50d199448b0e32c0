import { splitDuration } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../hooks/use-now.ts';

/** A duration in its two largest units: `3 d 4 h`, `12 min 5 s`. */
export function Duration({ seconds }: { seconds: number }) {
  const { t } = useTranslation();
  const split = splitDuration(seconds);
  const parts = (['days', 'hours', 'minutes', 'seconds'] as const)
    .filter((unit) => split[unit] > 0)
    .slice(0, 2)
    .map((unit) => t(`duration.${unit}`, { count: split[unit] }));
  return <span className="no-break">{parts.length > 0 ? parts.join(' ') : t('duration.seconds', { count: 0 })}</span>;
}

/** The time since a start, updated continuously. */
export function Since({ at }: { at: string }) {
  const now = useNow();
  return <Duration seconds={(now - Date.parse(at)) / 1_000} />;
}
