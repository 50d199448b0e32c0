import { S3Problem } from '../protocol/problem.ts';
import type { ObjectDetails, ObjectFacts, Place } from '../store.ts';
import type { Condition, Disk } from './disk.ts';

/**
 * Copies an object and returns the details of the copy. `details` replaces the metadata.
 * @throws S3Problem NoSuchKey, and what the conditions on the source and the target throw
 */
export async function copyObject(
  disk: Disk,
  from: Place,
  to: Place,
  options: { details?: ObjectDetails | undefined; ofSource?: Condition; ofTarget?: Condition } = {},
): Promise<ObjectFacts> {
  const source = await disk.read(from, (facts) => {
    options.ofSource?.(facts);
    return undefined;
  });
  if (!source) throw new S3Problem('NoSuchKey');
  try {
    const { size, etag, modifiedAt: _, ...kept } = source.facts;
    const draft = await disk.draft(size, { hashed: false });
    try {
      for await (const chunk of source.body) await draft.write(chunk);
      return await disk.store(to, draft, options.details ?? kept, { etag, condition: options.ofTarget });
    } finally {
      await draft.discard();
    }
  } finally {
    source.body.destroy();
  }
}
