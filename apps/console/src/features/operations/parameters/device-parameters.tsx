import type { DeviceDetail } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';
import { obstacleOf } from '../commands/command-state.ts';
import { Executions } from '../executions/executions.tsx';
import { Parameters } from './parameters.tsx';

/** The tab Parameters of a device, with the results of what was read and set. */
export default function DeviceParameters({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('operations');
  const obstacle = obstacleOf(device, 'softReset');
  return (
    <div className="stack">
      {obstacle && (
        <p className="warning-note">{obstacle === 'offline' ? t('offlineNote') : t(`obstacle.${obstacle}`)}</p>
      )}
      <Parameters device={device} />
      <Executions device={device} />
    </div>
  );
}
