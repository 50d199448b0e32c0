// The whole product in a process of its own, to compare with the floor. It listens as in production.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChargehand } from '../../apps/server/src/chargehand.ts';
import { readConfig } from '../../apps/server/src/platform/config/config.ts';
import { connectDatabase } from '../../apps/server/src/platform/database/connect.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';

const folder = mkdtempSync(join(tmpdir(), 'chargehand-bench-product-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const config = readConfig({
  PORT: '0',
  HOST: '127.0.0.1',
  CHARGEHAND_DATA: folder,
  CHARGEHAND_DEMO: '0',
  CHARGEHAND_FTP_PORT: '0',
  CHARGEHAND_LINKS_PORT: '0',
  CHARGEHAND_MQTT_PORT: '0',
  CHARGEHAND_SHIPPED_DOCUMENTS: 'off',
});
const log = createLog('error');
const database = connectDatabase(process.env.DATABASE_URL ?? '', { log, max: config.database.connections });
const { port } = await startChargehand({ ...config, logLevel: 'error' }, database, log);
process.send?.({ port });
process.on('message', () => {
  globalThis.gc?.();
  process.send?.('collected');
});
process.on('SIGINT', () => process.exit(0));
process.on('disconnect', () => process.exit(0));
