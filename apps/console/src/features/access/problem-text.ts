import { ApiProblem } from '../../shared/api/problem.ts';

/** The text of a failed call in a form. */
export function problemText(error: unknown): string {
  if (error instanceof ApiProblem) return error.message;
  console.error('The form could not be sent', error);
  return error instanceof Error ? error.message : String(error);
}
