import type { DeviceDetail } from '@chargehand/contract';
import { ListsTab } from './lists-tab.tsx';
import PolicyPanel from './policy-panel.tsx';

/** Who may charge at a device, and the list that it has. */
export default function DeviceTokens({ device }: { device: DeviceDetail }) {
  return (
    <div className="stack">
      <PolicyPanel place="device" id={device.id} />
      <ListsTab deviceId={device.id} />
    </div>
  );
}
