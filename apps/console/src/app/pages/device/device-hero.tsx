import type { DeviceDetail } from '@chargehand/contract';
import { DeviceAlarm } from '../../../features/alarms/device-alarm.tsx';
import Hero from '../../../features/fleet/detail/hero/device-hero.tsx';

/** What the device is doing, with its worst open alarm, which belongs to another feature. */
export default function DeviceHero({ device }: { device: DeviceDetail }) {
  return <Hero device={device} alarm={<DeviceAlarm device={device} />} />;
}
