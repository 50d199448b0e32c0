import type { AlarmLevel as Level } from '@chargehand/domain';
import { AlarmLevel } from '../../../shared/ui/tags/alarm-level.tsx';
import { Dash } from '../../../shared/ui/values/time-ago.tsx';

/** The gravest active alarm and how many there are. */
export function AlarmSummary({ count, worst }: { count: number; worst: Level | null }) {
  if (!worst || count === 0) return <Dash />;
  return (
    <span className="alarm-summary">
      <AlarmLevel level={worst} />
      {count > 1 && <span className="quiet">{`×${count}`}</span>}
    </span>
  );
}
