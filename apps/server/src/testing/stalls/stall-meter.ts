/**
 * Loaded into a server process before it starts (`--import`): measures how long its event loop is blocked, as the CPU
 * time of its thread between two ticks of a timer. The load of the machine has little effect.
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
// The meter does not keep the process running.
process.channel?.unref();
