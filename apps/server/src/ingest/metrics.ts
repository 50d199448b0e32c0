import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** The metrics of the ingest. Without a registry they are not published. */
export function ingestMetrics(registry: Registry = new Registry()) {
  const registers = [registry];
  return {
    queuedBytes: new Gauge({
      name: 'chargehand_ingest_queued_bytes',
      help: 'Approximate bytes that wait to be stored',
      registers,
    }),
    batch: new Histogram({
      name: 'chargehand_ingest_batch_submissions',
      help: 'Submissions stored in one transaction',
      buckets: [1, 4, 16, 64, 256, 1_024, 4_096],
      registers,
    }),
    commit: new Histogram({
      name: 'chargehand_ingest_commit_duration_seconds',
      help: 'Time to store one batch',
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
      registers,
    }),
    stored: new Histogram({
      name: 'chargehand_ingest_stored_duration_seconds',
      help: 'Time from the reception of a message to its commit',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60],
      registers,
    }),
    shed: new Counter({
      name: 'chargehand_ingest_shed_total',
      help: 'Telemetry refused because too much was waiting',
      registers,
    }),
    retries: new Counter({
      name: 'chargehand_ingest_retries_total',
      help: 'Batches that were retried',
      registers,
    }),
    refused: new Counter({
      name: 'chargehand_ingest_refused_total',
      help: 'Submissions that cannot be stored',
      registers,
    }),
  };
}
