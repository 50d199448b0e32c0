import type { Disk } from './disk.ts';
import { S3Problem } from './s3-problem.ts';
import type { ObjectFacts, Place } from './store.ts';

/** Copies an object; answers what it is at its new place. @throws S3Problem NoSuchKey */
export async function copyObject(disk: Disk, from: Place, to: Place): Promise<ObjectFacts> {
  const source = await disk.read(from);
  if (!source) throw new S3Problem('NoSuchKey');
  const draft = await disk.draft(source.facts.size);
  try {
    for await (const chunk of source.body) await draft.write(chunk);
    const { contentType, contentDisposition, metadata, etag } = source.facts;
    return await draft.finish(disk.path(to), { contentType, contentDisposition, metadata }, { etag });
  } finally {
    source.body.destroy();
    await draft.discard();
  }
}
