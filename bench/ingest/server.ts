// The product's gateway, ingest, alarms, rollups and events of applications, set up as in the product's process. argv: milliseconds by which
// the rollups run ahead of time, so that a short run includes them

import { Registry } from 'prom-client';
import { applicationEvents } from '../../apps/server/src/applications/index.ts';
import { OCPP16 } from '../../apps/server/src/gateways/ocpp16/index.ts';
import { uplinkSink } from '../../apps/server/src/ingest/index.ts';
import { clockAt, systemClock } from '../../apps/server/src/platform/clock.ts';
import { connectDatabase } from '../../apps/server/src/platform/database/connect.ts';
import { outbound } from '../../apps/server/src/platform/http/outbound/outbound.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';
import type { UplinkSink } from '../../apps/server/src/ports/uplink.ts';
import { rollups } from '../../apps/server/src/telemetry/index.ts';
import { openGateway, prepareIngest } from '../gateway/product-gateway.ts';
import { BENCH_KEY } from './key.ts';

const ahead = Number(process.argv[2] ?? 0);
const log = createLog('warn');
const database = connectDatabase(process.env.DATABASE_URL ?? '', { max: 12, log });
const { db, pool } = database;
await prepareIngest(pool, log);
const metrics = new Registry();
const stored = uplinkSink({
  pool,
  clock: systemClock,
  log,
  metrics,
  events: { publish: () => undefined },
  onAnswer: async () => [],
});

/** Milliseconds from the receipt of readings until they are stored, since the last request. */
let times: number[] = [];
let values = 0;
const sink: UplinkSink = {
  async submit(deviceId, events) {
    const from = performance.now();
    const result = await stored.submit(deviceId, events);
    const readings = events.filter((event) => event.kind === 'reading');
    if (readings.length > 0) times.push(performance.now() - from);
    for (const reading of readings) values += reading.values.length;
    return result;
  },
};
openGateway({ database, log, sink, dialects: [OCPP16] });
const delivering = await applicationEvents.open({
  ...{ db, pool, log, clock: systemClock, secret: async () => BENCH_KEY },
  outbound: outbound({ allowsPrivate: true }),
});
await delivering.start?.();
rollups({ pool, log, clock: clockAt(() => new Date(Date.now() + ahead)) }).start();
process.on('message', async (message) => {
  globalThis.gc?.();
  if (message !== 'figures') return process.send?.('collected');
  const sorted = Float64Array.from(times).sort();
  const shed = (await metrics.getSingleMetric('chargehand_ingest_shed_total')?.get())?.values[0]?.value ?? 0;
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  const peak = process.resourceUsage().maxRSS * 1024;
  process.send?.({ values, shed, p50: at(0.5), p99: at(0.99), rss: process.memoryUsage().rss, peak });
  times = [];
});
process.on('SIGINT', () => process.exit(0));
