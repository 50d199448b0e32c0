import { isRefusedByLimit } from './pool.ts';

/**
 * Whether an error comes from a server that is starting, stopping, or away: SQLSTATE classes 08 and 57P, and codes of
 * sockets.
 */
export function isConnectionLoss(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  return (
    isRefusedByLimit(error) ||
    /^(?:08|57P)/.test(code) ||
    /^(?:ECONNREFUSED|ECONNRESET|ENOENT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EPIPE)$/.test(code) ||
    /Connection terminated|is not queryable|timeout/.test(message)
  );
}
