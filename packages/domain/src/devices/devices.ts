import { type Level, type Levels, meets, type RequiredLevel } from '../access/levels.ts';

/** Device types of spec §1, by their number. */
export const DEVICE_TYPES = {
  1: 'chargingPile',
  2: 'acPile',
  3: 'energyPile',
  4: 'power',
  5: 'homeEnergy',
  6: 'v2g',
} as const;
export type DeviceType = keyof typeof DEVICE_TYPES;

/** Whether devices of a type charge vehicles, so that they have charging sessions and tokens. Unknown types may. */
export function chargesVehicles(type: number): boolean {
  const name = type in DEVICE_TYPES ? DEVICE_TYPES[type as DeviceType] : null;
  return name !== 'power' && name !== 'homeEnergy';
}

/** Device status of spec §4, in display order: what needs attention comes first. */
export const DEVICE_STATUSES = [
  'faulted',
  'offline',
  'working',
  'idle',
  'maintain',
  'firmwareUpdate',
  'disabled',
] as const;
export type DeviceStatus = (typeof DEVICE_STATUSES)[number];

/**
 * ChargePointStatus (OCPP 1.6 §7.7), and Occupied of OCPP 2.0.1, which only says that a vehicle is present. The
 * transaction adds the state, in the terms of 1.6.
 */
export const CONNECTOR_STATUSES = [
  'Available',
  'Occupied',
  'Preparing',
  'Charging',
  'SuspendedEVSE',
  'SuspendedEV',
  'Finishing',
  'Reserved',
  'Unavailable',
  'Faulted',
] as const;
export type ConnectorStatus = (typeof CONNECTOR_STATUSES)[number];

/** Connector states in which a vehicle is being served. */
export const BUSY_STATUSES = [
  'Occupied',
  'Preparing',
  'Charging',
  'SuspendedEVSE',
  'SuspendedEV',
  'Finishing',
] as const satisfies readonly ConnectorStatus[];
const BUSY: ReadonlySet<string> = new Set(BUSY_STATUSES);

/** Everything that decides the status of a device. */
export interface DeviceFacts {
  enabled: boolean;
  maintenance: boolean;
  connected: boolean;
  updatingFirmware: boolean;
  /** the status of the device as a whole (connector 0); null if unknown */
  stationStatus: string | null;
  /** of its connectors */
  connectorStatuses: readonly string[];
}

/**
 * The status of a device (spec §4). Decisions of users (disabled, maintenance) come first, then the connection
 * (offline), then the reports of the device.
 */
export function deviceStatus(facts: DeviceFacts): DeviceStatus {
  const { stationStatus, connectorStatuses } = facts;
  const reported = stationStatus === null ? connectorStatuses : [stationStatus, ...connectorStatuses];
  if (!facts.enabled) return 'disabled';
  if (facts.maintenance) return 'maintain';
  if (!facts.connected) return 'offline';
  if (facts.updatingFirmware) return 'firmwareUpdate';
  if (reported.includes('Faulted')) return 'faulted';
  if (reported.some((status) => BUSY.has(status))) return 'working';
  // Statuses in which nobody can charge: an alarm of the kind `unavailable`.
  const allUnavailable = connectorStatuses.length > 0 && connectorStatuses.every((one) => one === 'Unavailable');
  if (stationStatus === 'Unavailable' || allUnavailable) return 'faulted';
  return 'idle';
}

/** Why a connection ended: the logout reasons of spec §3, by name. */
export const DISCONNECT_REASONS = { authRejected: 0, loggedOut: 1, networkTimeout: 2, replaced: 3 } as const;
export type DisconnectReason = keyof typeof DISCONNECT_REASONS;

/** Whole days since the last maintenance, never negative. */
export function unmaintainedDays(since: Date, now: Date): number {
  return Math.max(0, Math.floor((now.getTime() - since.getTime()) / 86_400_000));
}

/**
 * The levels that a device requires in the area "device" (spec §6). Everyone who has the route may read it. Changing or
 * downloading it requires more than the lowest level.
 */
export const DEVICE_LEVELS = { read: 5, write: 4, download: 4 } as const satisfies Record<string, Level>;

/** The levels that a device model requires for its devices. */
export interface ModelLevels {
  parameterRead: Level;
  parameterWrite: Level;
  control: Level;
}

/** What a user's levels allow on a device. The route and the row are checked elsewhere. */
export interface DeviceRights {
  read: boolean;
  edit: boolean;
  download: boolean;
  control: boolean;
  readParameters: boolean;
  setParameters: boolean;
}

/** The levels that each right on a device requires (spec §6: device control requires the control level). */
export function deviceLevels(model: ModelLevels): Record<keyof DeviceRights, readonly RequiredLevel[]> {
  const read = { area: 'device', verb: 'read', level: DEVICE_LEVELS.read } as const;
  return {
    read: [read],
    edit: [read, { area: 'device', verb: 'write', level: DEVICE_LEVELS.write }],
    download: [read, { area: 'device', verb: 'download', level: DEVICE_LEVELS.download }],
    control: [read, { area: 'device', verb: 'write', level: model.control }],
    readParameters: [read, { area: 'params', verb: 'read', level: model.parameterRead }],
    setParameters: [read, { area: 'params', verb: 'write', level: model.parameterWrite }],
  };
}

/** The rights that the levels of a role give on a device of a model. */
export function deviceRights(levels: Levels, model: ModelLevels): DeviceRights {
  const required = deviceLevels(model);
  return {
    read: meets(levels, required.read),
    edit: meets(levels, required.edit),
    download: meets(levels, required.download),
    control: meets(levels, required.control),
    readParameters: meets(levels, required.readParameters),
    setParameters: meets(levels, required.setParameters),
  };
}

/** The install date must not be before the arrival date; days as `yyyy-MM-dd`, null if unknown. */
export function datesAreInOrder(arrivalDate: string | null, installDate: string | null): boolean {
  return arrivalDate === null || installDate === null || arrivalDate <= installDate;
}

/**
 * Firmware statuses of a device between the start of a download and the end of the installation: OCPP 1.6 §7.25
 * FirmwareStatus, OCPP 2.0.1 part 2 §3.36 FirmwareStatusEnumType.
 */
export const FIRMWARE_UPDATING: ReadonlySet<string | null> = new Set([
  'Downloading',
  'DownloadPaused',
  'Downloaded',
  'SignatureVerified',
  'Installing',
  'InstallRebooting',
]);
