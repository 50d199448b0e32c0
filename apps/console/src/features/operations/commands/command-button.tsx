import type { DeviceDetail, NewCommand, OfferedControl } from '@chargehand/contract';
import { Button, type ButtonProps } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useConnectorName } from '../../../shared/hooks/use-connector-name.ts';
import { lazyDialog } from '../../../shared/ui/dialogs/lazy/lazy-dialog.tsx';
import { LateTooltip } from '../../../shared/ui/late/late-tooltip.tsx';
import { controlObstacleOf } from './command-state.ts';
import { useControlNames } from './use-control-names.ts';

const CommandDialog = lazyDialog(() => import('./command-dialog.tsx'));

interface Props {
  device: DeviceDetail;
  command: NewCommand;
  /** the control of the device's model */
  control: OfferedControl;
  danger?: boolean;
  type?: ButtonProps['type'];
  /** opens its dialog at once if the command is possible, such as for a link to the command */
  opened?: boolean;
  onClosed?(): void;
}

/**
 * A button for a command; nothing for users who may not send it. When the command is not possible, the button shows the
 * reason on hover and focus.
 */
export function CommandButton({ device, command, control, danger, type, opened = false, onClosed }: Props) {
  const { t } = useTranslation('operations');
  const connectorName = useConnectorName(device.protocol);
  const { nameOf } = useControlNames();
  const [dialogOpen, setDialogOpen] = useState(opened);
  const obstacle = controlObstacleOf(device, control);
  const name = nameOf(command.kind, control, device.protocol);
  if (obstacle === 'noPermission') return null;
  function close() {
    setDialogOpen(false);
    onClosed?.();
  }
  const button = (
    <Button
      type={type}
      danger={danger && obstacle === null}
      disabled={obstacle !== null}
      onClick={() => setDialogOpen(true)}
      aria-label={command.connector === undefined ? undefined : `${name}, ${connectorName(command.connector)}`}
    >
      {name}
    </Button>
  );
  return (
    <>
      {obstacle ? <LateTooltip title={t(`obstacle.${obstacle}`)}>{button}</LateTooltip> : button}
      {dialogOpen && obstacle === null && (
        <CommandDialog device={device} command={command} control={control} onClose={close} />
      )}
    </>
  );
}
