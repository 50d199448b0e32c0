import type { DeviceDetail } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';
import { obstacleOf } from '../commands/command-state.ts';
import { Parameters } from './parameters.tsx';

/** The tab Parameters of a device. */
export default function DeviceParameters({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('operations');
  const obstacle = obstacleOf(device, 'softReset');
  return (
    <div className="stack">
      {obstacle && (
        <p className="warning-note">{obstacle === 'offline' ? t('offlineNote') : t(`obstacle.${obstacle}`)}</p>
      )}
      <Parameters device={device} />
    </div>
  );
}
