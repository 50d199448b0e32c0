import type { DeviceDetail } from '@chargehand/contract';
import type { CommandKind } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../shared/api/query.ts';
import { useAddress } from '../../../shared/hooks/lists/use-address.ts';
import { newCommandPath } from '../../../shared/lib/new-command-path.ts';
import { LinkButton } from '../../../shared/ui/page/link-button.tsx';
import { CommandButton } from './command-button.tsx';

/** The most frequent commands. */
const QUICK: readonly CommandKind[] = ['refreshConfiguration', 'softReset'];

/**
 * The most frequent commands, if the device's model supports them; fetching a log opens the page of the command. `?command=softReset` in the URL opens the dialog
 * of one of them: the global search links to it.
 */
export default function QuickCommands({ device }: { device: DeviceDetail }) {
  const controls = useQuery(queryOf('listControls', { params: { id: device.id } }, { quiet: true }));
  const { t } = useTranslation('operations');
  const [address, change] = useAddress();
  const wanted = address.get('command');
  function forget() {
    change((now) => {
      now.delete('command');
      return now;
    });
  }
  const log = controls.data?.items.find(({ kinds, may }) => may && kinds.includes('uploadLog'));
  const commands = QUICK.map((kind) => {
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
  return (
    <>
      {commands}
      {log && device.enabled && device.connected && (
        <LinkButton to={newCommandPath([device.id], 'uploadLog')}>{t('kinds.uploadLog.do')}</LinkButton>
      )}
    </>
  );
}
