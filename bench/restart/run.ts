// The time that the program takes to stop and to be ready again on the same data folder, compared with a bare start of
// Node in the same run. The best of five counts, because other load on the machine only adds time. node
// bench/restart/run.ts
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProgram } from '../../apps/server/src/testing/program.ts';

/** Three seconds, when a bare Node needs 40 ms to start. */
const GOAL = 75;
/** Below the range of ephemeral ports. */
const PORT = '19713';
const ROUNDS = 5;

const folder = await mkdtemp(join(tmpdir(), 'chargehand-restart-'));
const start = () => startProgram({ PORT, HOST: '127.0.0.1', CHARGEHAND_DATA: folder, DATABASE_URL: '' });
let program = await start();
try {
  let best = { ratio: Number.POSITIVE_INFINITY, start: 0, bare: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    await program.stop();
    const before = bareStart();
    const from = performance.now();
    program = await start();
    const took = performance.now() - from;
    const bare = Math.max(before, bareStart());
    if (took / bare < best.ratio) best = { ratio: took / bare, start: took, bare };
  }
  console.log(`a second start ${best.start.toFixed(0)} ms, a bare start of Node ${best.bare.toFixed(0)} ms`);
  console.log(`ratio ${best.ratio.toFixed(1)}, goal at most ${GOAL}`);
  if (best.ratio > GOAL) process.exitCode = 1;
} finally {
  await program.stop();
  await rm(folder, { recursive: true, force: true });
}

/** Milliseconds. */
function bareStart(): number {
  const from = performance.now();
  execFileSync(process.execPath, ['-e', '0']);
  return performance.now() - from;
}
