import type { AttemptReason } from '@chargehand/contract';

/** A rejected connection attempt. */
export interface ConnectionAttempt {
  gateway: 'ocpp' | 'mqtt' | 'ftp';
  remoteAddress: string;
  /** the target: the path of the request or the user name; `*` stands for several */
  target: string;
  /** the offered subprotocols, or the version of MQTT; null when there is none */
  protocols: string | null;
  reason: AttemptReason;
  /** the registered device that it named */
  deviceId: number | null;
}

/** Where gateways report such attempts. */
export interface ConnectionAttempts {
  /** Counts an attempt. It is stored shortly afterwards, together with others. */
  record(attempt: ConnectionAttempt): void;
}
