import type { StationPast, StoragePast } from '../../../simulator/src/past/index.ts';
import type { DemoDevice } from '../fleet/index.ts';
import type { Span } from './people/plan.ts';

/** A charge point and what happened to it. `span` ends when it went offline for good. */
export interface DemoCharger {
  device: DemoDevice;
  past: StationPast;
  span: Span;
}

export interface DemoStorage {
  device: DemoDevice;
  past: StoragePast;
}
