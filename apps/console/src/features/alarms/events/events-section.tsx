import type { DeviceDetail } from '@chargehand/contract';
import { EventTable } from './event-table.tsx';

/** What happened to a device. */
export default function EventsSection({ device }: { device: DeviceDetail }) {
  return <EventTable place={{ deviceId: device.id }} />;
}
