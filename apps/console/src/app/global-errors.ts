import { isCancelled } from '../shared/api/problem.ts';
import { report } from '../shared/lib/errors/report.ts';

/** Logs and reports unhandled errors, and images that cannot be loaded (spec §8). A cancelled call is not an error. */
export function watchGlobalErrors(): void {
  // Errors of images do not bubble.
  addEventListener('error', report, true);
  addEventListener('unhandledrejection', (event) => {
    if (isCancelled(event.reason)) event.preventDefault();
    else report(event);
  });
}
