import './tables.ts';

export { partitions } from './partitions/partitions.ts';
export { uplinkSink } from './sink.ts';
export { storeBatch } from './store-batch.ts';
