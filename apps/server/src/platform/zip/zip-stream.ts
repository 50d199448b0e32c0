import { type PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

/** A file of an archive. */
export interface ZipPart {
  /** with `/` between folders */
  path: string;
  /** read when the parts before it have been written */
  content: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;
  /** it is compressed already, such as a picture, so little work is spent on it */
  packed?: boolean;
}

/** The first day of the format: the time of a file is not exported, so that the same content gives the same archive. */
const FIRST_DAY = new Date(1980, 0, 1);

/**
 * A ZIP archive as a stream, in bounded memory: the next part is requested when the one before it has been read. An error
 * of a part aborts the archive. When the archive is not read to its end, neither is the part.
 */
export async function* zipStream(parts: AsyncIterable<ZipPart> | Iterable<ZipPart>): AsyncGenerator<Buffer> {
  const zip = new ZipFile();
  const archive = zip.outputStream as PassThrough;
  const fail = (error: unknown) => {
    archive.destroy(error instanceof Error ? error : new Error(String(error)));
  };
  zip.on('error', fail);
  const write = async () => {
    for await (const { path, content, packed = false } of parts) {
      if (archive.destroyed) return;
      const source = Readable.from(content, { objectMode: false });
      const stop = () => source.destroy();
      archive.once('close', stop);
      const compressionLevel = packed ? 1 : 6;
      zip.addReadStream(source, path, { mtime: FIRST_DAY, forceDosTimestamp: true, compressionLevel });
      await finished(source);
      archive.off('close', stop);
    }
    zip.end();
  };
  void write().catch(fail);
  yield* archive;
}
