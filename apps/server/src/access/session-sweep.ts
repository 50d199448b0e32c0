import type { Log } from '../platform/log.ts';

/** How long a session that ran out may look open in the login log and keep a live stream. */
const EVERY_MS = 5_000;

/** Runs `work` again and again, never twice at once; a failure is logged and the next round tries again. */
export function sessionSweep(log: Log, work: () => Promise<void>): { stop(): Promise<void> } {
  let running: Promise<void> | null = null;
  const round = async () => {
    try {
      await work();
    } catch (error) {
      log.warn({ err: error }, 'ended sessions could not be cleared up; trying again shortly');
    } finally {
      running = null;
    }
  };
  const timer = setInterval(() => {
    running ??= round();
  }, EVERY_MS);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
