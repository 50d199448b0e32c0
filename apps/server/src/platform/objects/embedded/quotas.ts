import { S3Problem } from '../protocol/problem.ts';
import type { Grant } from '../store.ts';
import type { Disk } from './disk.ts';
import type { MultipartUploads } from './multipart.ts';

/** Space that is reserved for a running upload; `release` it when the upload is stored or failed. */
export interface Reservation {
  release(): void;
}

/**
 * Limits uploads to their grant. Running uploads count as stored, so that many at once cannot exceed a limit that one
 * of them could not.
 */
export function quotaTracker(disk: Disk, uploads: MultipartUploads) {
  const underWay = new Set<{ bucket: string; key: string; bytes: number }>();
  return {
    /** @throws S3Problem EntityTooLarge, QuotaExceeded */
    async reserve(grant: Grant, key: string, bytes: number): Promise<Reservation> {
      const { bucket, limits } = grant;
      if (!limits) return { release: () => undefined };
      if (bytes > limits.objectBytes) throw new S3Problem('EntityTooLarge');
      const upload = { bucket, key, bytes };
      const release = () => {
        underWay.delete(upload);
      };
      underWay.add(upload);
      try {
        for (const quota of limits.quotas.filter(({ prefix }) => key.startsWith(prefix))) {
          const stored = await disk.usage(bucket, quota.prefix);
          const waiting = await uploads.waiting(bucket, quota.prefix);
          const others = [...underWay].filter((one) => one.bucket === bucket && one.key.startsWith(quota.prefix));
          const total = stored.bytes + waiting.bytes + others.reduce((sum, one) => sum + one.bytes, 0);
          if (total > quota.bytes || stored.objects + waiting.objects + others.length > quota.objects)
            throw new S3Problem('QuotaExceeded');
        }
      } catch (error) {
        release();
        throw error;
      }
      return { release };
    },
  };
}
export type QuotaTracker = ReturnType<typeof quotaTracker>;
