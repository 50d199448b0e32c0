import type { SystemProblem } from '@chargehand/domain';
import type { Envelope } from './endpoint.ts';

/**
 * The path where the server reports to monitors and the console whether it can serve and store data: 200, or 503 with
 * the cause.
 */
export const READINESS_PATH = '/readyz';

/** A problem that does not yet prevent storing data. */
interface ReadinessWarning {
  code: number;
  message: string;
  /** the name of the code */
  cause: string;
}

/** The response. With a code other than 0, nothing can be stored, and the message gives the reason. */
export type Readiness = Envelope<
  | {
      status: 'ready';
      warnings: ReadinessWarning[];
      /** what is wrong with the installation, without values: everybody may read this. It can serve nevertheless */
      problems: Pick<SystemProblem, 'kind' | 'severity'>[];
    }
  | { status: 'notReady'; cause: string }
>;
