import { isCancelled } from '../shared/api/problem.ts';

/** Logs what nobody caught (spec §8). A call that was only cancelled is not an error. */
export function watchGlobalErrors(): void {
  addEventListener('error', (event) => console.error('Uncaught error', event.error ?? event.message));
  addEventListener('unhandledrejection', (event) => {
    if (isCancelled(event.reason)) event.preventDefault();
    else console.error('Unhandled rejection', event.reason);
  });
}
