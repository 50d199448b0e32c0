// The whole product with one demo device and links, in a separate process, so that its memory can be measured. argv: the
// data folder. It answers every message with its memory in bytes after garbage collection.
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { startChargehand } from '../../apps/server/src/chargehand.ts';
import { readConfig } from '../../apps/server/src/platform/config/config.ts';
import { connectDatabase } from '../../apps/server/src/platform/database/connect.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';

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
  globalThis.gc?.();
  process.send?.({ memory: process.memoryUsage().rss });
});
process.send?.({ url, deviceUrl, linksPort: links.port.number });
process.on('disconnect', () => process.exit(0));

async function freePort(): Promise<number> {
  const socket = createServer().listen(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address() as AddressInfo;
  socket.close();
  await once(socket, 'close');
  return port;
}
