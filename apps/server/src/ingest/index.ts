import './tables.ts';

export { frameStatements } from './frames.store.ts';
export { createPastPartitions, partitions } from './partitions/partitions.ts';
export { uplinkSink } from './sink.ts';
export { storeBatch } from './store-batch.ts';
