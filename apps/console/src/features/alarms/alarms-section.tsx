import type { DeviceDetail } from '@chargehand/contract';
import { AlarmTable } from './alarm-table.tsx';

/** The alarms of a device: what is wrong now, and what was. */
export default function AlarmsSection({ device }: { device: DeviceDetail }) {
  return <AlarmTable place={{ deviceId: device.id }} />;
}
