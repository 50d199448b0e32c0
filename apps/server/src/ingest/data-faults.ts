/**
 * SQLSTATE classes that a retry may fix: connection (08), feature of a standby (25), cancelled or deadlocked (40, 57),
 * resources (53), system (58), internal (XX).
 */
const PASSING: ReadonlySet<string> = new Set(['08', '25', '40', '53', '55', '57', '58', 'XX']);

/** True if a batch failed because of its data, so that a retry would fail again. */
export function isFaultOfData(error: unknown): boolean {
  const { code, severity } = error as { code?: unknown; severity?: unknown };
  // A statement with too many values: the connection goes on.
  if (code === '08P01') return severity !== 'FATAL';
  // No SQLSTATE begins with E, but errors of the network do, such as EPIPE.
  if (typeof code === 'string' && /^(?!E)[0-9A-Z]{5}$/.test(code)) return !PASSING.has(code.slice(0, 2));
  // A programming error, not a network error.
  return error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
}
