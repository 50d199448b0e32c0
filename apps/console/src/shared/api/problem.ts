/** Why a call failed: an error response, an HTTP status, or no response. */
export type ProblemKind =
  /** the envelope has a code other than 0 */
  | 'business'
  /** the session ended (20001-20004) */
  | 'session'
  /** 20013 */
  | 'permission'
  /** a status other than 200 */
  | 'http'
  /** no response: connection lost or timeout */
  | 'network'
  /** replaced by a newer identical call, or cancelled by its caller */
  | 'cancelled';

/** Why a call to the server failed. `message` is in the user's language and may be shown. */
export class ApiProblem extends Error {
  readonly kind: ProblemKind;
  /** code of the envelope, 0 without one */
  readonly code: number;
  /** HTTP status, 0 without one */
  readonly status: number;
  /** the invalid input, with its name in the contract */
  readonly field: string | undefined;

  constructor(kind: ProblemKind, message: string, more: { code?: number; status?: number; field?: string } = {}) {
    super(message);
    this.name = 'ApiProblem';
    this.kind = kind;
    this.code = more.code ?? 0;
    this.status = more.status ?? 0;
    this.field = more.field;
  }
}

/** True when the same call would fail again: the object does not exist, or the user may not read it. */
export function isFinal(error: unknown): boolean {
  return error instanceof ApiProblem && (error.kind === 'permission' || error.status === 403 || error.status === 404);
}

/** True when a call was only cancelled, which is not shown. */
export function isCancelled(error: unknown): boolean {
  return error instanceof ApiProblem && error.kind === 'cancelled';
}
