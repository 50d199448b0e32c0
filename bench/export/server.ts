// The product in a separate process, so that its memory can be measured. Takes the database URL and a folder for files;
// prints its own address.
import { startChargehand } from '../../apps/server/src/chargehand.ts';
import { readConfig } from '../../apps/server/src/platform/config/config.ts';
import { connectDatabase } from '../../apps/server/src/platform/database/connect.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';

const [url = '', dataFolder = ''] = process.argv.slice(2);
const settings = readConfig({ CHARGEHAND_DEMO: '0', CHARGEHAND_CAPTCHA: 'off', PORT: '0' });
const product = await startChargehand(
  { ...settings, dataFolder, logLevel: 'silent' },
  connectDatabase(url, { max: 10 }),
  createLog('silent'),
);
process.send?.({ url: product.url });
process.on('message', (wish) => {
  if (wish === 'rest') globalThis.gc?.();
  process.send?.({ rss: process.memoryUsage().rss });
});
