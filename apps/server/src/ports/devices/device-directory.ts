/** The stored state of a connector. */
export interface ConnectorState {
  connector: number;
  /** null: unknown since the device booted */
  status: string | null;
  /** the device's own ID of the open transaction */
  transaction: string | null;
}

/** What a gateway needs to know about a device before it admits it. */
export interface KnownDevice {
  deviceId: number;
  sn: string;
  siteId: number;
  /** device, site and customer are all enabled */
  enabled: boolean;
  passwordHash: string | null;
  /** of new passwords that the device may have received and has not used yet */
  newPasswordHashes: readonly string[];
  /** the model allows frames that violate the official schemas */
  tolerant: boolean;
  /** its status reports were rejected, and none was accepted since */
  statusRejected?: boolean;
  /** silence timeout in seconds for a device without its own network connection; null: the default */
  silenceSeconds: number | null;
  /** the address of its latest connection; null when it never connected */
  lastAddress: string | null;
  /** the latest reported or set heartbeat interval, null when it is unknown */
  heartbeatSeconds: number | null;
  /** the known connectors */
  connectors: number[];
  /** their states when it connected */
  connectorStates?: readonly ConnectorState[];
  /** the number of connectors by its model, null when the model does not define it */
  connectorCount: number | null;
  /** the probe of the server itself: it connects from this machine, so only its password is checked */
  isProbe?: true;
}

/** An unregistered device that tried to connect. */
export interface UnknownDevice {
  sn: string;
  mac: string | null;
  protocolVersion: string;
  remoteAddress: string;
  vendor: string | null;
  model: string | null;
  serialNumber?: string | null;
  firmwareVersion?: string | null;
  /** its connection is open and waits for the registration */
  waiting?: boolean;
  /** the attempt was counted already: this adds details */
  again?: boolean;
}

/** What is unknown about a reconnected device, and may be requested. */
export interface MissingReports {
  /** the known connectors, without the device itself */
  connectors: number[];
  /** a firmware update is running */
  updating: boolean;
  /** the log that was requested and not uploaded yet */
  uploading: 'diagnostics' | 'security' | null;
}

/** What the fleet provides to gateways. */
export interface DeviceDirectory {
  find(sn: string): Promise<KnownDevice | null>;
  /** The device has connected with a new password, which becomes its current one. */
  usedNewPassword(deviceId: number, hash: string): Promise<void>;
  missingReports(deviceIds: readonly number[]): Promise<Map<number, MissingReports>>;
  /** Adds a waiting device or increases its attempts. Bounded, so that a flood of invented names is cheap. */
  reportUnknown(device: UnknownDevice): Promise<void>;
}
