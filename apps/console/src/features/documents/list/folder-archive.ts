import type { PlacedFile } from '../../../shared/lib/files/dropped.ts';

/** A folder has no Markdown file. */
export class NoMarkdown extends Error {
  override name = 'NoMarkdown';
}

/**
 * A folder of Markdown files as an archive, like the one of an export: the Markdown files, and the files whose names
 * they contain. Hidden files and folders are not among them. @throws {NoMarkdown}
 */
export async function archiveOfFolder(
  chosen: readonly PlacedFile[],
  { signal, onProgress }: { signal: AbortSignal; onProgress(part: number): void },
): Promise<File> {
  const { strToU8, Zip, ZipPassThrough } = await import('fflate');
  const files = placed(chosen);
  const texts = files.filter(({ path }) => /\.md$/i.test(path));
  if (texts.length === 0) throw new NoMarkdown();
  const named = namesIn(await Promise.all(texts.map(({ file }) => file.text())));
  const packed = files.filter(({ path, file }) => /\.md$/i.test(path) || named(file.name));
  const total = packed.reduce((sum, { file }) => sum + file.size, 0);
  // The parts of a large archive are kept by the browser, not in the memory of the page.
  const parts: Blob[] = [];
  const zip = new Zip();
  zip.ondata = (error, data) => {
    if (error) throw error;
    parts.push(new Blob([data as BlobPart]));
  };
  let read = 0;
  for (const { path, file } of packed) {
    const entry = new ZipPassThrough(path);
    zip.add(entry);
    const reader = file.stream().getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      signal.throwIfAborted();
      entry.push(next.value);
      read += next.value.length;
      onProgress(read / Math.max(1, total));
    }
    entry.push(strToU8(''), true);
  }
  zip.end();
  return new File(parts, 'documents.zip', { type: 'application/zip' });
}

/** The paths of files in the folder that holds them all. */
function placed(chosen: readonly PlacedFile[]): { path: string; file: File }[] {
  const [first] = chosen[0]?.path ?? [];
  const within = first !== undefined && chosen.every(({ path }) => path[0] === first) ? 1 : 0;
  return chosen
    .map(({ file, path }) => ({ path: [...path.slice(within), file.name].join('/'), file }))
    .filter(({ path }) => !/(^|\/)(\.|__MACOSX\/)/.test(path));
}

/** Is a file named in a text, in any spelling that Markdown has for a name? */
function namesIn(texts: readonly string[]): (name: string) => boolean {
  const spellings = texts
    .flatMap((text) => [text, decoded(text), text.replaceAll('&amp;', '&'), text.replace(/\\([!-/:-@[-`{-~])/g, '$1')])
    .map(folded);
  return (name) => spellings.some((text) => text.includes(folded(name)));
}

function folded(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

/** A text with its percent signs decoded, as far as they encode something. */
function decoded(text: string): string {
  return text.replace(/(%[0-9a-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}
