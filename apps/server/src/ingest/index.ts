export { raiseAlarms } from './alarms.store.ts';
export { updateDeviceStatuses } from './device-status.ts';
export { partitions } from './partitions.ts';
export { announceRestart } from './restart.ts';
export { followRules, sweepRules } from './rules/sweep-rules.ts';
export { ONLY_NODE, uplinkSink } from './sink.ts';
