import type { DeviceDetail, ParameterRow } from '@chargehand/contract';
import { ExecutionDialog } from '../executions/execution-dialog.tsx';
import { ParameterBaselines } from './parameter-baselines.tsx';
import { ParameterComparison } from './parameter-comparison.tsx';
import { ParameterHistory } from './parameter-history.tsx';
import type { OpenPanel } from './parameter-state.ts';

interface Props {
  device: DeviceDetail;
  parameters: readonly ParameterRow[];
  panel: OpenPanel;
  /** the subject: a key, a side of a comparison, or an execution */
  what: string;
  onOpen(panel: OpenPanel | null, what?: string): void;
  onSet(key: string, value: string): Promise<void>;
}

/** The panel next to the parameter table. */
export default function ParameterPanel({ device, parameters, panel, what, onOpen, onSet }: Props) {
  const close = () => onOpen(null);
  switch (panel) {
    case 'history':
      return (
        <ParameterHistory
          device={device}
          parameters={parameters}
          paramKey={what}
          onExecution={(id) => onOpen('execution', id)}
          onSet={onSet}
          onClose={close}
        />
      );
    case 'compare':
      return (
        <ParameterComparison device={device} side={what} onSide={(side) => onOpen('compare', side)} onClose={close} />
      );
    case 'baselines':
      return (
        <ParameterBaselines device={device} onCompare={(id) => onOpen('compare', `baseline:${id}`)} onClose={close} />
      );
    case 'execution':
      return <ExecutionDialog deviceId={device.id} executionId={what} onClose={close} />;
  }
}
