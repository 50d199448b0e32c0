import type { BulkAnswer } from '@chargehand/contract';
import type { EndpointName } from '../../api/client.ts';

/** Something that can be done to many rows at once. */
export interface BulkAction {
  key: string;
  label: string;
  danger?: boolean;
  /** cannot be undone: how many rows it concerns has to be typed */
  typed?: boolean;
  /** what will happen, in a sentence */
  text: string;
  run(ids: number[]): Promise<BulkAnswer>;
  /** what is asked again afterwards */
  refreshes: readonly EndpointName[];
}
