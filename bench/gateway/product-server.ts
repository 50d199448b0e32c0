// The product's gateway and ingest, set up as in the product's process, to compare with the floor.

import { OCPP16 } from '../../apps/server/src/gateways/ocpp16/index.ts';
import { OCPP21 } from '../../apps/server/src/gateways/ocpp21/index.ts';
import { OCPP201 } from '../../apps/server/src/gateways/ocpp201/index.ts';
import { uplinkSink } from '../../apps/server/src/ingest/index.ts';
import { systemClock } from '../../apps/server/src/platform/clock.ts';
import { connectDatabase } from '../../apps/server/src/platform/database/connect.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';
import { openGateway, prepareIngest } from './product-gateway.ts';

const log = createLog('warn');
const database = connectDatabase(process.env.DATABASE_URL ?? '', { max: 10, log });
const { pool } = database;
await prepareIngest(pool, log);
const sink = uplinkSink({
  pool,
  clock: systemClock,
  log,
  events: { publish: () => undefined },
  onAnswer: async () => [],
});
openGateway({ database, log, sink, dialects: [OCPP16, OCPP201, OCPP21] });
process.on('message', () => {
  globalThis.gc?.();
  process.send?.('collected');
});
process.on('SIGINT', () => process.exit(0));
