import { formatTime } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import css from './system.module.css';

const WIDTH = 360;
const HEIGHT = 70;
const SPAN_MS = 6 * 3_600_000;
/** A longer pause between two measurements is a gap. */
const GAP_MS = 150_000;

interface Point {
  at: string;
  value: number | null;
  failed: boolean;
}

interface Props {
  title: string;
  points: readonly Point[];
  format(value: number): string;
  /** shown as a line */
  limit?: number;
}

/** A figure over the last six hours. */
export function Chart({ title, points, format, limit = 0 }: Props) {
  const { t } = useTranslation('system');
  const known = points.filter((point): point is Point & { value: number } => point.value !== null);
  const last = known.at(-1);
  const highest = Math.max(limit, ...known.map(({ value }) => value));
  const end = Date.parse(points.at(-1)?.at ?? '1970-01-01');
  const x = (at: string) => WIDTH - ((end - Date.parse(at)) / SPAN_MS) * WIDTH;
  const y = (value: number) => HEIGHT - (highest === 0 ? 0 : (value / highest) * (HEIGHT - 4));
  const line = known.map(({ at, value }, index) => {
    const before = known[index - 1];
    const starts = before === undefined || Date.parse(at) - Date.parse(before.at) > GAP_MS;
    return `${starts ? 'M' : 'L'}${x(at).toFixed(1)} ${y(value).toFixed(1)}`;
  });
  const failures = points.filter(({ failed }) => failed);
  return (
    <figure className={css.chart}>
      <figcaption>
        {title} {last && <strong>{format(last.value)}</strong>}
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={
          last
            ? t('charts.label', {
                title,
                last: format(last.value),
                highest: format(Math.max(...known.map((one) => one.value))),
              })
            : t('charts.none', { title })
        }
      >
        {limit > 0 && <line className={css.limit} x1={0} x2={WIDTH} y1={y(limit)} y2={y(limit)} />}
        <path d={line.join('')} />
        {failures.map(({ at }) => (
          <rect key={at} className={css.failure} x={x(at) - 1} y={0} width={2} height={HEIGHT}>
            <title>{formatTime(at)}</title>
          </rect>
        ))}
      </svg>
    </figure>
  );
}
