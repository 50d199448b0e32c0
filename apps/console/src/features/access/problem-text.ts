import { ApiProblem } from '../../shared/api/problem.ts';

/** What a form says of a call that failed. */
export function problemText(error: unknown): string {
  if (error instanceof ApiProblem) return error.message;
  console.error('The form could not be sent', error);
  return error instanceof Error ? error.message : String(error);
}
