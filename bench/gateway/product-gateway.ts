import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Pool } from 'pg';
import { announceRestart } from '../../apps/server/src/fleet/index.ts';
import type { Dialect } from '../../apps/server/src/gateways/ocpp/dialect.ts';
import { ocppGateway } from '../../apps/server/src/gateways/ocpp/index.ts';
import { partitions } from '../../apps/server/src/ingest/index.ts';
import { localBus } from '../../apps/server/src/platform/bus/local-bus.ts';
import { systemClock } from '../../apps/server/src/platform/clock.ts';
import { guessLimit } from '../../apps/server/src/platform/guess-limit.ts';
import type { Log } from '../../apps/server/src/platform/log.ts';
import type { UplinkSink } from '../../apps/server/src/ports/uplink.ts';
import { trafficMeter } from '../../apps/server/src/statistics/index.ts';

/** Makes a database ready for what devices say, as the start of the product does. */
export async function prepareIngest(pool: Pool, log: Log): Promise<void> {
  await announceRestart(pool);
  const readingDays = { raw: 400, rollups: { fiveMinutes: 400, hour: 800, day: 3_660 } };
  await partitions({ pool, clock: systemClock, log, protocolLogDays: 30, readingDays });
}

/** The product's gateway at a free port, with registrations looked up in the database and nobody unknown noted. */
export function openGateway(parts: { pool: Pool; log: Log; sink: UplinkSink; dialects: readonly Dialect[] }): void {
  const { pool, log, sink, dialects } = parts;
  const gateway = ocppGateway({
    dialects,
    sink,
    traffic: trafficMeter({ pool, log }),
    directory: {
      async find(sn) {
        const { rows } = await pool.query({
          name: 'find',
          text: `select d.id as "deviceId", d.sn, d.enabled, d.gateway_password_hash as "passwordHash", m.tolerant, null as "lastAddress", null as "silenceSeconds"
            from devices d join device_models m on m.id = d.device_model_id where lower(d.sn) = lower($1)`,
          values: [sn],
        });
        return rows[0] ?? null;
      },
      usedNewPassword: async () => undefined,
      openMatters: async () => new Map(),
      async reportUnknown() {
        return;
      },
    },
    attempts: { record: () => undefined },
    guesses: guessLimit(),
    bus: localBus((error) => log.error({ err: error }, 'bus')),
    log,
    options: { securityProfile: 0, pingSeconds: 30, frameLimitBytes: 262_144 },
  });
  const server = createServer();
  gateway.attach(server);
  server.listen(0, '127.0.0.1', 4096, () => process.send?.({ port: (server.address() as AddressInfo).port }));
}
