import type { DeviceDetail, NewCommand, OfferedControl } from '@chargehand/contract';
import { Button, type ButtonProps, Tooltip } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useConnectorName } from '../../../shared/hooks/use-connector-name.ts';
import { CommandDialog } from './command-dialog.tsx';
import { controlObstacleOf } from './command-state.ts';
import { useControlNames } from './use-control-names.ts';

interface Props {
  device: DeviceDetail;
  command: NewCommand;
  /** the control of the device's model */
  control: OfferedControl;
  danger?: boolean;
  type?: ButtonProps['type'];
}

/** A button for a command. When the command is not possible, it shows the reason on hover and focus. */
export function CommandButton({ device, command, control, danger, type }: Props) {
  const { t } = useTranslation('operations');
  const connectorName = useConnectorName(device.protocol);
  const { nameOf } = useControlNames();
  const [asks, setAsks] = useState(false);
  const obstacle = controlObstacleOf(device, control);
  const name = nameOf(command.kind, control, device.protocol);
  const button = (
    <Button
      type={type}
      danger={danger && obstacle === null}
      disabled={obstacle !== null}
      onClick={() => setAsks(true)}
      aria-label={command.connector === undefined ? undefined : `${name}, ${connectorName(command.connector)}`}
    >
      {name}
    </Button>
  );
  return (
    <>
      {obstacle ? (
        <Tooltip title={t(`obstacle.${obstacle}`)}>
          <span>{button}</span>
        </Tooltip>
      ) : (
        button
      )}
      {asks && <CommandDialog device={device} command={command} control={control} onClose={() => setAsks(false)} />}
    </>
  );
}
