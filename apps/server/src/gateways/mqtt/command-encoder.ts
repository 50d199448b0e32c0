import type { DeviceCall } from '../../ports/devices/device-link.ts';
import type { Fact, Outcome } from './facts.ts';

/** A message to a device. */
export interface Downlink {
  topic: string;
  payload: Buffer;
}

/** A command in the protocol of the device. */
export interface EncodedCommand extends Downlink {
  action: string;
  /** its text in the protocol log, without secrets */
  body: string;
  match(fact: Fact): Outcome | null;
}

/** How commands are sent to a device; null: it does not support the command. */
export type CommandEncoder = (call: DeviceCall) => EncodedCommand | null;
