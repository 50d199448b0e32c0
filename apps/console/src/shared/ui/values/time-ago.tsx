import { formatTime } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import { useNow } from '../../hooks/use-now.ts';
import { agoOf } from '../../lib/time/time-ago.ts';

/** A relative time, with the exact time on hover. Null is shown as a dash. */
export function TimeAgo({ at }: { at: string | null }) {
  const { t } = useTranslation();
  const now = useNow();
  if (at === null) return <Dash />;
  const { unit, count } = agoOf(Date.parse(at), now);
  return (
    <time dateTime={at} title={formatTime(at)} style={{ whiteSpace: 'nowrap' }}>
      {t(`ago.${unit}`, { count })}
    </time>
  );
}

/** An exact time, `yyyy-MM-dd HH:mm:ss` in the user's time zone. Null is shown as a dash. */
export function ExactTime({ at }: { at: string | null }) {
  if (at === null) return <Dash />;
  return (
    <time dateTime={at} className="exact-time" style={{ whiteSpace: 'nowrap' }}>
      {formatTime(at)}
    </time>
  );
}

/** The placeholder of a missing value. */
export function Dash() {
  return (
    <span style={{ color: 'var(--ink-disabled)' }} aria-hidden="true">
      {'–'}
    </span>
  );
}
