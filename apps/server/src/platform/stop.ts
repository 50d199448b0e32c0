/** The maximum time (ms) between duplicates of one signal: a terminal and npm both send one for Ctrl-C. */
const DOUBLES = 2_000;

/**
 * Calls `stop` once, when the process should end: on SIGINT (Ctrl-C), SIGTERM, SIGHUP in a terminal (it was closed), or
 * when the launcher that started it ended. A second request later exits immediately. Without a terminal, SIGHUP calls
 * `reload`, as for other services.
 */
export function onStopRequest(stop: (reason: string) => void, reload: () => void): void {
  let requestedAt: number | undefined;
  const ask = (reason: string) => {
    if (requestedAt === undefined) {
      requestedAt = Date.now();
      stop(reason);
    } else if (Date.now() - requestedAt > DOUBLES) {
      process.exit(1);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, ask);
  const hasTerminal = process.stdin.isTTY || process.stdout.isTTY;
  process.on('SIGHUP', hasTerminal ? ask : reload);
  if (process.connected) process.once('disconnect', () => ask('the launcher is gone'));
}
