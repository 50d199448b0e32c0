// Links to devices: the time from a click to the prompt of a terminal, the echo of a key press, endless output, the first
// byte of a page, and idle links. The device is simulated and connects with the `ssh` of this machine.
// node bench/links/run.ts [--part idle --part echo ...]
import { parseArgs } from 'node:util';
import { openBrowser } from './browser.ts';
import { measureEcho } from './echo.ts';
import { missedGoals } from './figures.ts';
import { measureFlood } from './flood.ts';
import { measureIdle } from './idle.ts';
import { measurePrompt } from './prompt.ts';
import { measureWeb } from './web.ts';
import { startLinkWorld } from './world.ts';

// Idle links come first, because memory that other parts have used is used again.
const PARTS = ['idle', 'echo', 'web', 'prompt', 'flood'];
const { values } = parseArgs({ options: { part: { type: 'string', multiple: true } }, strict: false });
const parts = new Set(values.part ?? PARTS);
const world = await startLinkWorld();
try {
  if (parts.has('idle')) await measureIdle(world);
  if (parts.has('echo')) await measureEcho(world);
  if (parts.has('web')) await measureWeb(world);
  if (parts.has('prompt') || parts.has('flood')) {
    const browser = await openBrowser(world);
    try {
      if (parts.has('prompt')) await measurePrompt(world, browser);
      if (parts.has('flood')) await measureFlood(world, browser);
    } finally {
      await browser.stop();
    }
  }
} finally {
  await world.stop();
}
if (missedGoals().length > 0) {
  console.log(`goals missed: ${missedGoals().join(', ')}`);
  process.exitCode = 1;
}
// What is left, such as a connection that is being closed, does not keep the benchmark running.
process.exit();
