import type { ListedObject } from './store.ts';

/** The keys of objects that were stored before a time, in batches of at most `size`. */
export async function* oldObjects(
  objects: AsyncIterable<ListedObject>,
  before: Date,
  size: number,
): AsyncGenerator<string[]> {
  let batch: string[] = [];
  for await (const { key, modifiedAt } of objects) {
    if (modifiedAt < before) batch.push(key);
    if (batch.length === size) {
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}
