// Simultaneous bursts: 500 StatusNotifications, and 1,000 charge points that reconnect. node bench/gateway/bursts.ts
import { type ChargePoint, connect, percentiles } from './charge-points.ts';
import { startBench } from './servers.ts';

const STATUSES = 500;
const RECONNECTS = 1_000;
/** A burst that takes longer has stalled. */
const STALL_MS = 10_000;

const bench = await startBench(RECONNECTS);
let stalled = false;
try {
  for (const name of ['floor', 'product'] as const) {
    const server = await bench.start(`${name}-server.ts`);
    const connectAll = (count: number) =>
      Promise.all(Array.from({ length: count }, (_, n) => connect(server.url, n + 1)));
    const points = await connectAll(RECONNECTS);
    await Promise.all(points.map((point) => point.call('BootNotification')));
    for (let round = 1; round <= 3; round += 1) {
      const times = await Promise.all(points.slice(0, STATUSES).map((point) => point.call('StatusNotification')));
      print(`${name}, ${STATUSES} StatusNotifications at once, round ${round}`, times);
    }
    for (const point of points) point.socket.terminate();
    const times = await Promise.all(Array.from({ length: RECONNECTS }, (_, n) => reconnect(server.url, n + 1)));
    print(
      `${name}, ${RECONNECTS} reconnects at once, each until its boot is answered`,
      times.map(([time]) => time),
    );
    for (const [, point] of times) point.socket.terminate();
    await server.stop();
  }
} finally {
  await bench.stop();
}
process.exit(stalled ? 1 : 0);

async function reconnect(url: string, number: number): Promise<[number, ChargePoint]> {
  const from = performance.now();
  const point = await connect(url, number);
  await point.call('BootNotification');
  return [performance.now() - from, point];
}

function print(name: string, times: number[]): void {
  const { p50, p99 } = percentiles(times);
  const most = Math.max(...times);
  stalled ||= most > STALL_MS;
  console.log(`${name}: p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, last ${most.toFixed(0)} ms`);
}
