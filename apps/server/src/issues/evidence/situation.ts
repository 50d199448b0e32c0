import type { IssueEvidence } from '@chargehand/contract';
import type { Level } from '@chargehand/domain';

/** What reading a value needs, so that it is checked for each reader later. */
interface Needed {
  area: 'device' | 'params';
  level: Level;
}

/** A situation as it is stored: each value with the level that reading it needs. */
export interface StoredSituation extends Omit<IssueEvidence, 'takenAt' | 'withheld' | 'readings' | 'parameters'> {
  readings: (IssueEvidence['readings'][number] & Needed)[];
  parameters: (IssueEvidence['parameters'][number] & Needed)[];
}
