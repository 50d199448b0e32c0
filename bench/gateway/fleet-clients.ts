// The charge points of one process, for `fleet.ts`.
import { type ChargePoint, connect, openLoop } from './charge-points.ts';

export type FleetOrder =
  | { kind: 'connect'; base: string; first: number; last: number; parallel: number }
  | { kind: 'rest'; perSecond: number; seconds: number };

export interface FleetReport {
  p50: number;
  p99: number;
  refused: number;
}

const points: ChargePoint[] = [];

process.on('message', async (order: FleetOrder) => {
  process.send?.(order.kind === 'connect' ? await open(order) : await rest(order));
});

async function open({ base, first, last, parallel }: Extract<FleetOrder, { kind: 'connect' }>): Promise<FleetReport> {
  let next = first;
  const one = async () => {
    while (next <= last) {
      const point = await connect(base, next++);
      points.push(point);
      await point.call('BootNotification');
    }
  };
  await Promise.all(Array.from({ length: parallel }, one));
  return { p50: 0, p99: 0, refused: 0 };
}

async function rest({ perSecond, seconds }: Extract<FleetOrder, { kind: 'rest' }>): Promise<FleetReport> {
  const { p50, p99, refused } = await openLoop(points, perSecond, 2, seconds, ['Heartbeat']);
  return { p50, p99, refused };
}
