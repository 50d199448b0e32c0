import type { DeviceDetail } from '@chargehand/contract';
import { LinkList } from './link-list.tsx';

/** The links of a device. */
export function DeviceLinks({ device }: { device: DeviceDetail }) {
  return <LinkList of={{ deviceId: device.id }} />;
}

/** The links of the devices of a site. */
export function SiteLinks({ siteId }: { siteId: number }) {
  return <LinkList of={{ siteId }} />;
}
