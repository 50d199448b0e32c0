import type { DeviceDetail } from '@chargehand/contract';
import { IssuesSection } from './issues-section.tsx';

/** The issues of a device. */
export default function DeviceIssues({ device }: { device: DeviceDetail }) {
  return <IssuesSection of={{ deviceId: device.id }} />;
}
