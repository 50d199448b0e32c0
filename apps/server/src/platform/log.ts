import { type Logger, pino, stdTimeFunctions } from 'pino';
import pretty from 'pino-pretty';

export type Log = Logger;

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** Fields that must never be logged, one or two levels deep. */
const SECRETS = ['password', 'authorization', 'cookie', 'token', 'secret'].flatMap((name) => [
  name,
  `*.${name}`,
  `*.*.${name}`,
]);

/**
 * The process's log: one JSON object per line on standard output, or readable lines when that is a terminal.
 * @param level the lowest severity that is written
 */
export function createLog(level: LogLevel): Log {
  const options = { level, base: undefined, timestamp: stdTimeFunctions.isoTime, redact: SECRETS };
  if (!process.stdout.isTTY) return pino(options);
  return pino(options, pretty({ colorize: true, translateTime: 'SYS:HH:MM:ss', sync: true }));
}
