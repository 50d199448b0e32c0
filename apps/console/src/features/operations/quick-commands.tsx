import type { DeviceDetail } from '@chargehand/contract';
import { CommandButton } from './command-button.tsx';

/** The two commands one reaches for first. */
export default function QuickCommands({ device }: { device: DeviceDetail }) {
  return (
    <>
      <CommandButton device={device} command={{ kind: 'refreshConfiguration' }} />
      <CommandButton device={device} command={{ kind: 'softReset' }} />
    </>
  );
}
