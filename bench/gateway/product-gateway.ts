import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Pool } from 'pg';
import { deviceDirectory } from '../../apps/server/src/fleet/index.ts';
import type { Dialect } from '../../apps/server/src/gateways/ocpp/dialect.ts';
import { ocppGateway } from '../../apps/server/src/gateways/ocpp/index.ts';
import { partitions } from '../../apps/server/src/ingest/index.ts';
import { localBus } from '../../apps/server/src/platform/bus/local-bus.ts';
import { systemClock } from '../../apps/server/src/platform/clock.ts';
import type { DatabaseConnection } from '../../apps/server/src/platform/database/connect.ts';
import { guessLimit } from '../../apps/server/src/platform/guess-limit.ts';
import type { Log } from '../../apps/server/src/platform/log.ts';
import type { UplinkSink } from '../../apps/server/src/ports/uplink.ts';
import { trafficMeter } from '../../apps/server/src/statistics/index.ts';

/** Prepares a database for device data, like the start of the product. */
export async function prepareIngest(pool: Pool, log: Log): Promise<void> {
  const readingDays = { raw: 400, rollups: { fiveMinutes: 400, hour: 800, day: 3_660 } };
  await partitions({ pool, clock: systemClock, log, protocolLogDays: 30, readingDays }).start();
}

/** The product's gateway on a free port, with the product's directory of devices. */
export function openGateway(parts: {
  database: Pick<DatabaseConnection, 'db' | 'pool'>;
  log: Log;
  sink: UplinkSink;
  dialects: readonly Dialect[];
}): void {
  const { database, log, sink, dialects } = parts;
  const { db, pool } = database;
  const gateway = ocppGateway({
    dialects,
    sink,
    traffic: trafficMeter({ pool, log }),
    directory: deviceDirectory(db),
    attempts: { record: () => undefined },
    guesses: guessLimit(),
    bus: localBus((error) => log.error({ err: error }, 'bus')),
    clock: systemClock,
    log,
    options: { securityProfile: 0, pingSeconds: 30, frameLimitBytes: 262_144 },
  });
  const server = createServer();
  gateway.attach(server);
  server.listen(0, '127.0.0.1', 4096, () => process.send?.({ port: (server.address() as AddressInfo).port }));
}
