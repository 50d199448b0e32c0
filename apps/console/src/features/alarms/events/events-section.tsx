import type { DeviceDetail } from '@chargehand/contract';
import { EventTable } from './event-table.tsx';

/** The events of a device. */
export default function EventsSection({ device }: { device: DeviceDetail }) {
  return <EventTable place={{ deviceId: device.id }} />;
}
