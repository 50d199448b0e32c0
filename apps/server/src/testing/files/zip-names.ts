import { buffer } from 'node:stream/consumers';
import { fromBufferPromise } from 'yauzl';

/** The texts in a zip archive by their paths, in the order of the paths. */
export async function namesOfZip(bytes: Buffer): Promise<Record<string, string>> {
  return Object.fromEntries(Object.entries(await bytesOfZip(bytes)).map(([path, content]) => [path, String(content)]));
}

/** The files in a zip archive by their paths, in the order of the paths. */
export async function bytesOfZip(bytes: Buffer): Promise<Record<string, Buffer>> {
  const archive = await fromBufferPromise(bytes);
  const found: [string, Buffer][] = [];
  for await (const entry of archive.eachEntry()) {
    found.push([entry.fileName, await buffer(await archive.openReadStreamPromise(entry))]);
  }
  return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}
