import { ALARM_LEVELS, type AlarmLevel as Level } from '@chargehand/domain';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { AlarmLevel } from '../../../shared/ui/tags/alarm-level.tsx';
import css from '../devices/devices.module.css';
import placesCss from './places.module.css';

interface Props {
  byLevel: Record<Level, number>;
  /** the list of alarms of a level, or of all; null without a link */
  to?: ((level: Level | null) => string | null) | undefined;
}

/** The number of open alarms of a place at each level, the highest first, with links to the alarms. */
export function AlarmCounts({ byLevel, to }: Props) {
  const { t } = useTranslation('places');
  const all = ALARM_LEVELS.reduce((sum, level) => sum + byLevel[level], 0);
  const counts = [
    { level: null, label: <span className={css.counterLabel}>{t('activeAlarms')}</span>, count: all },
    ...ALARM_LEVELS.toReversed().map((level) => ({
      level,
      label: <AlarmLevel level={level} />,
      count: byLevel[level],
    })),
  ];
  return (
    <nav className={`counters ${placesCss.alarmCounters}`} aria-label={t('alarmCounters')}>
      {counts.map(({ level, label, count }) => {
        const content = (
          <>
            {label}
            <span className={css.counterCount}>{count.toLocaleString('en-US')}</span>
          </>
        );
        const list = to?.(level) ?? null;
        return list !== null ? (
          <Link key={level} className="counter" data-none={count === 0} to={list}>
            {content}
          </Link>
        ) : (
          <div key={level} className={`counter ${placesCss.counterPlain}`} data-none={count === 0}>
            {content}
          </div>
        );
      })}
    </nav>
  );
}
