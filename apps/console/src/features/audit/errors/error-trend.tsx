import type { ErrorDetail } from '@chargehand/contract';
import { formatTime } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import css from './errors.module.css';

const HOUR_MS = 3_600_000;
const HOURS = 7 * 24;
const HEIGHT = 60;

/** How often an error happened in each hour of the last seven days. */
export function ErrorTrend({ hours, now }: { hours: ErrorDetail['hours']; now: number }) {
  const { t } = useTranslation('errors');
  const first = Math.floor(now / HOUR_MS) * HOUR_MS - (HOURS - 1) * HOUR_MS;
  const most = Math.max(1, ...hours.map(({ count }) => count));
  const count = hours.reduce((sum, hour) => sum + hour.count, 0);
  return (
    <figure className={css.trend}>
      <figcaption>{t('trend')}</figcaption>
      <svg
        viewBox={`0 0 ${HOURS * 4} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={t('trendLabel', { count, most: count === 0 ? 0 : most })}
      >
        {hours.map((hour) => {
          const height = Math.max(2, (hour.count / most) * HEIGHT);
          return (
            <rect
              key={hour.at}
              x={((Date.parse(hour.at) - first) / HOUR_MS) * 4}
              y={HEIGHT - height}
              width={3}
              height={height}
            >
              <title>{`${formatTime(hour.at)} · ${hour.count}`}</title>
            </rect>
          );
        })}
      </svg>
    </figure>
  );
}
