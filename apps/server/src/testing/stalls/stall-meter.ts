/**
 * Loaded into a server process before it starts (`--import`): measures how long its event loop was kept busy at a stretch,
 * as the CPU time of its own thread between two beats of a timer. What else the machine does counts little.
 */
const BEAT_MS = 4;

let before = process.threadCpuUsage();
let longest = 0;

setInterval(() => {
  const { user, system } = process.threadCpuUsage(before);
  longest = Math.max(longest, (user + system) / 1000);
  before = process.threadCpuUsage();
}, BEAT_MS).unref();

process.on('message', (message) => {
  if (message !== 'longest stall') return;
  process.send?.({ longestStall: longest });
  longest = 0;
});
// Asking is no reason for the process to stay.
process.channel?.unref();
