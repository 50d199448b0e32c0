import type { SystemFigures } from '@chargehand/domain';
import type { MetricObjectWithValues, MetricValue, Registry } from 'prom-client';

/** What one measurement reads of the metrics. Counters are compared with the previous measurement. */
export interface Reading {
  /** milliseconds of a clock that only goes forward */
  at: number;
  gauges: ReadonlyMap<string, number>;
  histograms: ReadonlyMap<string, HistogramReading>;
}

interface HistogramReading {
  count: number;
  sum: number;
  /** counts up to each upper bound, ascending */
  buckets: readonly (readonly [bound: number, count: number])[];
}

/** Reads all metrics of a process: the numbers that `/metrics` publishes. */
export async function readMetrics(registry: Registry, at: number): Promise<Reading> {
  const gauges = new Map<string, number>();
  const histograms = new Map<string, HistogramReading>();
  const metrics = (await registry.getMetricsAsJSON()) as MetricObjectWithValues<MetricValue<string>>[];
  for (const { name, type, values } of metrics) {
    if (String(type) === 'histogram') histograms.set(name, histogramOf(name, values));
    else for (const { value, labels } of values) gauges.set(nameWith(name, labels), value);
  }
  return { at, gauges, histograms };
}

function nameWith(name: string, labels: Partial<Record<string, string | number>>): string {
  const [value] = Object.values(labels);
  return value === undefined ? name : `${name}:${value}`;
}

function histogramOf(name: string, values: readonly MetricValue<string>[]): HistogramReading {
  const reading = { count: 0, sum: 0, buckets: new Map<number, number>() };
  for (const { value, labels, metricName } of values as (MetricValue<string> & { metricName?: string })[]) {
    if (metricName === `${name}_sum`) reading.sum += value;
    else if (metricName === `${name}_count`) reading.count += value;
    else {
      const bound = labels.le === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels.le);
      reading.buckets.set(bound, (reading.buckets.get(bound) ?? 0) + value);
    }
  }
  return { ...reading, buckets: [...reading.buckets].toSorted(([a], [b]) => a - b) };
}

/** The figures of a reading; rates and times are those since the previous one. */
export function figuresOf(now: Reading, before: Reading | null): SystemFigures {
  const gauge = (name: string) => now.gauges.get(name) ?? null;
  const since = (name: string) => difference(now.histograms.get(name), before?.histograms.get(name));
  const seconds = before === null ? 0 : (now.at - before.at) / 1_000;
  const batches = since('chargehand_ingest_batch_submissions');
  const stored = since('chargehand_ingest_stored_duration_seconds');
  const queries = since('chargehand_database_query_duration_seconds');
  const busy = gauge('chargehand_database_connections:busy');
  return {
    connectedDevices: gauge('chargehand_connected_devices'),
    ocppConnections: gauge('chargehand_ocpp_connections'),
    mqttConnections: gauge('chargehand_mqtt_connections'),
    liveStreams: gauge('chargehand_live_streams'),
    openLinks: gauge('chargehand_open_links'),
    messagesPerSecond: seconds > 0 && batches ? Math.max(0, batches.sum) / seconds : null,
    storedMs: meanMs(stored),
    storedMsP95: quantileMs(stored, 0.95),
    queuedBytes: gauge('chargehand_ingest_queued_bytes'),
    queueDelayMs: milliseconds(gauge('chargehand_ingest_delay_seconds')),
    refusedTelemetry: gauge('chargehand_ingest_shed_total'),
    waitingCommands: gauge('chargehand_waiting_commands'),
    waitingMails: gauge('chargehand_waiting_mails'),
    failedMails: gauge('chargehand_failed_mails'),
    waitingSends: gauge('chargehand_waiting_message_sends'),
    readingMarks: gauge('chargehand_reading_marks'),
    databaseBytes: gauge('chargehand_database_size_bytes'),
    databaseBusy: busy,
    databaseConnections: gauge('chargehand_database_connections_max'),
    databaseWaiting: gauge('chargehand_database_waiting_requests'),
    queryMs: meanMs(queries),
    queryMsP95: quantileMs(queries, 0.95),
    databaseClockSeconds: gauge('chargehand_database_clock_offset_seconds'),
    objectBytes: gauge('chargehand_stored_objects_bytes'),
    diskFreeBytes: gauge('chargehand_data_folder_free_bytes'),
    diskBytes: gauge('chargehand_data_folder_size_bytes'),
    memoryBytes: gauge('process_resident_memory_bytes'),
    heapBytes: gauge('nodejs_heap_size_used_bytes'),
    eventLoopMs: milliseconds(gauge('nodejs_eventloop_lag_p99_seconds')),
  };
}

function milliseconds(seconds: number | null): number | null {
  return seconds === null || !Number.isFinite(seconds) ? null : seconds * 1_000;
}

function difference(now: HistogramReading | undefined, before: HistogramReading | undefined): HistogramReading | null {
  if (!now || !before) return null;
  return {
    count: now.count - before.count,
    sum: now.sum - before.sum,
    buckets: now.buckets.map(([bound, count], at) => [bound, count - (before.buckets[at]?.[1] ?? 0)]),
  };
}

function meanMs(reading: HistogramReading | null): number | null {
  return reading && reading.count > 0 ? (reading.sum / reading.count) * 1_000 : null;
}

/** The upper bound of the bucket that contains the quantile; the largest bound for everything beyond it. */
function quantileMs(reading: HistogramReading | null, quantile: number): number | null {
  if (!reading || reading.count <= 0) return null;
  const wanted = reading.count * quantile;
  const bounds = reading.buckets.filter(([bound]) => Number.isFinite(bound));
  const [bound] = bounds.find(([, count]) => count >= wanted) ?? bounds.at(-1) ?? [];
  return bound === undefined ? null : bound * 1_000;
}
