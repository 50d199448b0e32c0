import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify, { type FastifyInstance } from 'fastify';
import { embeddedObjects } from '../../platform/objects/embedded/embedded.ts';
import type { ObjectStore } from '../../platform/objects/store.ts';
import { type TlsOptions, tlsServer } from '../../platform/tls/tls-server.ts';
import { createTestDatabase, type TestDatabase } from '../database/database.ts';

/** The operator's own key of a store under test. */
export const OPERATOR = { accessKeyId: 'operator', secretAccessKey: 'a-secret-of-the-operator' };

export interface ServedStore {
  store: ObjectStore;
  /** the address of its S3 protocol */
  endpoint: string;
  operator: typeof OPERATOR;
  app: FastifyInstance;
  /** the folder of its objects */
  folder: string;
  /** signs its temporary credentials */
  key: Buffer;
  /** contains the index of its keys */
  db: TestDatabase['db'];
  stop(): Promise<void>;
}

/** The embedded store on a separate folder and database, serving its part of the S3 protocol, also over TLS. */
export async function serveEmbeddedStore(https?: TlsOptions): Promise<ServedStore> {
  const database = await createTestDatabase({ max: 8 });
  const dataFolder = await mkdtemp(join(tmpdir(), 'chargehand-objects-'));
  const buckets = { main: 'chargehand', firmware: 'chargehand-firmware' };
  const key = randomBytes(32);
  const region = 'oss-cn-hongkong';
  const { db } = database;
  const store = await embeddedObjects({ dataFolder, buckets, region, key, operator: OPERATOR, db, log: null });
  const app: FastifyInstance = fastify({
    forceCloseConnections: true,
    ...(https ? { serverFactory: (handler: RequestListener) => tlsServer(https, handler) } : {}),
  });
  await store.routes(app);
  const { host } = new URL(await app.listen({ port: 0, host: '127.0.0.1' }));
  const endpoint = `${https ? 'https' : 'http'}://${host}`;
  return {
    store,
    endpoint,
    operator: OPERATOR,
    app,
    folder: join(dataFolder, 'objects'),
    key,
    db,
    async stop() {
      await app.close();
      await database.drop();
      // An aborted upload may still be removing its own file.
      await rm(dataFolder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}
