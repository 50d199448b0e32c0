import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { embeddedObjects } from './embedded.ts';
import type { ObjectStore } from './store.ts';

/** The store of the configuration, and what of it this process serves itself. */
export interface OpenObjects {
  store: ObjectStore;
  routes(app: FastifyInstance): Promise<void>;
  /** where browsers go besides the console's own address */
  origins: string[];
}

/** Opens the embedded store, or a real S3 service when `S3_ENDPOINT` names one; `key` signs the embedded store's tickets. */
export async function openObjects({ objects, dataFolder }: Config, key: Buffer): Promise<OpenObjects> {
  const { buckets, region, service } = objects;
  if (service === null) {
    const store = await embeddedObjects({ dataFolder, buckets, region, key, operator: objects.key });
    return { store, routes: store.routes, origins: [] };
  }
  if (objects.key === null) throw new Error('S3_ENDPOINT needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.');
  // Loaded only where it is used: the client is large.
  const { s3Objects } = await import('./s3.ts');
  const store = s3Objects({ ...service, region, buckets, key: objects.key });
  return { store, routes: async () => undefined, origins: [new URL(service.endpoint).origin] };
}
