import type { DeviceDetail } from '@chargehand/contract';
import { isOverMqtt } from '@chargehand/domain';
import { useQuery } from '@tanstack/react-query';
import { Button, Tooltip } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { queryOf } from '../../../shared/api/query.ts';
import { lazyDialog } from '../../../shared/ui/dialogs/lazy/lazy-dialog.tsx';
import { Panel } from '../../../shared/ui/page/page-header.tsx';
import { controlObstacleOf } from '../commands/command-state.ts';

const WorkbenchDialog = lazyDialog(() => import('./workbench-dialog.tsx'));

/** Opens the protocol workbench, if the user may use it, and the model and the protocol of the device support it. */
export function WorkbenchPanel({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('operations');
  const [opened, setOpened] = useState(false);
  const controls = useQuery(queryOf('listControls', { params: { id: device.id } }, { quiet: true }));
  const control = controls.data?.items.find(({ kinds }) => kinds.includes('sendMessage'));
  if (!control?.may || device.protocol === null || isOverMqtt(device.protocol)) return null;
  const obstacle = controlObstacleOf(device, control);
  const button = (
    <Button disabled={obstacle !== null} onClick={() => setOpened(true)}>
      {t('kinds.sendMessage.do')}
    </Button>
  );
  return (
    <Panel
      title={t('workbench')}
      extra={
        obstacle ? (
          <Tooltip title={t(`obstacle.${obstacle}`)}>
            <span>{button}</span>
          </Tooltip>
        ) : (
          button
        )
      }
    >
      <p className="quiet">{t('workbenchNote')}</p>
      {opened && <WorkbenchDialog device={device} onClose={() => setOpened(false)} />}
    </Panel>
  );
}
