import type { Readable } from 'node:stream';
import { SNIFFED_BYTES } from '@chargehand/domain';
import { Problem } from '../http/problem.ts';
import type { ObjectStore } from './store.ts';

/** The parts of uploads that arrive one after the other, as objects below `prefix`. */
export function partObjects(store: ObjectStore, prefix: string) {
  const at = (key: string) => ({ bucket: store.buckets.main, key });
  const partsOf = (id: string) => store.list(store.buckets.main, `${prefix}${id}/`);
  return {
    prefix,

    /** The upload of a part's key. */
    uploadOf: (key: string): string => key.slice(prefix.length).split('/')[0] ?? '',

    /** Removes one part by its key. */
    removeKey: (key: string): Promise<void> => store.remove(at(key)),

    /** Removes the parts of an upload. */
    async remove(id: string): Promise<void> {
      for await (const { key } of partsOf(id)) await store.remove(at(key));
    },

    /** The bytes of all parts, in their order. */
    async *content(id: string): AsyncGenerator<Buffer> {
      for await (const { key } of partsOf(id)) {
        const part = await store.read(at(key));
        if (!part) throw new Error('a part of an upload is missing');
        yield* part.body as AsyncIterable<Buffer>;
      }
    },

    /**
     * Stores the part at an offset, completely or not at all. @returns its first bytes, by which content is detected
     * @throws {Problem} badBody if the body is not as long as announced
     */
    async write(id: string, offset: number, announced: number, body: Readable): Promise<Buffer> {
      let head = Buffer.alloc(0);
      const checked = async function* () {
        let bytes = 0;
        for await (const chunk of body as AsyncIterable<Buffer>) {
          if (head.length < SNIFFED_BYTES) head = Buffer.concat([head, chunk]).subarray(0, SNIFFED_BYTES);
          bytes += chunk.length;
          yield chunk;
        }
        // Otherwise an aborted part would be stored as a whole one.
        if (bytes !== announced) throw new Problem('badBody');
      };
      const key = `${prefix}${id}/${String(offset).padStart(16, '0')}`;
      await store.write(at(key), checked(), { contentType: 'application/octet-stream' });
      return head;
    },
  };
}
