import { type Entry, fromBufferPromise, type ZipFile } from 'yauzl';

/** An .xlsx file has some twenty parts. No spreadsheet program writes more than this. */
const MOST_PARTS = 2_000;

/** Why a file cannot be read as a spreadsheet. */
export class UnreadableSheet extends Error {
  override name = 'UnreadableSheet';
  /** it is a spreadsheet, but would use too much memory */
  readonly inflates: boolean;

  constructor(message: string, inflates = false) {
    super(message);
    this.inflates = inflates;
  }
}

export interface Archive {
  has(path: string): boolean;
  paths(): string[];
  /** A part as text. @throws UnreadableSheet when it is missing, or all parts that were read exceed the limit */
  read(path: string): Promise<string>;
  /** The same in pieces; reading it again does not count again. */
  pieces(path: string): AsyncIterable<string>;
}

/**
 * The parts of a ZIP file by path. The declared sizes are not trusted: bytes are counted while they are decompressed,
 * and a file beyond the limit is refused. @throws UnreadableSheet
 */
export async function openArchive(file: Buffer, inflatedLimit: number): Promise<Archive> {
  const { zip, entries } = await readable(() => entriesOf(file));
  let left = inflatedLimit;
  const counted = new Map<string, number>();
  async function* pieces(path: string): AsyncGenerator<string> {
    const entry = entries.get(path);
    if (!entry) throw new UnreadableSheet(`there is no part ${path}`);
    const decoder = new TextDecoder();
    let length = 0;
    for await (const part of await zip.openReadStreamPromise(entry)) {
      const bytes = part as Buffer;
      length += bytes.length;
      const before = counted.get(path) ?? 0;
      if (length > before) {
        left -= length - before;
        counted.set(path, length);
      }
      if (left < 0) throw new UnreadableSheet('the parts of the file are too long', true);
      yield decoder.decode(bytes, { stream: true });
    }
    yield decoder.decode();
  }
  return {
    has: (path) => entries.has(path),
    paths: () => [...entries.keys()],
    pieces,
    read(path) {
      return readable(async () => {
        let text = '';
        for await (const piece of pieces(path)) text += piece;
        return text;
      });
    },
  };
}

async function entriesOf(file: Buffer): Promise<{ zip: ZipFile; entries: Map<string, Entry> }> {
  const zip = await fromBufferPromise(file, { lazyEntries: true, autoClose: false });
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    if (entries.size === MOST_PARTS) throw new UnreadableSheet('the file has too many parts', true);
    entries.set(entry.fileName, entry);
  }
  return { zip, entries };
}

/** Any error of the library means that the file is invalid. */
async function readable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UnreadableSheet) throw error;
    throw new UnreadableSheet(error instanceof Error ? error.message : String(error));
  }
}
