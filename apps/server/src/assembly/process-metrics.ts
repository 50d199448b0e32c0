import { statfs } from 'node:fs/promises';
import { Gauge, Histogram, type Registry } from 'prom-client';
import type { DatabaseConnection } from '../platform/database/connect.ts';

/** Upper bounds in seconds: a lookup takes a millisecond, a statement is cancelled after 30 s. */
const QUERY_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5, 30];

/** Metrics of the process and of what it depends on: version, database connections and queries, free disk space. */
export function processMetrics(parts: {
  registry: Registry;
  database: DatabaseConnection;
  dataFolder: string;
  version: string;
  /** receives the time of each query, in milliseconds */
  onQuery(text: string, ms: number): void;
}): void {
  const { registry, dataFolder, version } = parts;
  const { pool } = parts.database;
  const registers = [registry];
  new Gauge({
    name: 'chargehand_build_info',
    help: '1; the labels are the versions of the product and of Node.',
    labelNames: ['version', 'node'] as const,
    registers,
  }).set({ version, node: process.versions.node }, 1);
  new Gauge({
    name: 'chargehand_database_connections',
    help: 'Connections of the pool to the database, by state (idle, busy).',
    labelNames: ['state'] as const,
    registers,
    collect() {
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
    },
  });
  new Gauge({
    name: 'chargehand_database_connections_max',
    help: 'Connections that the pool may have: the setting, or fewer while the database server refuses more.',
    registers,
    collect() {
      this.set(pool.options.max);
    },
  });
  new Gauge({
    name: 'chargehand_database_waiting_requests',
    help: 'Requests that wait for a free connection to the database.',
    registers,
    collect() {
      this.set(pool.waitingCount);
    },
  });
  const queries = new Histogram({
    name: 'chargehand_database_query_duration_seconds',
    help: 'Time from a query to its result.',
    buckets: QUERY_BUCKETS,
    registers,
  });
  pool.onQuery = (seconds, text) => {
    queries.observe(seconds);
    parts.onQuery(text, seconds * 1_000);
  };
  new Gauge({
    name: 'chargehand_data_folder_free_bytes',
    help: 'Free space of the disk of the data folder, for this account.',
    registers,
    async collect() {
      const { bavail, bsize } = await statfs(dataFolder);
      this.set(bavail * bsize);
    },
  });
  new Gauge({
    name: 'chargehand_data_folder_size_bytes',
    help: 'Size of the disk of the data folder.',
    registers,
    async collect() {
      const { blocks, bsize } = await statfs(dataFolder);
      this.set(blocks * bsize);
    },
  });
}
