export type { ChargePoint } from './charge-point.ts';
export type { ConnectorStatus } from './connector.ts';
export type { ErrorCode } from './faults.ts';
export { type Fleet, type FleetOptions, type FleetSummary, startFleet } from './fleet.ts';
export type { ReceivedCall } from './inbox.ts';
export { type StorageFleet, type StorageFleetOptions, startStorageFleet } from './storage/storage-fleet.ts';
