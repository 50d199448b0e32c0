import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fastify, { type FastifyInstance } from 'fastify';
import { embeddedObjects } from '../../platform/objects/embedded/embedded.ts';
import type { ObjectStore } from '../../platform/objects/store.ts';
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

/** The embedded store on a separate folder and database, serving its part of the S3 protocol. */
export async function serveEmbeddedStore(): Promise<ServedStore> {
  const database = await createTestDatabase({ max: 8 });
  const dataFolder = await mkdtemp(join(tmpdir(), 'chargehand-objects-'));
  const buckets = { main: 'chargehand', firmware: 'chargehand-firmware' };
  const key = randomBytes(32);
  const region = 'oss-cn-hongkong';
  const { db } = database;
  const store = await embeddedObjects({ dataFolder, buckets, region, key, operator: OPERATOR, db, log: null });
  const app = fastify({ forceCloseConnections: true });
  await store.routes(app);
  const endpoint = await app.listen({ port: 0, host: '127.0.0.1' });
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
