import type { DeviceRow } from '@chargehand/contract';
import { Since } from '../../../shared/ui/duration.tsx';
import { StatusTag } from '../../../shared/ui/status-tag.tsx';
import { TimeAgo } from '../../../shared/ui/time-ago.tsx';
import { AlarmSummary } from './alarm-summary.tsx';
import { DeviceActions } from './device-actions.tsx';

/** A device on a phone: the same as a row of the list, in three lines. */
export function DeviceCard({ device }: { device: DeviceRow }) {
  return (
    <div className="device-card">
      <div className="device-card-line">
        <strong>{device.name}</strong>
        {device.activeAlarms > 0 && <AlarmSummary count={device.activeAlarms} worst={device.worstAlarmLevel} />}
        <DeviceActions device={device} />
      </div>
      <div className="device-card-line">
        <StatusTag status={device.status} />
        <span className="quiet">
          <Since at={device.statusSince} />
        </span>
        <span className="quiet device-card-end">
          <TimeAgo at={device.lastSeenAt} />
        </span>
      </div>
      <div className="device-card-line quiet">
        <span className="mono">{device.sn}</span>
        <span className="device-card-end">{device.siteName}</span>
      </div>
    </div>
  );
}
