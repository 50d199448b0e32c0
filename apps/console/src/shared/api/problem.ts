/** What went wrong with a call: an answer of the server, a status, or no answer at all. */
export type ProblemKind =
  /** the envelope carried a code other than 0 */
  | 'business'
  /** the session ended (20001-20004) */
  | 'session'
  /** 20013 */
  | 'permission'
  /** a status other than 200 */
  | 'http'
  /** no answer: connection lost, timeout */
  | 'network'
  /** a newer identical call took its place, or its caller left */
  | 'cancelled';

/** Why a call to the server did not give its answer; `message` is in the user's language and may be shown. */
export class ApiProblem extends Error {
  readonly kind: ProblemKind;
  /** envelope code, 0 when there was none */
  readonly code: number;
  /** HTTP status, 0 when there was none */
  readonly status: number;
  /** the input at fault, as the contract names it */
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

/** True when a call was only cancelled: nothing to say, nothing to show. */
export function isCancelled(error: unknown): boolean {
  return error instanceof ApiProblem && error.kind === 'cancelled';
}
