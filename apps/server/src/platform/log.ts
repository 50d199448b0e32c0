import { type Logger, pino, stdTimeFunctions } from 'pino';
import pretty from 'pino-pretty';

export type Log = Logger;

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** A line of the log that warns or reports an error. */
export interface LoggedError {
  severity: 'warn' | 'error';
  text: string;
  /** the values of the line, such as `err` and `deviceId`, and those of the logger it was written with */
  values: Readonly<Record<string, unknown>>;
}

type ErrorWatcher = (line: LoggedError) => void;

/** Fields that must never be logged, one or two levels deep. */
const SECRETS = ['password', 'authorization', 'cookie', 'token', 'secret'].flatMap((name) => [
  name,
  `*.${name}`,
  `*.*.${name}`,
]);
const { warn: WARN, error: ERROR } = pino.levels.values as { warn: number; error: number };

/** The watchers of each log. */
const watchersOf = new WeakMap<Log, Set<ErrorWatcher>>();

/**
 * The process's log: one JSON object per line on standard output, or readable lines when that is a terminal.
 * @param level the lowest severity that is written
 */
export function createLog(level: LogLevel): Log {
  const watchers = new Set<ErrorWatcher>();
  const lowest = pino.levels.values[level] ?? Number.POSITIVE_INFINITY;
  const options = {
    // Watchers receive warnings and errors that are not written, too.
    level: lowest > WARN ? 'warn' : level,
    base: undefined,
    timestamp: stdTimeFunctions.isoTime,
    redact: SECRETS,
    hooks: {
      logMethod(this: Logger, args: Parameters<Logger['info']>, write: (...args: unknown[]) => void, level: number) {
        if (level >= WARN && watchers.size > 0) {
          const line = loggedError(this, args, level);
          for (const watch of watchers) watch(line);
        }
        if (level >= lowest) write.apply(this, args);
      },
    },
  };
  const log = process.stdout.isTTY
    ? pino(options, pretty({ colorize: true, translateTime: 'SYS:HH:MM:ss', sync: true }))
    : pino(options);
  watchersOf.set(log, watchers);
  return log;
}

/** Calls `watch` for each warning and error of a log and of the loggers made from it. @returns a function that ends it */
export function watchErrors(log: Log, watch: ErrorWatcher): () => void {
  const watchers = watchersOf.get(log);
  watchers?.add(watch);
  return () => watchers?.delete(watch);
}

function loggedError(logger: Logger, [first, second]: readonly unknown[], level: number): LoggedError {
  const severity = level >= ERROR ? 'error' : 'warn';
  const text = typeof first === 'string' ? first : typeof second === 'string' ? second : '';
  const values = first instanceof Error ? { err: first } : typeof first === 'object' && first !== null ? first : {};
  return { severity, text, values: { ...logger.bindings(), ...values } };
}
