import type { ChangeTopic } from '@chargehand/contract';

/** Tells the live stream that something of a device changed; cheap, gathered, never awaited. Call it after the commit. */
export interface ChangeFeed {
  changed(deviceId: number, ...topics: ChangeTopic[]): void;
}
