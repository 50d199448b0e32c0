import { randomBytes } from 'node:crypto';
import type { StorageCredential, WithDates } from '@chargehand/contract';
import { FILE_RULES, LARGEST_UPLOAD, UPLOAD_FOLDERS, type UploadFolder } from '@chargehand/domain';
import type { Kysely } from 'kysely';
import type { Database } from '../platform/database/schema.ts';
import type { Caller } from '../platform/http/caller.ts';
import type { Grant, ObjectStore, Quota } from '../platform/objects/store.ts';
import { customersSeen } from './files.store.ts';
import {
  CUSTOMER_IMAGES,
  imagesOf,
  incomingPrefixesOf,
  incomingPrefixOf,
  PLATFORM_IMAGES,
  PUBLIC,
  QUARANTINE,
} from './places.ts';
import type { UploadLimits } from './upload-limits.ts';

/** How long credentials are valid. They cannot be revoked, so a signed-out user can read for this long. */
const SECONDS = 3_600;
/**
 * The number of prefixes in one set of credentials: S3 limits inline policies to 2048 characters. Credentials for
 * further customers are requested by id.
 */
const MOST_PREFIXES = 30;

/**
 * The maximum of waiting uploads of one user by folder: enough for a session's work, but not a general store. Documents
 * include attachments of up to 2 GB, of which whole folders are uploaded.
 */
const USER_QUOTAS: Record<UploadFolder, Omit<Quota, 'prefix'>> = {
  images: { bytes: 1024 ** 3, objects: 200 },
  document: { bytes: 16 * 1024 ** 3, objects: 2_000 },
};
/** The maximum for a report without an account: a few pictures. */
const ANONYMOUS_QUOTA = { bytes: 5 * FILE_RULES.image.limit, objects: 5 };
/** The maximum number of waiting uploads of all reports without an account. */
const QUARANTINE_QUOTA = { bytes: 1024 ** 3, objects: 1_000 };

export type CredentialsService = ReturnType<typeof credentialsService>;

/** Temporary credentials for the object store: which user gets which prefixes, in which mode (spec §7, `oss/sts`). */
export function credentialsService(parts: { db: Kysely<Database>; store: ObjectStore; limits: UploadLimits }) {
  const { db, store, limits } = parts;

  const issue = async (grant: Omit<Grant, 'bucket'>): Promise<WithDates<StorageCredential>> => {
    const bucket = store.buckets.main;
    const keys = await store.credentials({ ...grant, bucket }, SECONDS);
    return {
      accessKeyId: keys.accessKeyId,
      accessKeySecret: keys.secretAccessKey,
      securityToken: keys.sessionToken,
      expiration: keys.expiration,
      bucket,
      region: store.region,
      endpoint: store.endpoint,
      prefixes: [...grant.prefixes],
    };
  };

  return {
    /**
     * The pictures of the customers in scope, of the user, and of objects without a customer. An object of a customer
     * can be read only with its random name, which only rows in scope contain: these credentials cannot list objects.
     */
    async read(caller: Caller, customerId: number | undefined): Promise<WithDates<StorageCredential>> {
      if (customerId !== undefined) return await issue({ mode: 'read', prefixes: [imagesOf(customerId)] });
      const seen = await customersSeen(db, caller.scope);
      const own = [...new Set([caller.customerId, ...(seen === 'all' ? [] : seen)])].slice(0, MOST_PREFIXES - 1);
      return await issue({
        mode: 'read',
        prefixes: [...(seen === 'all' ? [CUSTOMER_IMAGES] : own.map(imagesOf)), PLATFORM_IMAGES],
      });
    },

    async write(caller: Caller): Promise<WithDates<StorageCredential>> {
      const prefixes = incomingPrefixesOf(caller.userId);
      const quotas = UPLOAD_FOLDERS.map((folder) => ({
        prefix: incomingPrefixOf(folder, caller.userId),
        ...USER_QUOTAS[folder],
      }));
      return await issue({ mode: 'write', prefixes, limits: { objectBytes: LARGEST_UPLOAD, quotas } });
    },

    async readAnonymous(): Promise<WithDates<StorageCredential>> {
      return await issue({ mode: 'read', prefixes: [PUBLIC] });
    },

    /** @throws {Problem} tooManyRequests */
    async writeAnonymous(address: string): Promise<WithDates<StorageCredential>> {
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
