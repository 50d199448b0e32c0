import { crc32 } from 'node:zlib';

/** A file of an archive. Its size is known before its content. */
export interface ZipFile {
  /** with `/` between folders */
  path: string;
  /** less than 4 GB */
  size: number;
  at: Date;
  open(): Promise<AsyncIterable<Buffer>>;
}

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const DESCRIPTOR = 0x08074b50;
const END = 0x06054b50;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
/** The checksum follows the content (bit 3), names are UTF-8 (bit 11). */
const FLAGS = 0x0808;
/** Version 4.5: archives of more than 4 GB. */
const NEEDED = 45;
/** In place of a number that does not fit into 32 bits. */
const TOO_LARGE = 0xffffffff;
const SIZES = { local: 30, descriptor: 16, central: 46, end: 22, end64: 56, locator64: 20, offset64: 12 } as const;

/**
 * A ZIP archive (APPNOTE 6.3) of uncompressed files as a stream: what people share is mostly compressed already. Its
 * length is known in advance, so that a browser shows the progress and notices a broken download.
 */
export function storedZip(files: readonly ZipFile[]): { length: number; bytes(): AsyncGenerator<Buffer> } {
  let end = 0;
  const entries = files.map((file) => {
    const name = Buffer.from(file.path);
    const offset = end;
    end += SIZES.local + name.length + file.size + SIZES.descriptor;
    return { file, name, offset, crc: 0 };
  });
  type Entry = (typeof entries)[number];
  const centralSize = ({ name, offset }: Entry) =>
    SIZES.central + name.length + (offset >= TOO_LARGE ? SIZES.offset64 : 0);
  const directory = entries.reduce((sum, entry) => sum + centralSize(entry), 0);
  const isLarge = end >= TOO_LARGE;
  const length = end + directory + (isLarge ? SIZES.end64 + SIZES.locator64 : 0) + SIZES.end;

  /** The fields that both headers of a file have, from its flags to the length of its name. */
  const common = (entry: Entry, crc: number, size: number) =>
    fields([2, FLAGS], [2, 0], [4, dosTime(entry.file.at)], [4, crc], [4, size], [4, size], [2, entry.name.length]);

  const central = (entry: Entry) => {
    const { name, offset, crc, file } = entry;
    const extra = offset >= TOO_LARGE ? fields([2, 1], [2, 8], [8, offset]) : Buffer.alloc(0);
    return Buffer.concat([
      fields([4, CENTRAL], [2, NEEDED], [2, NEEDED]),
      common(entry, crc, file.size),
      fields([2, extra.length], [2, 0], [2, 0], [2, 0], [4, 0], [4, Math.min(offset, TOO_LARGE)]),
      name,
      extra,
    ]);
  };

  return {
    length,
    /** @throws {Error} if the content of a file is not as long as announced */
    async *bytes() {
      for (const entry of entries) {
        // The size is also in the first header, for readers that do not know the end of the archive yet.
        yield Buffer.concat([
          fields([4, LOCAL], [2, NEEDED]),
          common(entry, 0, entry.file.size),
          fields([2, 0]),
          entry.name,
        ]);
        let size = 0;
        for await (const chunk of await entry.file.open()) {
          entry.crc = crc32(chunk, entry.crc);
          size += chunk.length;
          yield chunk;
        }
        if (size !== entry.file.size)
          throw new Error(`a file of an archive has ${size} bytes instead of ${entry.file.size}`);
        yield fields([4, DESCRIPTOR], [4, entry.crc], [4, size], [4, size]);
      }
      for (const entry of entries) yield central(entry);
      const count = entries.length;
      if (isLarge) {
        yield fields(
          [4, END_64],
          [8, SIZES.end64 - 12],
          [2, NEEDED],
          [2, NEEDED],
          [4, 0],
          [4, 0],
          [8, count],
          [8, count],
        );
        yield fields([8, directory], [8, end]);
        yield fields([4, LOCATOR_64], [4, 0], [8, end + directory], [4, 1]);
      }
      yield fields(
        [4, END],
        [2, 0],
        [2, 0],
        [2, count],
        [2, count],
        [4, directory],
        [4, Math.min(end, TOO_LARGE)],
        [2, 0],
      );
    },
  };
}

/** Numbers with their lengths in bytes, in little-endian order. */
function fields(...numbers: readonly (readonly [bytes: 2 | 4 | 8, value: number])[]): Buffer {
  const out = Buffer.alloc(numbers.reduce((sum, [bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [bytes, value] of numbers) {
    if (bytes === 8) out.writeBigUInt64LE(BigInt(value), at);
    else if (bytes === 4) out.writeUInt32LE(value, at);
    else out.writeUInt16LE(value, at);
    at += bytes;
  }
  return out;
}

/** A time in the format of MS-DOS: in steps of two seconds, from 1980, here in UTC. */
function dosTime(at: Date): number {
  const year = Math.max(1980, at.getUTCFullYear());
  const date = ((year - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate();
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  return date * 0x10000 + time;
}
