// The whole product compared with the floor, in turns on one machine: answered messages per second, CPU seconds of server
// and database, and bytes of WAL. First at full load, where each charge point sends the next message as soon as the
// previous one is answered, then at an everyday rate. node bench/gateway/throughput.ts [--connections 50,200,1000]
// [--seconds 8] [--rounds 2] [--rate 100] [--everyday 500]
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type ChargePoint, closedLoop, connect, type Measured, openLoop } from './charge-points.ts';
import { cpuSeconds, startBench } from './servers.ts';

const { values } = parseArgs({
  options: {
    connections: { type: 'string', default: '50,200,1000' },
    seconds: { type: 'string', default: '8' },
    rounds: { type: 'string', default: '2' },
    /** messages per second at the everyday rate, and from how many charge points; 0: not measured */
    rate: { type: 'string', default: '100' },
    everyday: { type: 'string', default: '500' },
  },
});
const counts = values.connections.split(',').map(Number).filter(Boolean);
const seconds = Number(values.seconds);
const rounds = Number(values.rounds);
const rate = Number(values.rate);
const everyday = Number(values.everyday);
const bench = await startBench(Math.max(...counts, everyday));

/** The measured rate, and the costs of 1,000 messages: CPU seconds of server and database, bytes of WAL. */
interface Costs extends Measured {
  cpu: number;
  databaseCpu: number;
  wal: number;
}

/** Goals of the product: half the rate of the floor at full load; at everyday rates at most 1.6 times its CPU time. */
const GOAL = 0.5;
const EVERYDAY_GOAL = { cpu: 1.6, p99: 50 };
/** A start ends with work of its own. */
const SETTLE_MS = 3_000;
let missed = false;
try {
  for (const count of counts) {
    const { floor, product } = await alternate(count, (points) => closedLoop(points, 2, seconds), 2);
    const ratio = product.perSecond / floor.perSecond;
    missed ||= ratio < GOAL || product.refused > 0;
    print(`floor, ${count} connections`, floor);
    print(`product, ${count} connections`, product);
    const cpu = (floor.cpu / product.cpu).toFixed(2);
    console.log(`  ratio ${ratio.toFixed(2)} (goal ${GOAL}); by CPU ${cpu}; WAL ${times(product.wal / floor.wal)}`);
  }
  if (rate > 0) {
    const { floor, product } = await alternate(everyday, (points) => openLoop(points, rate, 2, 2 * seconds), 2);
    const ratio = product.cpu / floor.cpu;
    missed ||= ratio > EVERYDAY_GOAL.cpu || product.p99 > EVERYDAY_GOAL.p99 || product.refused > 0;
    print(`floor, ${rate} messages/s of ${everyday} charge points`, floor);
    print(`product, ${rate} messages/s of ${everyday} charge points`, product);
    const goals = `goals ${EVERYDAY_GOAL.cpu}, p99 ${EVERYDAY_GOAL.p99} ms`;
    console.log(`  ratio by CPU ${times(ratio)}, WAL ${times(product.wal / floor.wal)} (${goals})`);
  }
} finally {
  await bench.stop();
}
process.exit(missed ? 1 : 0);

/** The costs of floor and product, each the best of several rounds, in turns. */
async function alternate(count: number, load: (points: ChargePoint[]) => Promise<Measured>, warmUp: number) {
  const floor: Costs[] = [];
  const product: Costs[] = [];
  for (let round = 0; round < rounds; round += 1) {
    floor.push(await measure('floor-server.ts', count, load, warmUp));
    product.push(await measure('product-server.ts', count, load, warmUp));
  }
  return { floor: best(floor), product: best(product) };
}

async function measure(
  file: string,
  count: number,
  load: (points: ChargePoint[]) => Promise<Measured>,
  warmUp: number,
): Promise<Costs> {
  const server = await bench.start(file);
  const points: ChargePoint[] = [];
  for (let number = 1; number <= count; number += 1) points.push(await connect(server.url, number));
  await Promise.all(points.map((point) => point.call('BootNotification')));
  // As charge points do after a boot.
  await Promise.all(points.map((point) => point.call('StatusNotification')));
  await wait(SETTLE_MS);
  const used = async () => ({
    server: cpuSeconds(server.pid),
    database: bench.databaseCpu(),
    wal: await bench.walBytes(),
  });
  const before = await used();
  const measured = await load(points);
  const after = await used();
  const thousands = (measured.perSecond * (warmUp + measured.seconds)) / 1_000;
  const databaseCpu = (after.database - before.database) / thousands;
  const cpu = (after.server - before.server) / thousands + databaseCpu;
  for (const point of points) point.socket.terminate();
  await server.stop();
  return { ...measured, cpu, databaseCpu, wal: (after.wal - before.wal) / thousands };
}

/** The cheapest of several rounds, because load of other programs is not a property of a server. */
function best(results: readonly Costs[]): Costs {
  return results.reduce((one, other) => (other.cpu < one.cpu ? other : one));
}

function times(ratio: number): string {
  return `${ratio.toFixed(2)} times`;
}

function print(name: string, { perSecond, p50, p99, refused, cpu, databaseCpu, wal }: Costs): void {
  const figures = `${perSecond.toFixed(0)} messages/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`;
  const costs = `${cpu.toFixed(4)} CPU s per 1,000, ${databaseCpu.toFixed(4)} of it the database's, ${(wal / 1_024).toFixed(0)} kB of WAL`;
  console.log(`${name}: ${figures}, ${costs}${refused ? `, ${refused} REFUSED` : ''}`);
}
