import type { DeviceDetail } from '@chargehand/contract';
import type { CommandKind } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { queryOf } from '../../../shared/api/query.ts';
import { useAddress } from '../../../shared/hooks/lists/use-address.ts';
import { CommandButton } from './command-button.tsx';

/** The most frequent commands. */
const QUICK: readonly CommandKind[] = ['refreshConfiguration', 'softReset'];

/**
 * The two most frequent commands, if the device's model supports them. `?command=softReset` in the URL opens the dialog
 * of one of them: the global search links to it.
 */
export default function QuickCommands({ device }: { device: DeviceDetail }) {
  const controls = useQuery(queryOf('listControls', { params: { id: device.id } }, { quiet: true }));
  const [address, change] = useAddress();
  const wanted = address.get('command');
  function forget() {
    change((now) => {
      now.delete('command');
      return now;
    });
  }
  return QUICK.map((kind) => {
    const control = controls.data?.items.find(({ kinds }) => kinds.includes(kind));
    return (
      control && (
        <CommandButton
          key={kind === wanted ? `${kind}:wanted` : kind}
          device={device}
          command={{ kind }}
          control={control}
          opened={kind === wanted}
          onClosed={forget}
        />
      )
    );
  });
}
