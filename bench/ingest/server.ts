// The product's gateway, ingest, alarms and rollups, as the process that runs them does.
//   argv: milliseconds by which the rollups are ahead of time, so that a short run rolls up, too
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';
import { ocppGateway } from '../../apps/server/src/gateways/ocpp/index.ts';
import { OCPP16 } from '../../apps/server/src/gateways/ocpp16/index.ts';
import { announceRestart, partitions, uplinkSink } from '../../apps/server/src/ingest/index.ts';
import { localBus } from '../../apps/server/src/platform/bus/local-bus.ts';
import { connectDatabase } from '../../apps/server/src/platform/database/connect.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';
import type { UplinkSink } from '../../apps/server/src/ports/uplink.ts';
import { trafficMeter } from '../../apps/server/src/statistics/index.ts';
import { rollups } from '../../apps/server/src/telemetry/index.ts';

const ahead = Number(process.argv[2] ?? 0);
const log = createLog('warn');
const { pool } = connectDatabase(process.env.DATABASE_URL ?? '', { max: 12, log });
await announceRestart(pool);
const readingDays = { raw: 400, rollups: { fiveMinutes: 400, hour: 800, day: 3_660 } };
await partitions({ pool, log, protocolLogDays: 30, readingDays });
const metrics = new Registry();
const stored = uplinkSink({ pool, log, metrics, changes: { changed: () => undefined }, onAnswer: async () => [] });

/** Milliseconds from the receipt of readings until they are stored, since they were last asked for. */
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
const gateway = ocppGateway({
  dialects: [OCPP16],
  sink,
  traffic: trafficMeter({ pool, log }),
  directory: {
    async find(sn) {
      const { rows } = await pool.query({
        name: 'find',
        text: `select d.id as "deviceId", d.sn, d.enabled, d.gateway_password_hash as "passwordHash", m.tolerant
          from devices d join device_models m on m.id = d.device_model_id where lower(d.sn) = lower($1)`,
        values: [sn],
      });
      return rows[0] ?? null;
    },
    async reportUnknown() {
      return;
    },
  },
  bus: localBus((error) => log.error({ err: error }, 'bus')),
  log,
  options: { securityProfile: 0, pingSeconds: 30, frameLimitBytes: 262_144 },
});
rollups({ pool, log, now: () => new Date(Date.now() + ahead) }).start();
const server = createServer();
gateway.attach(server);
server.listen(0, '127.0.0.1', 4096, () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('message', async (message) => {
  globalThis.gc?.();
  if (message !== 'figures') return process.send?.('collected');
  const sorted = Float64Array.from(times).sort();
  const shed = (await metrics.getSingleMetric('chargehand_ingest_shed_total')?.get())?.values[0]?.value ?? 0;
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  process.send?.({ values, shed, p50: at(0.5), p99: at(0.99), rss: process.memoryUsage().rss });
  times = [];
});
process.on('SIGINT', () => process.exit(0));
