import type { Envelope } from './endpoint.ts';

/** Where the server says whether it can serve and store, to monitors and to the console: 200, or 503 with the cause. */
export const READINESS_PATH = '/readyz';

/** Something wrong that keeps nothing from being stored yet. */
interface ReadinessWarning {
  code: number;
  message: string;
  /** the name of the code */
  cause: string;
}

/** What stands there: with a code other than 0 nothing can be stored, and the message says why. */
export type Readiness = Envelope<
  { status: 'ready'; warnings: ReadinessWarning[] } | { status: 'notReady'; cause: string }
>;
