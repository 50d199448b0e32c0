// The whole product with one demo device and links, in a separate process, so that its memory can be measured. argv: the
// data folder. It answers every message with its memory in bytes after garbage collections (RSS, and what objects and
// buffers use), and its CPU time in seconds before and after them.
import { startChargehand } from '../../apps/server/src/chargehand.ts';
import { readConfig } from '../../apps/server/src/platform/config/config.ts';
import { connectDatabase } from '../../apps/server/src/platform/database/connect.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';
import { collectLessOften } from '../../apps/server/src/platform/memory/garbage-collection.ts';
import { freePort } from '../../apps/server/src/testing/deployment/free-port.ts';

collectLessOften();
const [folder = ''] = process.argv.slice(2);
const log = createLog('error');
const config = readConfig({
  PORT: '0',
  CHARGEHAND_DATA: folder,
  CHARGEHAND_CAPTCHA: 'off',
  CHARGEHAND_DEMO_DEVICES: '1',
  CHARGEHAND_DEMO_HISTORY: 'off',
  CHARGEHAND_FTP_PORT: '0',
  CHARGEHAND_MQTT_PORT: '0',
});
const database = connectDatabase(process.env.DATABASE_URL ?? '', { log });
const links = { ...config.links, port: { number: await freePort(), required: true } };
const { url, deviceUrl } = await startChargehand({ ...config, links, logLevel: 'error' }, database, log);
process.on('message', () => {
  const cpuBefore = cpuSeconds();
  // Also returns unused memory to the system, as Node does when it is idle for a longer time.
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send?.({ rss, used: heapUsed + external, cpuBefore, cpu: cpuSeconds() });
});
process.send?.({ url, deviceUrl, linksPort: links.port.number });
process.on('disconnect', () => process.exit(0));

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
