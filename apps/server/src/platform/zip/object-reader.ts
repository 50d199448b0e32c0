import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { RandomAccessReader } from 'yauzl';
import type { ObjectStore, Place } from '../objects/store.ts';

/** What is read at once for the many small fields of an archive. Bytes. */
const WINDOW = 256 * 1024;

/** Reads an archive where it is in the object store: no copy on disk, and no more memory than one window. */
export class ObjectReader extends RandomAccessReader {
  readonly #store: ObjectStore;
  readonly #place: Place;
  readonly #size: number;
  #window: { start: number; bytes: Buffer } = { start: 0, bytes: Buffer.alloc(0) };

  constructor(store: ObjectStore, place: Place, size: number) {
    super();
    this.#store = store;
    this.#place = place;
    this.#size = size;
  }

  override _readStreamForRange(start: number, end: number): Readable {
    const part = () => this.#part(start, end);
    const bytes = async function* () {
      yield* await part();
    };
    return Readable.from(bytes(), { objectMode: false });
  }

  override read(
    target: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    this.#bytes(position, length).then(
      (bytes) => {
        bytes.copy(target, offset);
        callback(null);
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error))),
    );
  }

  async #bytes(position: number, length: number): Promise<Buffer> {
    const { start, bytes } = this.#window;
    if (position < start || position + length > start + bytes.length) {
      const end = Math.min(this.#size, position + Math.max(length, WINDOW));
      this.#window = { start: position, bytes: await buffer(await this.#part(position, end)) };
    }
    const from = position - this.#window.start;
    const found = this.#window.bytes.subarray(from, from + length);
    if (found.length < length) throw new Error('the archive is shorter than expected');
    return found;
  }

  async #part(start: number, end: number): Promise<Readable> {
    const found = await this.#store.read(this.#place, { first: start, last: end - 1 });
    if (!found) throw new Error('the archive is no longer in the object store');
    return found.body;
  }
}
