/**
 * Loaded into a server process before it starts (`--import`): measures how long its event loop is blocked, as the CPU
 * time of its thread between two ticks of a timer. The load of the machine has little effect. A number blocks it for as
 * many milliseconds.
 */
const BEAT_MS = 4;

let before = process.threadCpuUsage();
let stalls: number[] = [];

setInterval(() => {
  const { user, system } = process.threadCpuUsage(before);
  stalls.push((user + system) / 1000);
  before = process.threadCpuUsage();
}, BEAT_MS).unref();

process.on('message', (message) => {
  if (typeof message === 'number') {
    for (const end = performance.now() + message; performance.now() < end; );
    return;
  }
  if (message !== 'stalls') return;
  const sorted = stalls.sort((one, other) => one - other);
  process.send?.({ longest: sorted.at(-1) ?? 0, p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0 });
  stalls = [];
});
// The meter does not keep the process running.
process.channel?.unref();
