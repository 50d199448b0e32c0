import type { DeviceRow } from '@chargehand/contract';
import { CardLine, ListCard } from '../../../shared/ui/list-page/list-card.tsx';
import { StatusTag } from '../../../shared/ui/tags/status-tag.tsx';
import { Since } from '../../../shared/ui/values/duration.tsx';
import { TimeAgo } from '../../../shared/ui/values/time-ago.tsx';
import { AlarmSummary } from './alarm-summary.tsx';
import { DeviceActions } from './device-actions.tsx';
import { FaultyMessages } from './faulty-messages.tsx';

/** A device on a phone: the content of a list row in three lines. */
export function DeviceCard({ device, from }: { device: DeviceRow; from?: 'site' }) {
  return (
    <ListCard
      title={device.name}
      aside={
        <>
          {device.activeAlarms > 0 && <AlarmSummary count={device.activeAlarms} worst={device.worstAlarmLevel} />}
          <DeviceActions device={device} {...(from && { from })} />
        </>
      }
    >
      <CardLine end={<TimeAgo at={device.lastSeenAt} />}>
        <StatusTag status={device.status} />
        <Since at={device.statusSince} />
        <FaultyMessages device={device} mayOpen={false} />
      </CardLine>
      <CardLine end={device.siteName}>
        <span className="mono">{device.sn}</span>
      </CardLine>
    </ListCard>
  );
}
