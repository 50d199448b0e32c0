import { type Logger, pino, stdTimeFunctions } from 'pino';
import pretty from 'pino-pretty';

export type Log = Logger;

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** What must never reach a log, wherever it appears one or two levels deep. */
const SECRETS = ['password', 'authorization', 'cookie', 'token', 'secret'].flatMap((name) => [
  name,
  `*.${name}`,
  `*.*.${name}`,
]);

/**
 * The process's log: one JSON object a line on standard output; lines for people when that is a terminal.
 * @param level the least severe level that is written
 */
export function createLog(level: LogLevel): Log {
  const options = { level, base: undefined, timestamp: stdTimeFunctions.isoTime, redact: SECRETS };
  if (!process.stdout.isTTY) return pino(options);
  return pino(options, pretty({ colorize: true, translateTime: 'SYS:HH:MM:ss', sync: true }));
}
