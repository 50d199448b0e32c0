import type { DeviceDetail } from '@chargehand/contract';
import { useTranslation } from 'react-i18next';
import { obstacleOf } from './command-state.ts';
import { ControlList } from './control-list.tsx';
import { Executions } from './executions.tsx';
import { Parameters } from './parameters.tsx';
import './operations.css';

/** Everything one can ask of a device, and what became of what was asked. */
export default function OperationsTab({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('operations');
  const obstacle = obstacleOf(device, 'softReset');
  return (
    <div className="stack">
      {obstacle && (
        <p className="warning-note">{obstacle === 'offline' ? t('offlineNote') : t(`obstacle.${obstacle}`)}</p>
      )}
      <div className="operations-grid">
        <ControlList device={device} />
        <Executions device={device} />
      </div>
      {device.may.readParameters && <Parameters device={device} />}
    </div>
  );
}
