import { isCancelled } from '../shared/api/problem.ts';

/** Logs unhandled errors (spec §8). A cancelled call is not an error. */
export function watchGlobalErrors(): void {
  addEventListener('error', (event) => console.error('Uncaught error', event.error ?? event.message));
  addEventListener('unhandledrejection', (event) => {
    if (isCancelled(event.reason)) event.preventDefault();
    else console.error('Unhandled rejection', event.reason);
  });
}
