import type { DeviceDetail } from '@chargehand/contract';
import { AlarmTable } from './alarm-table.tsx';

/** The active and former alarms of a device. */
export default function AlarmsSection({ device }: { device: DeviceDetail }) {
  return <AlarmTable place={{ deviceId: device.id }} />;
}
