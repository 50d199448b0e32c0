import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { copyObject } from './copy-object.ts';
import { openDisk } from './disk.ts';
import { ticketOffice } from './grants.ts';
import { multipartUploads } from './multipart.ts';
import { quotaKeeper } from './quotas.ts';
import { s3Routes } from './s3-routes.ts';
import type { ObjectStore } from './store.ts';

export interface EmbeddedOptions {
  /** absolute; objects lie in its folder `objects` */
  dataFolder: string;
  buckets: ObjectStore['buckets'];
  region: string;
  /** signs temporary credentials; the same on all nodes */
  key: Buffer;
  operator: { accessKeyId: string; secretAccessKey: string } | null;
}

/** The store of our own: objects are files, browsers and tools reach them over the S3 protocol at the console's address. */
export async function embeddedObjects(
  options: EmbeddedOptions,
): Promise<ObjectStore & { routes(app: FastifyInstance): Promise<void> }> {
  const { buckets, region, key, operator } = options;
  const names = [...new Set(Object.values(buckets))];
  const disk = await openDisk(join(options.dataFolder, 'objects'), names);
  const uploads = await multipartUploads(disk);
  const tickets = ticketOffice(key);
  const quotas = quotaKeeper(disk, uploads);
  return {
    buckets,
    region,
    endpoint: '',
    async put(place, bytes, details) {
      const draft = await disk.draft(bytes.length);
      try {
        await draft.write(bytes);
        await draft.finish(disk.path(place), details);
      } finally {
        await draft.discard();
      }
    },
    async write(place, chunks, details) {
      const draft = await disk.draft(0);
      try {
        for await (const chunk of chunks) await draft.write(chunk);
        return (await draft.finish(disk.path(place), details)).size;
      } finally {
        await draft.discard();
      }
    },
    head: disk.head,
    read: (place, range) => disk.read(place, () => range),
    async copy(from, to) {
      await copyObject(disk, from, to);
    },
    remove: disk.remove,
    async *list(bucket, prefix) {
      for await (const item of disk.list(bucket, prefix)) if ('key' in item) yield item;
    },
    async credentials(grant, seconds) {
      return tickets.issue(grant, seconds);
    },
    abandonUploads: uploads.abandon,
    async routes(app) {
      await app.register(s3Routes, { disk, uploads, quotas, buckets: names, keys: { region, tickets, operator } });
    },
  };
}
