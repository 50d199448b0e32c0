// A process that runs products for journeys, so that they do not share the event loop with the test and the browser's
// driver. HTTP requests start and stop products (product-process.ts). It writes its port to standard output.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { deserialize } from 'node:v8';
import { type Chargehand, startChargehand } from '../../apps/server/src/chargehand.ts';
import type { Config } from '../../apps/server/src/platform/config/config.ts';
import { connectDatabase, type DatabaseConnection } from '../../apps/server/src/platform/database/connect.ts';
import { createLog } from '../../apps/server/src/platform/log.ts';
import type { Certificate } from '../../apps/server/src/platform/tls/certificate.ts';
import type { Addresses, StartOrder } from './product-process.ts';

/** Timeout to connect on a busy machine; milliseconds. */
const CONNECT_MS = 60_000;

interface Running {
  config: Config;
  certificate: Certificate | null;
  database: DatabaseConnection;
  chargehand: Chargehand;
}

const products = new Map<string, Running>();
let last = 0;

const server = createServer(async (request, response) => {
  try {
    const result = await handle(request);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result));
  } catch (error) {
    response.writeHead(500).end(error instanceof Error ? error.stack : String(error));
  }
});
server.listen(0, '127.0.0.1', () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
// The run that started this process has ended, for any reason.
process.on('disconnect', () => process.exit(0));

async function handle(request: IncomingMessage): Promise<unknown> {
  const [, id = '', action] = request.url?.split('/') ?? [];
  const running = products.get(id);
  if (request.method === 'POST' && id === '') {
    const { databaseUrl, config, certificate } = deserialize(await buffer(request)) as StartOrder;
    const database = connectDatabase(databaseUrl, { max: 8, connectTimeout: CONNECT_MS });
    const chargehand = await startChargehand(config, database, createLog(config.logLevel), certificate);
    last += 1;
    products.set(String(last), { config, certificate, database, chargehand });
    return addresses(String(last), chargehand);
  }
  if (!running) throw new Error(`There is no product ${id}.`);
  if (request.method === 'POST' && action === 'restart') {
    const { config, certificate, database, chargehand } = running;
    await chargehand.stop();
    running.chargehand = await startChargehand(
      { ...config, port: chargehand.port },
      database,
      createLog(config.logLevel),
      certificate,
    );
    return addresses(id, running.chargehand);
  }
  if (request.method === 'DELETE') {
    products.delete(id);
    await running.chargehand.stop();
    await running.database.close();
    return null;
  }
  throw new Error(`${request.method} ${request.url} is unknown.`);
}

function addresses(id: string, { url, deviceUrl, mqttUrl, port }: Chargehand): Addresses {
  return { id, url, deviceUrl, mqttUrl, port };
}
