// The product in a process of its own, so that its memory is its own: given the database's
// address and a folder for its files, it prints its own.
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
