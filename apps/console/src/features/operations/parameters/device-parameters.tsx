import type { DeviceDetail } from '@chargehand/contract';
import { Executions } from '../executions/executions.tsx';
import { ObstacleNote } from '../obstacle-note.tsx';
import { Parameters } from './parameters.tsx';

/** The tab Parameters of a device, with the results of what was read and set. */
export default function DeviceParameters({ device }: { device: DeviceDetail }) {
  return (
    <div className="stack">
      <ObstacleNote device={device} />
      <Parameters device={device} />
      <Executions device={device} />
    </div>
  );
}
