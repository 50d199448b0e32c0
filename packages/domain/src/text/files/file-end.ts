import { endingOf, type FileFault, type FilePurpose, fileFault, SNIFFED_BYTES } from './files.ts';

/** Reads bytes of a file, both positions included; fewer when it is shorter. */
export type ReadBytes = (first: number, last: number) => Promise<Uint8Array>;

/** Why a stored file is refused: like `FileFault`, or because its end is missing. */
export type StoredFault = FileFault | 'incomplete';

/** The end of a ZIP archive with its longest comment (APPNOTE 4.3.16). Bytes. */
const TAIL_BYTES = 22 + 65_535;
/** Bytes of a picture that are read at a time. */
const PART_BYTES = 1024 * 1024;
/** A picture is read up to here; of a larger file, the last bytes decide. */
const MOST_READ = 64 * 1024 * 1024;
/** The longest directory of an archive that is read: that of an office document has some kilobytes. */
const MOST_DIRECTORY = 4 * 1024 * 1024;

/**
 * Why a file is not allowed for a purpose, by its name, size, first bytes and end: a picture, a PDF or an archive that
 * was cut off cannot be opened by anyone. Null when it is allowed. Reads at most 64 MB, once and in order.
 */
export async function storedFault(
  file: { name: string; size: number },
  purpose: FilePurpose,
  read: ReadBytes,
): Promise<StoredFault | null> {
  const head = file.size === 0 ? new Uint8Array() : await read(0, Math.min(SNIFFED_BYTES, file.size) - 1);
  const fault = fileFault({ ...file, head }, purpose);
  return fault ?? ((await isWhole(file, read)) ? null : 'incomplete');
}

/** The part of each kind of office document without which it is none (ECMA-376 part 1), in lower case. */
const MAIN_PARTS: Partial<Record<string, string>> = { docx: 'word/', xlsx: 'xl/workbook', pptx: 'ppt/presentation' };

async function isWhole({ name, size }: { name: string; size: number }, read: ReadBytes): Promise<boolean> {
  const ending = endingOf(name) ?? '';
  const tail = () => read(Math.max(0, size - TAIL_BYTES), size - 1);
  switch (ending) {
    case 'jpg':
    case 'jpeg':
      return await endsPicture(size, read);
    case 'png':
      // The last chunk has no data (PNG 11.2.5): its length, its type and its checksum.
      return find(await tail(), [0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82]) >= 0;
    case 'pdf': {
      // ISO 32000-1, 7.5.5: where the cross references are, and the mark of the end.
      const end = await tail();
      const at = find(end, codesOf('startxref'));
      return at >= 0 && find(end.subarray(at), codesOf('%%EOF')) >= 0;
    }
    case 'zip':
    case 'docx':
    case 'xlsx':
    case 'pptx':
      return await endsArchive(size, await tail(), read, MAIN_PARTS[ending]);
    default:
      return true;
  }
}

/**
 * True when the end marker of a JPEG follows its image data (ITU-T T.81, B.1.1). It is searched from the start, because
 * phones append videos, and previews inside have end markers of their own.
 */
async function endsPicture(size: number, read: ReadBytes): Promise<boolean> {
  if (size > MOST_READ) return find(await read(size - TAIL_BYTES, size - 1), [0xff, 0xd9]) >= 0;
  for (let at = 2; at + 1 < size; ) {
    const part = await read(at, Math.min(at + PART_BYTES, size) - 1);
    const next = nextMarker(part);
    if (next === 'end') return true;
    // A marker at the end of the part is read again, with what follows it.
    if (next === 0) return false;
    at += next;
  }
  return false;
}

/** `end` when a part of a picture has its end marker; otherwise where the next part begins, 0 when it has no more. */
function nextMarker(part: Uint8Array): 'end' | number {
  let at = 0;
  for (;;) {
    at = at < part.length ? part.indexOf(0xff, at) : at;
    if (at < 0) return part.length;
    const marker = part[at + 1];
    if (marker === undefined) return at;
    if (marker === 0xd9) return 'end';
    // Filling bytes, data, and markers without a length.
    if (marker === 0xff) at += 1;
    else if (marker === 0 || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd7)) at += 2;
    else if (at + 3 < part.length) at += 2 + part[at + 2]! * 256 + part[at + 3]!;
    else return at;
  }
}

/** True when the directory of an archive is complete, and has the parts of its kind of document. */
async function endsArchive(
  size: number,
  tail: Uint8Array,
  read: ReadBytes,
  mainPart: string | undefined,
): Promise<boolean> {
  const at = findLast(tail, [0x50, 0x4b, 0x05, 0x06]);
  if (at < 0 || at + 22 > tail.length) return false;
  const view = new DataView(tail.buffer, tail.byteOffset, tail.byteLength);
  const [length, offset] = [view.getUint32(at + 12, true), view.getUint32(at + 16, true)];
  const end = size - tail.length + at;
  // In an archive of more than 4 GB or 65,535 entries, another record has these numbers (APPNOTE 4.3.14).
  if (length === 0xffffffff || offset === 0xffffffff) return at >= 20 && view.getUint32(at - 20) === 0x504b0607;
  if (offset + length > end) return false;
  if (mainPart === undefined || length > MOST_DIRECTORY) return true;
  const names = length === 0 ? [] : namesIn(await read(end - length, end - 1));
  return names.includes('[content_types].xml') && names.some((name) => name.startsWith(mainPart));
}

/** The names in the directory of an archive in lower case (APPNOTE 4.3.12); those before the first broken entry. */
function namesIn(directory: Uint8Array): string[] {
  const view = new DataView(directory.buffer, directory.byteOffset, directory.byteLength);
  const names: string[] = [];
  const decoder = new TextDecoder();
  for (let at = 0; at + 46 <= directory.length && view.getUint32(at) === 0x504b0102; ) {
    const length = view.getUint16(at + 28, true);
    names.push(decoder.decode(directory.subarray(at + 46, at + 46 + length)).toLowerCase());
    at += 46 + length + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return names;
}

function codesOf(text: string): number[] {
  return Array.from(text, (letter) => letter.charCodeAt(0));
}

/** Where a few bytes are first; -1 when they are not there. */
function find(bytes: Uint8Array, wanted: readonly number[]): number {
  for (let at = bytes.indexOf(wanted[0]!); at >= 0; at = bytes.indexOf(wanted[0]!, at + 1)) {
    if (wanted.every((byte, index) => bytes[at + index] === byte)) return at;
  }
  return -1;
}

function findLast(bytes: Uint8Array, wanted: readonly number[]): number {
  for (let at = bytes.lastIndexOf(wanted[0]!); at >= 0; at = at === 0 ? -1 : bytes.lastIndexOf(wanted[0]!, at - 1)) {
    if (wanted.every((byte, index) => bytes[at + index] === byte)) return at;
  }
  return -1;
}
