import type { AttemptReason } from '@chargehand/contract';

/** A connection attempt that did not get a device in. */
export interface ConnectionAttempt {
  gateway: 'ocpp' | 'mqtt' | 'ftp';
  remoteAddress: string;
  /** what was asked for: the path of the request, the user name; `*` stands for several */
  target: string;
  /** the subprotocols that were offered, or the version of MQTT; null where there is no such thing */
  protocols: string | null;
  reason: AttemptReason;
  /** the registered device that it named */
  deviceId: number | null;
}

/** Where gateways report such attempts. */
export interface ConnectionAttempts {
  /** Counts an attempt; it is stored in a moment, together with others. */
  record(attempt: ConnectionAttempt): void;
}
