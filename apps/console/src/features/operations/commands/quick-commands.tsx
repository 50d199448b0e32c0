import type { DeviceDetail } from '@chargehand/contract';
import type { CommandKind } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { queryOf } from '../../../shared/api/query.ts';
import { CommandButton } from './command-button.tsx';

/** The most frequent commands. */
const QUICK: readonly CommandKind[] = ['refreshConfiguration', 'softReset'];

/** The two most frequent commands, if the device's model supports them. */
export default function QuickCommands({ device }: { device: DeviceDetail }) {
  const controls = useQuery(queryOf('listControls', { params: { id: device.id } }, { quiet: true }));
  return QUICK.map((kind) => {
    const control = controls.data?.items.find(({ kinds }) => kinds.includes(kind));
    return control && <CommandButton key={kind} device={device} command={{ kind }} control={control} />;
  });
}
