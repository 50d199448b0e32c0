import type { AlarmLevel as Level } from '@chargehand/domain';
import { AlarmLevel } from '../../../shared/ui/tags/alarm-level.tsx';
import { Dash } from '../../../shared/ui/values/time-ago.tsx';
import css from './devices.module.css';

/** The highest level of the active alarms, and their number. */
export function AlarmSummary({ count, worst }: { count: number; worst: Level | null }) {
  if (!worst || count === 0) return <Dash />;
  return (
    <span className={css.alarmSummary}>
      <AlarmLevel level={worst} />
      {count > 1 && <span className="quiet">{`×${count}`}</span>}
    </span>
  );
}
