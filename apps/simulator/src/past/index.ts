export { Random } from '../behaviour/random.ts';
export { bootNotification } from '../identity/identity.ts';
export { MEASURANDS, meterValue } from '../ocpp16/transactions/meter-values.ts';
export { meterValues as meterValues201 } from '../ocpp201/meter-values.ts';
export { faultData, stoppedReasonOf } from '../ocpp201/outbox.ts';
export type { StorageState } from '../storage/battery.ts';
export { activityOf, encodeMetrics, measures } from '../storage/metrics.ts';
export {
  drawPast,
  type Interruption,
  type PastFault,
  type PastSession,
  type StationPast,
} from './station-past.ts';
export { drawStoragePast, type StoragePast } from './storage-past.ts';
