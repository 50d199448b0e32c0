import ConfigSection from '../../features/fleet/detail/config-section.tsx';
import type { DevicePartProps } from '../../features/fleet/detail/device-detail-page.tsx';
import { ConfigItems } from '../../features/telemetry/config-items.tsx';

/** Combines the record of a device (feature `fleet`) with its reported configuration (feature `telemetry`). */
export default function DeviceConfig({ device }: DevicePartProps) {
  return (
    <div className="stack">
      <ConfigItems device={device} />
      <ConfigSection device={device} />
    </div>
  );
}
