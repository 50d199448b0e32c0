import { Counter } from 'prom-client';
import type { Log } from '../log.ts';

/** How often the event loop is checked, and the shortest stall that is reported. Milliseconds. */
const BEAT_MS = 20;
const STALL_MS = 100;
/** The shortest time between two log lines. The metric counts every stall. Milliseconds. */
const LINE_MS = 10_000;
/** Works of one beat that a log line names. */
const NAMED = 5;

/** Every stall of the event loop, by the kind of work that ran last before it. */
export const eventLoopStalls = new Counter({
  name: 'chargehand_event_loop_stalls_total',
  help: 'Stalls of the event loop over 100 ms, by the kind of work that ran last.',
  labelNames: ['work'] as const,
  registers: [],
});

/** Kinds of work. */
type Work = 'request' | 'message' | 'job';

/** What has begun since the last beat, the latest last; of more, the latest ones. */
let begun: { work: Work; name: string }[] = [];

/** Notes that a work begins: if the event loop stalls now, it is named. */
export function workBegins(work: Work, name: string): void {
  if (begun.length === NAMED) begun.shift();
  begun.push({ work, name });
}

/**
 * Reports each stall of the event loop with what began since the last beat: as a metric, and in the error log with at most
 * one line in ten seconds. A stall with little processor time is one of the machine.
 * @returns ends the watch
 */
export function watchStalls(log: Log): () => void {
  let at = performance.now();
  let cpu = process.threadCpuUsage();
  let lineAt = Number.NEGATIVE_INFINITY;
  let unreported = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    const ms = Math.round(now - at - BEAT_MS);
    const works = begun;
    const used = process.threadCpuUsage(cpu);
    at = now;
    cpu = process.threadCpuUsage();
    begun = [];
    if (ms < STALL_MS) return;
    const last = works.at(-1);
    eventLoopStalls.inc({ work: last?.work ?? 'unknown' });
    if (now - lineAt < LINE_MS) {
      unreported += 1;
      return;
    }
    const cpuMs = Math.round((used.user + used.system) / 1_000);
    const before = works.slice(0, -1).map(({ name }) => name);
    log.warn(
      { source: 'server', stallMs: ms, cpuMs, ...(before.length > 0 && { before: before.join(', ') }), unreported },
      `the event loop was blocked during ${last?.name ?? 'unknown work'}`,
    );
    lineAt = now;
    unreported = 0;
  }, BEAT_MS);
  timer.unref();
  return () => clearInterval(timer);
}
