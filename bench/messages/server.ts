// The product in a separate process, with a mail server. argv: the data folder, the URL of the mail server
import { startChargehand } from '../../apps/server/src/chargehand.ts';
import { readConfig } from '../../apps/server/src/platform/config/config.ts';
import { connectDatabase } from '../../apps/server/src/platform/database/connect.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';

const [folder = '', smtp = ''] = process.argv.slice(2);
const log = createLog('error');
const config = readConfig({
  PORT: '0',
  CHARGEHAND_DATA: folder,
  CHARGEHAND_DEMO: '0',
  CHARGEHAND_FTP_PORT: '0',
  CHARGEHAND_LINKS_PORT: '0',
  CHARGEHAND_MQTT_PORT: '0',
  CHARGEHAND_SHIPPED_DOCUMENTS: 'off',
  SMTP_URL: smtp,
  MAIL_FROM: 'Chargehand <no-reply@example.org>',
});
const database = connectDatabase(process.env.DATABASE_URL ?? '', { log });
await startChargehand({ ...config, logLevel: 'error' }, database, log);
process.send?.('ready');
process.on('disconnect', () => process.exit(0));
