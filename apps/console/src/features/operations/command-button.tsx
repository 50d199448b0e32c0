import type { DeviceDetail, NewCommand } from '@chargehand/contract';
import { Button, type ButtonProps, Tooltip } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useConnectorName } from '../../shared/hooks/use-connector-name.ts';
import { CommandDialog } from './command-dialog.tsx';
import { obstacleOf } from './command-state.ts';

interface Props {
  device: DeviceDetail;
  command: NewCommand;
  danger?: boolean;
  type?: ButtonProps['type'];
}

/** A command at hand; when it cannot be given, it says why before anybody clicks. */
export function CommandButton({ device, command, danger, type }: Props) {
  const { t } = useTranslation('operations');
  const connectorName = useConnectorName(device.protocol);
  const [asks, setAsks] = useState(false);
  const obstacle = obstacleOf(device, command.kind);
  const button = (
    <Button
      type={type}
      danger={danger && obstacle === null}
      disabled={obstacle !== null}
      onClick={() => setAsks(true)}
      aria-label={
        command.connector === undefined
          ? undefined
          : `${t(`kinds.${command.kind}.do`)}, ${connectorName(command.connector)}`
      }
    >
      {t(`kinds.${command.kind}.do`)}
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
      {asks && <CommandDialog device={device} command={command} onClose={() => setAsks(false)} />}
    </>
  );
}
