// Readings of a connected fleet, with alarms and rollups on: CPU, memory, the time from receipt to storage, and the
// multiple of the rate at which the first data is shed. The piles run in a separate process. node bench/ingest/run.ts
// [--full] [--piles 1000] [--items 40] [--interval 6] [--seconds 20]
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { cpuSeconds, startBench } from '../gateway/servers.ts';

const { values: options } = parseArgs({
  options: {
    full: { type: 'boolean', default: false },
    piles: { type: 'string' },
    items: { type: 'string', default: '40' },
    interval: { type: 'string' },
    seconds: { type: 'string' },
  },
});
const piles = Number(options.piles ?? (options.full ? 10_000 : 1_000));
const items = Number(options.items);
const interval = Number(options.interval ?? (options.full ? 30 : 6));
const seconds = Number(options.seconds ?? (options.full ? 600 : 20));
/** How long each higher rate is held. A rate is sustained when nothing is shed or rejected and no pile is blocked. */
const STEP_SECONDS = options.full ? 60 : 10;
const MOST_LATE = 0.01;
const RATES = [2, 3, 4, 5, 6, 8];
const GOALS = { peak: 3, memory: 1.5 };
/** A short run ends before its first five minutes, so its rollups run ahead of time. */
const AHEAD_MS = options.full ? 0 : 600_000;

interface ServerFigures {
  values: number;
  shed: number;
  p50: number;
  p99: number;
  rss: number;
  /** the maximum since the start */
  peak: number;
}
interface PileFigures {
  answered: number;
  refused: number;
  late: number;
  p99: number;
}

const bench = await startBench(piles);
const server = fork(join(import.meta.dirname, 'server.ts'), [String(AHEAD_MS)], {
  env: { ...process.env, DATABASE_URL: bench.urls.product },
  execArgv: ['--expose-gc'],
});
let missed = false;
try {
  const [{ port }] = (await once(server, 'message')) as [{ port: number }];
  const fleet = fork(join(import.meta.dirname, 'simulator.ts'), [
    `ws://127.0.0.1:${port}/ocpp`,
    String(piles),
    String(items),
  ]);
  await once(fleet, 'message');
  const queryChild = async <T>(child: typeof server): Promise<T> => {
    const answer = once(child, 'message');
    child.send('figures');
    return ((await answer) as [T])[0];
  };
  const cpu = () => cpuSeconds(server.pid ?? 0) + bench.databaseCpu();
  const rate = (factor: number) => fleet.send({ interval: (interval * 1_000) / factor });

  rate(1);
  await wait(interval * 1_000);
  const first = await queryChild<ServerFigures>(server);
  await queryChild<PileFigures>(fleet);
  const before = { cpu: cpu(), at: performance.now() };
  await wait(seconds * 1_000);
  const after = { cpu: cpu(), at: performance.now() };
  const last = await queryChild<ServerFigures>(server);
  const figures = await queryChild<PileFigures>(fleet);
  const elapsed = (after.at - before.at) / 1_000;
  const perSecond = (last.values - first.values) / elapsed;
  const share = (after.cpu - before.cpu) / elapsed / availableParallelism();
  const growth = last.rss / first.rss;
  console.log(`${piles} piles, ${items} values each every ${interval} s, for ${seconds} s, alarms and rollups on`);
  console.log(
    `  ${perSecond.toFixed(0)} values/s stored; CPU ${(share * 100).toFixed(0)} % of ${availableParallelism()} cores (server and database); memory ${mb(first.rss)} to ${mb(last.rss)}, ratio ${growth.toFixed(2)} (goal ${GOALS.memory})`,
  );
  console.log(
    `  receipt to stored p50 ${last.p50.toFixed(1)} ms, p99 ${last.p99.toFixed(1)} ms; asked to answered p99 ${figures.p99.toFixed(1)} ms; shed ${last.shed}, refused ${figures.refused}, late ${figures.late}`,
  );
  let peak = last.shed === 0 && figures.refused === 0 ? 1 : 0;
  for (const factor of RATES) {
    rate(factor);
    await wait((interval / factor) * 1_000);
    const start = await queryChild<ServerFigures>(server);
    await queryChild<PileFigures>(fleet);
    await wait(STEP_SECONDS * 1_000);
    const end = await queryChild<ServerFigures>(server);
    const pileFigures = await queryChild<PileFigures>(fleet);
    const taken =
      end.shed === start.shed &&
      pileFigures.refused === 0 &&
      pileFigures.late <= MOST_LATE * (pileFigures.answered + pileFigures.late);
    console.log(
      `  ${factor} times the rate: ${((end.values - start.values) / STEP_SECONDS).toFixed(0)} values/s, p99 ${end.p99.toFixed(0)} ms, shed ${end.shed - start.shed}, late ${pileFigures.late}: ${taken ? 'taken' : 'too much'}`,
    );
    if (!taken) break;
    peak = factor;
  }
  missed = peak < GOALS.peak || growth > GOALS.memory || last.shed > 0 || figures.refused > 0;
  console.log(
    `  peak ${peak} times the rate, ratio ${(peak / GOALS.peak).toFixed(2)} of the goal of ${GOALS.peak} times`,
  );
  const { peak: mostMemory } = await queryChild<ServerFigures>(server);
  console.log(`  maximum memory, including the rate that was too much: ${mb(mostMemory)}`);
  const { rows } = await bench.query<{ rolled: number; marks: number }>(
    `select (select count(*)::int from readings_5m) as rolled, (select count(*)::int from reading_marks) as marks`,
  );
  console.log(`  rolled up in this time: ${rows[0]?.rolled} rows of five minutes; ${rows[0]?.marks} marks wait`);
  fleet.kill('SIGTERM');
  await once(fleet, 'exit');
} finally {
  server.kill('SIGKILL');
  await bench.stop();
}
process.exit(missed ? 1 : 0);

function mb(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(0)} MB`;
}
