// Connecting and booting many charge points at once, and the cost of an idle connection, compared with a bare `ws`
// server. Both are started for the measurement and idle before and after it. node bench/gateway/connections.ts
// [--connections 5000]
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type ChargePoint, connect } from './charge-points.ts';
import { type BenchServer, residentBytes, startBench } from './servers.ts';

const { values } = parseArgs({ options: { connections: { type: 'string', default: '5000' } } });
const count = Number(values.connections);
/** The number of simultaneous handshakes, as through a load balancer. */
const PARALLEL = 200;
const GOALS = { seconds: 10, memory: 2.5 };

const bench = await startBench(count);
let missed = false;
try {
  const floor = await fill(await bench.start('floor-server.ts', ''));
  const product = await fill(await bench.start('product-server.ts'));
  const ratio = product.perConnection / floor.perConnection;
  missed = product.seconds > GOALS.seconds || ratio > GOALS.memory;
  for (const [name, { seconds, perConnection }] of Object.entries({ 'bare ws': floor, product })) {
    console.log(
      `${name}: ${count} connected and booted in ${seconds.toFixed(1)} s, ${(perConnection / 1_024).toFixed(1)} KiB per connection`,
    );
  }
  console.log(
    `  seconds ${product.seconds.toFixed(1)} (goal ${GOALS.seconds}), memory ratio ${ratio.toFixed(2)} (goal ${GOALS.memory})`,
  );
} finally {
  await bench.stop();
}
process.exit(missed ? 1 : 0);

async function fill(server: BenchServer): Promise<{ seconds: number; perConnection: number }> {
  await settle(server);
  const before = residentBytes(server.pid);
  const from = performance.now();
  const points = await openConnections(server);
  const seconds = (performance.now() - from) / 1_000;
  await settle(server);
  const perConnection = (residentBytes(server.pid) - before) / points.length;
  for (const point of points) point.socket.terminate();
  await server.stop();
  return { seconds, perConnection };
}

/** Waits until the memory of an idle server is down to what it needs: V8 returns freed pages one collection later. */
async function settle(server: BenchServer): Promise<void> {
  for (let time = 0; time < 3; time += 1) {
    await wait(1_000);
    await server.collect();
  }
}

async function openConnections(server: BenchServer): Promise<ChargePoint[]> {
  const points: ChargePoint[] = [];
  let next = 1;
  const open = async () => {
    while (next <= count) {
      const point = await connect(server.url, next++);
      points.push(point);
      await point.call('BootNotification');
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, open));
  return points;
}
