// The product's gateway and ingest, as the process that runs them does, beside the floor.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ocppGateway } from '../../apps/server/src/gateways/ocpp/index.ts';
import { OCPP16 } from '../../apps/server/src/gateways/ocpp16/index.ts';
import { OCPP201 } from '../../apps/server/src/gateways/ocpp201/index.ts';
import { announceRestart, partitions, uplinkSink } from '../../apps/server/src/ingest/index.ts';
import { localBus } from '../../apps/server/src/platform/bus/local-bus.ts';
import { connectDatabase } from '../../apps/server/src/platform/database/connect.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';
import { trafficMeter } from '../../apps/server/src/statistics/index.ts';

const log = createLog('warn');
const { pool } = connectDatabase(process.env.DATABASE_URL ?? '', { max: 10, log });
await announceRestart(pool);
const readingDays = { raw: 400, rollups: { fiveMinutes: 400, hour: 800, day: 3_660 } };
await partitions({ pool, log, protocolLogDays: 30, readingDays });
const sink = uplinkSink({ pool, log, changes: { changed: () => undefined }, onAnswer: async () => [] });
const gateway = ocppGateway({
  dialects: [OCPP16, OCPP201],
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
const server = createServer();
gateway.attach(server);
server.listen(0, '127.0.0.1', 4096, () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('message', () => {
  globalThis.gc?.();
  process.send?.('collected');
});
process.on('SIGINT', () => process.exit(0));
