import { crc32, createDeflateRaw } from 'node:zlib';

interface Entry {
  name: Buffer;
  crc: number;
  packed: number;
  size: number;
  offset: number;
}

/** A ZIP archive (APPNOTE 6.3) written as a stream: sizes follow each entry in a data descriptor. */
export function zipArchive() {
  const entries: Entry[] = [];
  let offset = 0;
  const out = (bytes: Buffer) => {
    offset += bytes.length;
    return bytes;
  };
  return {
    async *add(name: string, parts: AsyncIterable<string> | Iterable<string>): AsyncGenerator<Buffer> {
      const entry: Entry = { name: Buffer.from(name), crc: 0, packed: 0, size: 0, offset };
      entries.push(entry);
      yield out(Buffer.concat([headerOf(LOCAL, entry, true), entry.name]));
      for await (const packed of deflated(parts, entry)) yield out(packed);
      yield out(words(DESCRIPTOR, entry.crc, entry.packed, entry.size));
    },
    /** The directory of all entries at the end of the file. */
    end(): Buffer {
      const directory = Buffer.concat(entries.flatMap((entry) => [headerOf(CENTRAL, entry, false), entry.name]));
      const end = Buffer.alloc(22);
      end.writeUInt32LE(END, 0);
      end.writeUInt16LE(entries.length, 8);
      end.writeUInt16LE(entries.length, 10);
      end.writeUInt32LE(directory.length, 12);
      end.writeUInt32LE(offset, 16);
      return Buffer.concat([directory, end]);
    },
  };
}

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const DESCRIPTOR = 0x08074b50;
const END = 0x06054b50;
/** Version 2.0; sizes in a descriptor (bit 3), names in UTF-8 (bit 11); deflate; 1980-01-01, the format's first day. */
const NEEDED = 20;
const FLAGS = 0x0808;
const DEFLATE = 8;
const FIRST_DAY = 0x21;

function headerOf(kind: typeof LOCAL | typeof CENTRAL, entry: Entry, sizesFollow: boolean): Buffer {
  const central = kind === CENTRAL;
  const header = Buffer.alloc(central ? 46 : 30);
  header.writeUInt32LE(kind, 0);
  let at = 4;
  if (central) {
    header.writeUInt16LE(NEEDED, at);
    at += 2;
  }
  for (const value of [NEEDED, FLAGS, DEFLATE, 0, FIRST_DAY]) {
    header.writeUInt16LE(value, at);
    at += 2;
  }
  for (const value of sizesFollow ? [0, 0, 0] : [entry.crc, entry.packed, entry.size]) {
    header.writeUInt32LE(value, at);
    at += 4;
  }
  header.writeUInt16LE(entry.name.length, at);
  if (central) header.writeUInt32LE(entry.offset, 42);
  return header;
}

function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => {
    bytes.writeUInt32LE(value, index * 4);
  });
  return bytes;
}

/** Compresses parts as they arrive, and counts the bytes in and out. */
async function* deflated(parts: AsyncIterable<string> | Iterable<string>, entry: Entry): AsyncGenerator<Buffer> {
  const deflate = createDeflateRaw({ level: 6 });
  const feed = (async () => {
    for await (const part of parts) {
      const bytes = Buffer.from(part);
      entry.crc = crc32(bytes, entry.crc);
      entry.size += bytes.length;
      if (!deflate.write(bytes)) await new Promise<void>((resolve) => deflate.once('drain', resolve));
    }
    deflate.end();
  })().catch((error: unknown) => {
    deflate.destroy(error instanceof Error ? error : new Error(String(error)));
  });
  for await (const packed of deflate) {
    entry.packed += packed.length;
    yield packed;
  }
  await feed;
}
