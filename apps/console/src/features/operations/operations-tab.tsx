import type { DeviceDetail } from '@chargehand/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { obstacleOf } from './commands/command-state.ts';
import { ControlList } from './commands/control-list.tsx';
import { Executions } from './executions/executions.tsx';
import css from './operations.module.css';
import { WorkbenchPanel } from './workbench/workbench-panel.tsx';

/** The commands of a device and their results; `children` is content of other features. */
export default function OperationsTab({ device, children }: { device: DeviceDetail; children?: ReactNode }) {
  const { t } = useTranslation('operations');
  const obstacle = obstacleOf(device, 'softReset');
  return (
    <div className="stack">
      {obstacle && (
        <p className="warning-note">{obstacle === 'offline' ? t('offlineNote') : t(`obstacle.${obstacle}`)}</p>
      )}
      <div className={css.operationsGrid}>
        <ControlList device={device} />
        <Executions device={device} />
      </div>
      <WorkbenchPanel device={device} />
      {children}
    </div>
  );
}
