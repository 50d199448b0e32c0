export { raiseAlarms } from './alarms/alarms.store.ts';
export { partitions } from './partitions/partitions.ts';
export { followRules, sweepRules } from './rules/sweep-rules.ts';
export { ONLY_NODE, uplinkSink } from './sink.ts';
export { updateDeviceStatuses } from './states/device-status.ts';
export { announceRestart } from './states/restart.ts';
