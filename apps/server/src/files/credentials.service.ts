import { randomBytes } from 'node:crypto';
import type { StorageCredential } from '@chargehand/contract';
import { FILE_RULES, LARGEST_UPLOAD } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import type { Caller } from '../platform/http/caller.ts';
import type { Grant, ObjectStore } from '../platform/objects/store.ts';
import { customersSeen } from './files.store.ts';
import { arrivalsOf, imagesOf, KEPT_IMAGES, PLATFORM_IMAGES, PUBLIC, QUARANTINE } from './places.ts';
import type { UploadLimits } from './upload-limits.ts';

/** How long credentials hold. They cannot be taken back, so that this is how long somebody signed out still reads. */
const SECONDS = 3_600;
/** Prefixes that one set of keys can carry: S3 limits inline policies to 2048 characters. Further customers are asked for by id. */
const MOST_PREFIXES = 30;

/** What one user may have waiting at once: a visit's work, no store of their own. */
const USER_QUOTA = { bytes: 1024 ** 3, objects: 200 };
/** One report without an account: a handful of pictures. */
const ANONYMOUS_QUOTA = { bytes: 5 * FILE_RULES.image.limit, objects: 5 };
/** All reports without an account that wait at once. */
const QUARANTINE_QUOTA = { bytes: 1024 ** 3, objects: 1_000 };

export type CredentialsService = ReturnType<typeof credentialsService>;

/** Temporary keys to the object store: who gets which prefixes, in which mode (spec §7, `oss/sts`). */
export function credentialsService(parts: { db: Kysely<Database>; store: ObjectStore; limits: UploadLimits }) {
  const { db, store, limits } = parts;

  const issue = async (grant: Omit<Grant, 'bucket'>): Promise<StorageCredential> => {
    const bucket = store.buckets.main;
    const keys = await store.credentials({ ...grant, bucket }, SECONDS);
    return {
      accessKeyId: keys.accessKeyId,
      accessKeySecret: keys.secretAccessKey,
      securityToken: keys.sessionToken,
      expiration: keys.expiration.toISOString(),
      bucket,
      region: store.region,
      endpoint: store.endpoint,
      prefixes: [...grant.prefixes],
    };
  };

  return {
    /**
     * The pictures of the customers in scope, of one's own, and of what belongs to none. Within a customer an object is found by its name alone,
     * which is made of chance and told only by rows in scope: these keys list nothing.
     */
    async read(caller: Caller, customerId: number | undefined): Promise<StorageCredential> {
      if (customerId !== undefined) return await issue({ mode: 'read', prefixes: [imagesOf(customerId)] });
      const seen = await customersSeen(db, caller.scope);
      const own = [...new Set([caller.customerId, ...(seen === 'all' ? [] : seen)])].slice(0, MOST_PREFIXES - 1);
      return await issue({
        mode: 'read',
        prefixes: [...(seen === 'all' ? [KEPT_IMAGES] : own.map(imagesOf)), PLATFORM_IMAGES],
      });
    },

    async write(caller: Caller): Promise<StorageCredential> {
      const prefixes = arrivalsOf(caller.userId);
      const quotas = prefixes.map((prefix) => ({ prefix, ...USER_QUOTA }));
      return await issue({ mode: 'write', prefixes, limits: { objectBytes: LARGEST_UPLOAD, quotas } });
    },

    async readAnonymous(): Promise<StorageCredential> {
      return await issue({ mode: 'read', prefixes: [PUBLIC] });
    },

    /** @throws {Problem} tooManyRequests */
    async writeAnonymous(address: string): Promise<StorageCredential> {
      await limits.count(address);
      const prefix = `${QUARANTINE}${randomBytes(16).toString('hex')}/`;
      const quotas = [
        { prefix, ...ANONYMOUS_QUOTA },
        { prefix: QUARANTINE, ...QUARANTINE_QUOTA },
      ];
      return await issue({
        mode: 'write',
        prefixes: [prefix],
        limits: { objectBytes: FILE_RULES.image.limit, quotas },
      });
    },
  };
}
