import { isRefusedByLimit } from './pool.ts';

/**
 * True for the SQLSTATE classes 08 (connection) and 57P (shutdown). A violation of the protocol (08P01) that leaves the
 * connection open, such as a statement with too many values, is a fault of the statement; poolers end connections with it.
 */
export function isLostState({ code, severity }: { code?: unknown; severity?: unknown }): boolean {
  if (code === '08P01') return severity === 'FATAL';
  return typeof code === 'string' && /^(?:08|57P)/.test(code);
}

/**
 * Whether an error comes from a server that is starting, stopping, or away: SQLSTATE classes 08 and 57P, and codes of
 * sockets.
 */
export function isConnectionLoss(error: unknown): boolean {
  const { code = '', message = '', severity } = error as { code?: string; message?: string; severity?: string };
  return (
    isRefusedByLimit(error) ||
    isLostState({ code, severity }) ||
    /^(?:ECONNREFUSED|ECONNRESET|ENOENT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EPIPE)$/.test(code) ||
    /Connection terminated|is not queryable|timeout/.test(message)
  );
}
