/** What a gateway must know of a device before it lets it in. */
export interface KnownDevice {
  deviceId: number;
  sn: string;
  siteId: number;
  /** device, site and customer are all enabled */
  enabled: boolean;
  passwordHash: string | null;
  /** of new passwords that the device may have been given and has not used yet */
  newPasswordHashes: readonly string[];
  /** the model admits frames outside the official schemas */
  tolerant: boolean;
  /** seconds of silence after which it is disconnected when it has no connection of its own; null: the default */
  silenceSeconds: number | null;
  /** where it connected from last; null when it never did */
  lastAddress: string | null;
  /** the heartbeat interval that it last reported or was set, null when it is not known */
  heartbeatSeconds: number | null;
  /** the connectors that are known of it */
  connectors: number[];
  /** how many connectors its model says it has, null when it does not say */
  connectorCount: number | null;
}

/** Somebody who tried to connect without being registered. */
export interface UnknownDevice {
  sn: string;
  mac: string | null;
  protocolVersion: string;
  remoteAddress: string;
  vendor: string | null;
  model: string | null;
  serialNumber?: string | null;
  firmwareVersion?: string | null;
  /** its connection is open, and it waits to be registered */
  waiting?: boolean;
  /** it was counted already: this adds what is known of it */
  again?: boolean;
}

/** What is open about a device that came back: what it may have to tell. */
export interface OpenMatters {
  /** the connectors that are known of it, without the device itself */
  connectors: number[];
  /** a firmware update is under way */
  updating: boolean;
  /** the log that it was asked for and has not handed in yet */
  uploading: 'diagnostics' | 'security' | null;
}

/** What the fleet tells gateways of its devices. */
export interface DeviceDirectory {
  find(sn: string): Promise<KnownDevice | null>;
  /** The device has connected with a new password: from now on that is the one. */
  usedNewPassword(deviceId: number, hash: string): Promise<void>;
  openMatters(deviceIds: readonly number[]): Promise<Map<number, OpenMatters>>;
  /** Enters a waiting device or counts up its attempts; bounded, so that a flood of made-up names costs nothing. */
  reportUnknown(device: UnknownDevice): Promise<void>;
}
