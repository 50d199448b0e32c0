/** What a gateway must know of a device before it lets it in. */
export interface KnownDevice {
  deviceId: number;
  sn: string;
  siteId: number;
  /** device, site and customer are all enabled */
  enabled: boolean;
  passwordHash: string | null;
  /** the model admits frames outside the official schemas */
  tolerant: boolean;
}

/** Somebody who knocked without being registered. */
export interface UnknownDevice {
  sn: string;
  mac: string | null;
  protocolVersion: string;
  remoteAddress: string;
  vendor: string | null;
  model: string | null;
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
  openMatters(deviceIds: readonly number[]): Promise<Map<number, OpenMatters>>;
  /** Enters or counts up an entry of the blacklist; bounded, so that a flood of made-up names costs nothing. */
  reportUnknown(device: UnknownDevice): Promise<void>;
}
