import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import type { Config } from '../config/config.ts';
import { connectSeparately } from '../database/connect.ts';
import type { Log } from '../log.ts';
import { embeddedObjects } from './embedded/embedded.ts';
import type { ObjectStore } from './store.ts';

/** The configured store, and the parts of it that this process serves itself. */
export interface OpenObjects {
  store: ObjectStore;
  routes(app: FastifyInstance): Promise<void>;
  /** the origins that browsers use besides the console's own */
  origins: string[];
  stop(): Promise<void>;
}

/** What the embedded store needs from the process: a key to sign its temporary credentials, the database, the log. */
interface Means {
  key: Buffer;
  pool: Pool;
  log: Log;
}

/** The index of the embedded store is written while callers hold transactions, so it has its own connections. */
const INDEX_CONNECTIONS = 3;

/** Opens the embedded store, or a real S3 service when `S3_ENDPOINT` names one. */
export async function openObjects({ objects, dataFolder }: Config, means: Means): Promise<OpenObjects> {
  const { buckets, region, service } = objects;
  if (service === null) {
    const { key, pool, log } = means;
    const { db, close } = connectSeparately(pool, INDEX_CONNECTIONS);
    const store = await embeddedObjects({ key, db, log, dataFolder, buckets, region, operator: objects.key });
    return { store, routes: store.routes, origins: [], stop: close };
  }
  if (objects.key === null) throw new Error('S3_ENDPOINT needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.');
  // Loaded only when it is used, because the client is large.
  const { s3Objects } = await import('./service/s3-objects.ts');
  const store = s3Objects({ ...service, region, buckets, key: objects.key });
  return {
    store,
    routes: async () => undefined,
    stop: async () => undefined,
    origins: [new URL(service.endpoint).origin],
  };
}
