// Answered messages per second of the gateway compared with the floor, in turns on one machine. node
// bench/gateway/throughput.ts [--connections 50,200,1000] [--seconds 8] [--rounds 2]
import { parseArgs } from 'node:util';
import { type ChargePoint, closedLoop, connect, type Measured } from './charge-points.ts';
import { cpuSeconds, startBench } from './servers.ts';

const { values } = parseArgs({
  options: {
    connections: { type: 'string', default: '50,200,1000' },
    seconds: { type: 'string', default: '8' },
    rounds: { type: 'string', default: '2' },
  },
});
const counts = values.connections.split(',').map(Number);
const bench = await startBench(Math.max(...counts));

/** The measured rate, and the CPU seconds of server and database per 1,000 messages. */
interface Costs extends Measured {
  cpu: number;
  databaseCpu: number;
}

/** The goal of the product: half the rate of the floor. */
const GOAL = 0.5;
let missed = false;
try {
  for (const count of counts) {
    const results: Record<string, Costs[]> = { floor: [], product: [] };
    for (let round = 0; round < Number(values.rounds); round += 1) {
      for (const name of ['floor', 'product'] as const) results[name]?.push(await measure(`${name}-server.ts`, count));
    }
    const floor = best(results.floor ?? []);
    const product = best(results.product ?? []);
    const ratio = product.perSecond / floor.perSecond;
    missed ||= ratio < GOAL || product.refused > 0;
    print(`floor, ${count} connections`, floor);
    print(`product, ${count} connections`, product);
    console.log(`  ratio ${ratio.toFixed(2)} (goal ${GOAL}); by CPU ${(floor.cpu / product.cpu).toFixed(2)}`);
  }
} finally {
  await bench.stop();
}
process.exit(missed ? 1 : 0);

async function measure(file: string, count: number): Promise<Costs> {
  const server = await bench.start(file);
  const points: ChargePoint[] = [];
  for (let number = 1; number <= count; number += 1) points.push(await connect(server.url, number));
  await Promise.all(points.map((point) => point.call('BootNotification')));
  const used = () => ({ server: cpuSeconds(server.pid), database: bench.databaseCpu() });
  const before = used();
  const measured = await closedLoop(points, 2, Number(values.seconds));
  const after = used();
  const thousands = (measured.perSecond * (2 + measured.seconds)) / 1_000;
  const databaseCpu = (after.database - before.database) / thousands;
  const cpu = (after.server - before.server) / thousands + databaseCpu;
  for (const point of points) point.socket.terminate();
  await server.stop();
  return { ...measured, cpu, databaseCpu };
}

/** The best of several rounds, because load of other programs is not a property of a server. */
function best<T extends Measured>(rounds: T[]): T {
  return rounds.reduce((one, other) => (other.perSecond > one.perSecond ? other : one));
}

function print(name: string, { perSecond, p50, p99, refused, cpu, databaseCpu }: Costs): void {
  const figures = `${perSecond.toFixed(0)} messages/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
  console.log(
    `${name}: ${figures}, ${cpu.toFixed(4)} CPU s per 1,000, ${databaseCpu.toFixed(4)} of it the database's${refused ? `, ${refused} REFUSED` : ''}`,
  );
}
