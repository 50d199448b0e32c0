import type { StationResume } from './behaviour/station.ts';
import type { StorageResume } from './storage/storage-unit.ts';

/** What `--resume` reads: the state of a fleet when it was stopped. */
export interface ResumedState {
  /** by SN */
  stations: Readonly<Record<string, StationResume>>;
  storage: StorageResume;
}
