import type { DeviceDetail, ParameterRow } from '@chargehand/contract';
import { ExecutionDialog } from '../executions/execution-dialog.tsx';
import { ParameterBaselines } from './parameter-baselines.tsx';
import { ParameterComparison } from './parameter-comparison.tsx';
import { ParameterHistory } from './parameter-history.tsx';
import type { Aside } from './parameter-state.ts';

interface Props {
  device: DeviceDetail;
  parameters: readonly ParameterRow[];
  aside: Aside;
  /** the subject: a key, a side of a comparison, or an execution */
  what: string;
  onLook(aside: Aside | null, what?: string): void;
  onSet(key: string, value: string): Promise<void>;
}

/** The panel next to the parameter table. */
export default function ParameterAside({ device, parameters, aside, what, onLook, onSet }: Props) {
  const close = () => onLook(null);
  switch (aside) {
    case 'history':
      return (
        <ParameterHistory
          device={device}
          parameters={parameters}
          paramKey={what}
          onExecution={(id) => onLook('execution', id)}
          onSet={onSet}
          onClose={close}
        />
      );
    case 'compare':
      return (
        <ParameterComparison device={device} side={what} onSide={(side) => onLook('compare', side)} onClose={close} />
      );
    case 'baselines':
      return (
        <ParameterBaselines device={device} onCompare={(id) => onLook('compare', `baseline:${id}`)} onClose={close} />
      );
    case 'execution':
      return <ExecutionDialog deviceId={device.id} executionId={what} onClose={close} />;
  }
}
