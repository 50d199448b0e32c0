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

/** What the fleet tells gateways of its devices. */
export interface DeviceDirectory {
  find(sn: string): Promise<KnownDevice | null>;
  /** Enters or counts up an entry of the blacklist; bounded, so that a flood of made-up names costs nothing. */
  reportUnknown(device: UnknownDevice): Promise<void>;
}
