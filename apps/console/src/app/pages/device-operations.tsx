import type { DeviceDetail } from '@chargehand/contract';
import OperationsTab from '../../features/operations/operations-tab.tsx';
import TransfersPanel from '../../features/transfers/transfers-panel.tsx';

/** The tab Remote Operations: commands, file transfers and parameters. */
export default function DeviceOperations({ device }: { device: DeviceDetail }) {
  return (
    <OperationsTab device={device}>
      <TransfersPanel device={device} />
    </OperationsTab>
  );
}
