import type { DeviceDetail } from '@chargehand/contract';
import type { ReactNode } from 'react';
import { ControlList } from './commands/control-list.tsx';
import { Executions } from './executions/executions.tsx';
import { ObstacleNote } from './obstacle-note.tsx';
import css from './operations.module.css';
import { WorkbenchPanel } from './workbench/workbench-panel.tsx';

/** The commands of a device and their results; `children` is content of other features. */
export default function OperationsTab({ device, children }: { device: DeviceDetail; children?: ReactNode }) {
  return (
    <div className="stack">
      <ObstacleNote device={device} />
      <div className={css.operationsGrid}>
        <ControlList device={device} />
        <Executions device={device} />
      </div>
      <WorkbenchPanel device={device} />
      {children}
    </div>
  );
}
