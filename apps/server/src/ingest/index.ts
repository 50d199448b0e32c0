import './tables.ts';

export { storeBatch } from './batch/store-batch.ts';
export { createPastPartitions, partitions } from './partitions/partitions.ts';
export { uplinkSink } from './sink.ts';
