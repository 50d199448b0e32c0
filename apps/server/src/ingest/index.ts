import './tables.ts';

export { frameStatements } from './batch/frames.store.ts';
export { storeBatch } from './batch/store-batch.ts';
export { createPastPartitions, partitions } from './partitions/partitions.ts';
export { uplinkSink } from './sink.ts';
