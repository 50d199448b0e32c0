import ConfigSection from '../../features/fleet/detail/config-section.tsx';
import type { DevicePartProps } from '../../features/fleet/detail/device-detail-page.tsx';
import { ConfigItems } from '../../features/telemetry/config-items.tsx';

/** What people entered of a device is the fleet's, what it told of its configuration is telemetry's; here they meet. */
export default function DeviceConfig({ device }: DevicePartProps) {
  return (
    <div className="stack">
      <ConfigItems device={device} />
      <ConfigSection device={device} />
    </div>
  );
}
