/** Longest time (ms) between the doubles of one signal: a terminal and npm both send what one Ctrl-C means. */
const DOUBLES = 2_000;

/**
 * Calls `stop` once, when the process is asked to end: by SIGINT (Ctrl-C), SIGTERM, SIGHUP (the terminal is gone), or
 * by the end of the launcher that started it. Asked again later, by somebody who does not want to wait, it exits at once.
 */
export function onStopRequest(stop: (reason: string) => void): void {
  let requestedAt: number | undefined;
  const ask = (reason: string) => {
    if (requestedAt === undefined) {
      requestedAt = Date.now();
      stop(reason);
    } else if (Date.now() - requestedAt > DOUBLES) {
      process.exit(1);
    }
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, ask);
  if (process.connected) process.once('disconnect', () => ask('the launcher is gone'));
}
