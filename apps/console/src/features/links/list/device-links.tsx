import type { DeviceDetail } from '@chargehand/contract';
import { LinkList } from './link-list.tsx';

/** The links of a device. */
export default function DeviceLinks({ device }: { device: DeviceDetail }) {
  return <LinkList of={{ deviceId: device.id }} />;
}
