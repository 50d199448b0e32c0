import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Kysely } from 'kysely';
import type { Database } from '../../database/schema.ts';
import type { Log } from '../../log.ts';
import { S3Problem } from '../protocol/problem.ts';
import { s3Routes } from '../protocol/routes.ts';
import type { ObjectFacts, ObjectStore } from '../store.ts';
import { copyObject } from './copy-object.ts';
import { openDisk } from './disk.ts';
import { isHashed } from './disk-names.ts';
import { credentialIssuer } from './grants.ts';
import { multipartUploads } from './multipart.ts';
import { objectIndex } from './object-index.ts';
import { quotaTracker } from './quotas.ts';
import { reindexer } from './reindex.ts';

/** The number of keys that are read at a time. */
const PAGE = 1_000;

export interface EmbeddedOptions {
  /** absolute; objects are in its folder `objects` */
  dataFolder: string;
  buckets: ObjectStore['buckets'];
  region: string;
  /** signs temporary credentials; stays the same */
  key: Buffer;
  operator: { accessKeyId: string; secretAccessKey: string } | null;
  /** contains the index of the keys */
  db: Kysely<Database>;
  log: Log | null;
}

/**
 * The embedded object store: objects are files, and browsers and tools use it over the S3 protocol at the console's
 * address.
 */
export async function embeddedObjects(
  options: EmbeddedOptions,
): Promise<ObjectStore & { routes(app: FastifyInstance): Promise<void> }> {
  const { buckets, region, key, operator } = options;
  const names = [...new Set(Object.values(buckets))];
  const index = objectIndex(options.db);
  const disk = await openDisk(join(options.dataFolder, 'objects'), names, index);
  const reindex = reindexer(disk, index, options.log);
  for (const bucket of names) {
    await reindex.settlePending(bucket);
    const known = await index.page({ bucket, prefix: '', after: '', delimiter: '', limit: 1 });
    if (known.length === 0) await reindex.addUnknownFiles(bucket);
  }
  const uploads = await multipartUploads(disk);
  const tickets = credentialIssuer(key);
  const quotas = quotaTracker(disk, uploads);
  /** Runs in the background: only a restored backup needs it, so no request waits for it. */
  const compareAll = async (stop: AbortSignal) => {
    try {
      for (const bucket of names) {
        await reindex.removeLostKeys(bucket, stop);
        await reindex.addUnknownFiles(bucket, stop);
      }
    } catch (error) {
      if (!stop.aborted) options.log?.error({ err: error }, 'the index of the object store could not be checked');
    }
  };
  return {
    buckets,
    region,
    endpoint: '',
    async put(place, bytes, details) {
      const draft = await disk.draft(bytes.length);
      try {
        await draft.write(bytes);
        await disk.store(place, draft, details);
      } finally {
        await draft.discard();
      }
    },
    async write(place, chunks, details) {
      const draft = await disk.draft(0);
      try {
        for await (const chunk of chunks) await draft.write(chunk);
        return (await disk.store(place, draft, details)).size;
      } finally {
        await draft.discard();
      }
    },
    head: disk.head,
    read: (place, range) => disk.read(place, () => range),
    async copy(from, to) {
      await copyObject(disk, from, to);
    },
    async move(from, to, etag) {
      if (!isHashed(to.key)) return await disk.move(from, to, etag);
      // The file contains its key, so it has to be written again.
      const require = (isMet: boolean) => {
        if (!isMet) throw new S3Problem('PreconditionFailed');
      };
      const conditions = {
        ofSource: (found: ObjectFacts | null) => require(found?.etag === etag),
        ofTarget: (found: ObjectFacts | null) => require(found === null),
      };
      const copied = await copyObject(disk, from, to, conditions).catch(ifNotMet);
      if (copied) await disk.remove(from);
      return copied !== undefined;
    },
    remove: (place) => disk.remove(place),
    async *list(bucket, prefix) {
      for (let after = '', more = true; more; ) {
        const page = await disk.page({ bucket, prefix, after, delimiter: '', limit: PAGE });
        for (const item of page.items) {
          if (!('key' in item)) continue;
          yield item;
          after = item.key;
        }
        more = page.more;
      }
    },
    async credentials(grant, seconds) {
      return tickets.issue(grant, seconds);
    },
    abandonUploads: uploads.abandon,
    async routes(app) {
      await s3Routes(app, { disk, uploads, quotas, buckets: names, keys: { region, tickets, operator } });
      const stop = new AbortController();
      let reindexing: Promise<void> = Promise.resolve();
      app.addHook('onReady', async () => {
        reindexing = compareAll(stop.signal);
      });
      app.addHook('onClose', async () => {
        stop.abort();
        await reindexing;
      });
    },
  };
}

/** Undefined when there is no such object, or a condition is not met. Other errors are thrown. */
function ifNotMet(error: unknown): undefined {
  if (!(error instanceof S3Problem) || !['NoSuchKey', 'PreconditionFailed'].includes(error.code)) throw error;
}
