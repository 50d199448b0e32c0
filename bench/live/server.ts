// The whole product with registered demo devices, in a separate process, so that its CPU time can be measured. argv:
// number of registered demo devices, the data folder
import { startChargehand } from '../../apps/server/src/chargehand.ts';
import { readConfig } from '../../apps/server/src/platform/config/config.ts';
import { connectDatabase } from '../../apps/server/src/platform/database/connect.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';

const [devices = '1', folder = ''] = process.argv.slice(2);
const log = createLog('error');
const config = readConfig({
  PORT: '0',
  CHARGEHAND_DATA: folder,
  CHARGEHAND_DEMO_DEVICES: devices,
  CHARGEHAND_DEMO_HISTORY: 'off',
  CHARGEHAND_FTP_PORT: '0',
  CHARGEHAND_LINKS_PORT: '0',
  CHARGEHAND_MQTT_PORT: '0',
});
const database = connectDatabase(process.env.DATABASE_URL ?? '', { log });
const { url, deviceUrl } = await startChargehand({ ...config, logLevel: 'error' }, database, log);
process.send?.({ url, deviceUrl });
process.on('disconnect', () => process.exit(0));
