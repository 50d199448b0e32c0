export type { ErrorCode } from './behaviour/faults.ts';
export { type Fleet, type FleetOptions, type FleetSummary, prepareFleet, startFleet } from './fleet.ts';
export type { ChargePoint } from './ocpp16/charge-point.ts';
export type { ConnectorStatus } from './ocpp16/connector.ts';
export { readRecording } from './replay/recording.ts';
export { replay } from './replay/replay.ts';
export { type StorageFleet, type StorageFleetOptions, startStorageFleet } from './storage/storage-fleet.ts';
export type { ReceivedCall } from './wire/inbox.ts';
