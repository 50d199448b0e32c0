import { ERROR_SOURCES, type ErrorSource, maskText } from '@chargehand/domain';
import type { LoggedError } from '../../platform/log.ts';
import type { RecordedError } from './error-recorder.ts';

/** The line of a request that failed. Its error says everything. */
const OF_REQUESTS = 'request failed';
/** Values of a line that have their own column. */
const OWN_COLUMNS = new Set(['err', 'source', 'reqId', 'userId', 'user', 'deviceId', 'method', 'path', 'reason']);
const MAX_DETAILS = 10;
const MAX_DETAIL = 200;
const MAX_PATH = 300;

/**
 * A line of the log as an error; null for lines that are none: warnings without an error and without a source, such as a
 * port that is in use.
 */
export function errorOfLine({ severity, text, values }: LoggedError, version: string): RecordedError | null {
  const { err, reason } = values;
  const source = sourceOf(values);
  const isError = severity === 'error' || err !== undefined || values.source !== undefined;
  if (!isError) return null;
  const cause = err ?? reason;
  const reported = cause instanceof Error ? cause.message : typeof cause === 'string' ? cause : '';
  return {
    source,
    version,
    name: cause instanceof Error ? nameOf(cause) : severity === 'error' ? 'Error' : 'Warning',
    message: text === OF_REQUESTS || text === '' ? reported || text : reported === '' ? text : `${text}: ${reported}`,
    stack: cause instanceof Error ? (cause.stack ?? null) : null,
    occurrence: {
      requestId: textOf(values.reqId),
      userName: textOf(values.user),
      deviceId: typeof values.deviceId === 'number' ? values.deviceId : null,
      path: pathOf(values),
      userAgent: null,
      address: null,
      details: detailsOf(values),
    },
  };
}

/** Where a line comes from: as it says itself, or by the values that only one source has. */
function sourceOf(values: LoggedError['values']): ErrorSource {
  const named = ERROR_SOURCES.find((source) => source === values.source);
  if (named) return named;
  if (values.mail !== undefined) return 'mail';
  if (values.channel !== undefined) return 'webhook';
  if (values.deviceId !== undefined || values.sn !== undefined || values.edge !== undefined) return 'device';
  return 'server';
}

/** The class of an error, with the code of the database or the system. */
function nameOf(error: Error & { code?: unknown }): string {
  const name = error.name === 'Error' || error.name === 'error' ? error.constructor.name : error.name;
  return typeof error.code === 'string' ? `${name} ${error.code}` : name;
}

function pathOf({ method, path }: LoggedError['values']): string | null {
  if (typeof path !== 'string') return null;
  return maskText(`${typeof method === 'string' ? `${method} ` : ''}${path}`.slice(0, MAX_PATH));
}

function detailsOf(values: LoggedError['values']): Record<string, string> {
  const shown = Object.entries(values).filter(
    ([name, value]) => !OWN_COLUMNS.has(name) && (typeof value === 'string' || typeof value === 'number'),
  );
  return Object.fromEntries(
    shown.slice(0, MAX_DETAILS).map(([name, value]) => {
      const masked = maskText(`${name}=${maskText(String(value).slice(0, MAX_DETAIL))}`);
      return [name, masked.slice(name.length + 1)];
    }),
  );
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value.slice(0, 100) : null;
}
