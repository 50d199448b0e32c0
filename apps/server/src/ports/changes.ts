import type { ChangeTopic } from '@chargehand/contract';

/** Tells the live stream that something of a device changed; cheap, gathered, never awaited. Call it after the commit. */
export interface ChangeFeed {
  changed(deviceId: number, ...topics: ChangeTopic[]): void;
}

/** The same for devices that do not stay where they are. */
export interface MoveFeed extends ChangeFeed {
  /** A device stands elsewhere now, or is gone: who saw it at this place hears of it once more, and all of it changed. */
  left(place: DevicePlace): void;
}

/** Where a device stands, which decides who may hear of it. */
export interface DevicePlace {
  deviceId: number;
  customerId: number;
  siteId: number;
}
