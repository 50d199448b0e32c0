import type { DeviceCall } from '../../ports/devices/device-link.ts';
import type { Fact, Outcome } from './facts.ts';

/** A message that goes down to a device. */
export interface Downlink {
  topic: string;
  payload: Buffer;
}

/** A command in the words of the device's protocol. */
export interface Put extends Downlink {
  action: string;
  /** how it stands in the protocol log, without secrets */
  body: string;
  hears(fact: Fact): Outcome | null;
}

/** How a device is spoken to; null: it knows no such command. */
export type Speech = (call: DeviceCall) => Put | null;
