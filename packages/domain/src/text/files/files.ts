/** The allowed files (spec §9, "upload defaults"), by the purpose of the upload. */
export interface FileRule {
  /** bytes */
  limit: number;
  /** extensions without the dot, in lower case */
  endings: readonly string[];
}

const MB = 1024 * 1024;

const IMAGES = ['jpg', 'jpeg', 'png'] as const;
const FILES = ['doc', 'docx', 'xls', 'xlsx', 'ppt', 'pptx', 'pdf', 'txt', 'zip', 'rar', '7z'] as const;
const VIDEOS = ['mp4', '3gp'] as const;

/** Sizes and types of spec §9. */
export const FILE_RULES = {
  image: { limit: 20 * MB, endings: IMAGES },
  file: { limit: 100 * MB, endings: FILES },
  video: { limit: 200 * MB, endings: VIDEOS },
  icon: { limit: 500 * 1024, endings: IMAGES },
  json: { limit: 5 * MB, endings: ['json'] },
  /** files in the list of attachments: all of the above, logs and tables */
  attachment: { limit: 2048 * MB, endings: [...IMAGES, ...FILES, ...VIDEOS, 'json', 'log', 'csv', 'md', 'gz'] },
} as const satisfies Record<string, FileRule>;
export type FilePurpose = keyof typeof FILE_RULES;

/** The largest allowed upload. Bytes. */
export const LARGEST_UPLOAD = Math.max(...Object.values(FILE_RULES).map(({ limit }) => limit));

/**
 * How many bytes of a part of a text are whole: up to the end of the last line, or of the last character (UTF-8) if the
 * part has no line end. At least one byte, so that reading in parts always ends.
 */
export function wholeText(part: Uint8Array): number {
  const line = part.lastIndexOf(0x0a) + 1;
  if (line > 0 || part.length === 0) return line;
  // A character has at most four bytes; all but its first are 10xxxxxx.
  for (let back = 1; back <= Math.min(4, part.length); back += 1) {
    const byte = part[part.length - back]!;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back && back < part.length ? part.length - back : part.length;
  }
  return part.length;
}

/** How many bytes at the start of a file are used to detect its content. */
export const SNIFFED_BYTES = 512;

/** The content of a file, according to its first bytes. Current office files are zip, old ones are ole. */
type Content = 'jpeg' | 'png' | 'pdf' | 'zip' | 'ole' | 'rar' | '7z' | 'gzip' | 'mp4' | 'text';

/**
 * First bytes by kind of content, with their position `at`. Sources: the specifications of the formats, as in file(1).
 */
const SIGNATURES: readonly { content: Content; at: number; bytes: readonly number[] }[] = [
  { content: 'jpeg', at: 0, bytes: [0xff, 0xd8, 0xff] },
  { content: 'png', at: 0, bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { content: 'pdf', at: 0, bytes: [0x25, 0x50, 0x44, 0x46, 0x2d] },
  { content: 'zip', at: 0, bytes: [0x50, 0x4b, 0x03, 0x04] },
  { content: 'zip', at: 0, bytes: [0x50, 0x4b, 0x05, 0x06] },
  { content: 'ole', at: 0, bytes: [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1] },
  { content: 'rar', at: 0, bytes: [0x52, 0x61, 0x72, 0x21, 0x1a, 0x07] },
  { content: '7z', at: 0, bytes: [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c] },
  { content: 'gzip', at: 0, bytes: [0x1f, 0x8b, 0x08] },
  // ISO base media (ISO/IEC 14496-12): the first box is `ftyp`, after its length. 3gp is one of its brands.
  { content: 'mp4', at: 4, bytes: [0x66, 0x74, 0x79, 0x70] },
];

/** The required content for each extension. */
const CONTENT_OF: Record<string, Content> = {
  jpg: 'jpeg',
  jpeg: 'jpeg',
  png: 'png',
  pdf: 'pdf',
  zip: 'zip',
  docx: 'zip',
  xlsx: 'zip',
  pptx: 'zip',
  doc: 'ole',
  xls: 'ole',
  ppt: 'ole',
  rar: 'rar',
  '7z': '7z',
  mp4: 'mp4',
  '3gp': 'mp4',
  gz: 'gzip',
  txt: 'text',
  json: 'text',
  log: 'text',
  csv: 'text',
  md: 'text',
};

/** Media types by extension, as sent to browsers. */
const MEDIA_TYPES: Record<string, string> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  pdf: 'application/pdf',
  txt: 'text/plain; charset=utf-8',
  json: 'application/json',
  zip: 'application/zip',
  mp4: 'video/mp4',
  '3gp': 'video/3gpp',
};

/** What a file becomes in the text of a document, by its extension. */
export function contentPurpose(name: string): 'image' | 'video' | 'file' {
  const ending = endingOf(name);
  const has = ({ endings }: FileRule) => ending !== null && endings.includes(ending);
  if (has(FILE_RULES.image)) return 'image';
  return has(FILE_RULES.video) ? 'video' : 'file';
}

/** Why a file is rejected. */
export type FileFault =
  /** the name has no extension */
  | 'nameless'
  /** the purpose does not allow the extension */
  | 'type'
  /** the content does not match the extension */
  | 'content'
  | 'tooLarge'
  | 'empty';

/** The properties of a file that both sides check: the browser before the upload, the server for the stored file. */
export interface FileFacts {
  name: string;
  /** bytes */
  size: number;
  /** its first `SNIFFED_BYTES`, or fewer when the file is shorter */
  head: Uint8Array;
}

/**
 * Why a file is not allowed for a purpose; null when it is. The content is checked, not only the name (spec §5, §9).
 */
export function fileFault(file: FileFacts, purpose: FilePurpose): FileFault | null {
  const rule: FileRule = FILE_RULES[purpose];
  const ending = endingOf(file.name);
  if (ending === null) return 'nameless';
  if (!rule.endings.includes(ending)) return 'type';
  if (file.size === 0) return 'empty';
  if (file.size > rule.limit) return 'tooLarge';
  return contentOf(file.head) === CONTENT_OF[ending] && hasStructure(file, ending) ? null : 'content';
}

/** Documents that are ZIP archives of parts (ECMA-376 part 2). */
const PACKAGES: readonly string[] = ['docx', 'xlsx', 'pptx'];
/** Parts with which such an archive begins: the list of types, relations, or parts of these folders. */
const PACKAGE_PARTS = /^(\[Content_Types\]\.xml|_rels\/|docProps\/|customXml\/|word\/|xl\/|ppt\/)/;
/** The smallest file of each content: its headers, and for an archive the end of its directory. Bytes. */
const SMALLEST: Partial<Record<Content, number>> = { zip: 22, ole: 512, rar: 20, '7z': 32, gzip: 18, mp4: 16 };

/** True unless the first bytes or the size show that a file is cut off or is another kind of archive. */
function hasStructure({ head, size }: FileFacts, ending: string): boolean {
  const content = CONTENT_OF[ending];
  if (content !== undefined && size < (SMALLEST[content] ?? 0)) return false;
  if (!PACKAGES.includes(ending)) return true;
  // A local header has 30 bytes, then the name of the entry (APPNOTE 4.3.7).
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  if (head.length <= 30 || view.getUint32(0) !== 0x504b0304) return false;
  const name = new TextDecoder().decode(head.subarray(30, 30 + view.getUint16(26, true)));
  return PACKAGE_PARTS.test(name);
}

/**
 * The extension of a file name in lower case, without its dot; null when there is none. A leading dot marks a hidden
 * file, not an extension.
 */
export function endingOf(name: string): string | null {
  const base = name.slice(name.lastIndexOf('/') + 1);
  const ending = /^.+\.([^.]+)$/su.exec(base)?.[1];
  return ending === undefined ? null : ending.toLowerCase();
}

/** The media type of a file name; `application/octet-stream` for unknown extensions. */
export function mediaTypeOf(name: string): string {
  return MEDIA_TYPES[endingOf(name) ?? ''] ?? 'application/octet-stream';
}

/**
 * The content according to the first bytes of a file, null when unknown. Text is valid UTF-8 without control
 * characters.
 */
export function contentOf(head: Uint8Array): Content | null {
  const known = SIGNATURES.find(({ at, bytes }) => bytes.every((byte, index) => head[at + index] === byte));
  if (known) return known.content;
  return isText(head) ? 'text' : null;
}

function isText(head: Uint8Array): boolean {
  if (head.length === 0) return false;
  try {
    // `stream` tolerates a character that is cut at `SNIFFED_BYTES`.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    // Tab, line breaks and form feeds (U+0009 to U+000D) are allowed in text.
    return !/(?![\t-\r])\p{Cc}/u.test(text);
  } catch {
    // Not UTF-8, so not treated as text.
    return false;
  }
}

/** Folders of the object store (spec §7). */
export const UPLOAD_FOLDERS = ['images', 'document'] as const;
export type UploadFolder = (typeof UPLOAD_FOLDERS)[number];

/**
 * The name of an uploaded object (spec §7): a unique id, the time, and the extension of the file. `counter` (from 1) is
 * the suffix for a name that already exists: `3f…-1767225600000_1.png`.
 */
export function uploadName(unique: string, at: number, fileName: string, counter = 0): string {
  const ending = endingOf(fileName);
  return `${unique}-${at}${counter > 0 ? `_${counter}` : ''}${ending === null ? '' : `.${ending}`}`;
}

/**
 * The key for a download link (spec §5). It must contain a dot, otherwise there is no link. Of a full URL only the path
 * is used, of anything else the part before a query string.
 */
export function downloadKey(text: string): string | null {
  const path = /^https?:\/\//i.test(text) ? pathOf(text) : text.split('?')[0];
  const key = path?.replace(/^\/+/, '') ?? '';
  return key.includes('.') ? key : null;
}

function pathOf(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { pathname } = new URL(url);
  try {
    return decodeURIComponent(pathname);
  } catch {
    // An invalid percent sign: use the path unchanged.
    return pathname;
  }
}

/** A file name for a header (RFC 6266): the full name for current browsers, and an ASCII fallback. */
export function contentDisposition(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\/%]/g, '_');
  const full = encodeURIComponent(name).replace(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${full}`;
}

/** A deadline is near when it is less than this time away (spec §9). Milliseconds. */
const NEAR_MS = 30 * 60_000;

/** True when a deadline is past or within 30 minutes (spec §9). */
export function isNearDeadline(deadline: Date | string | number, now: number): boolean {
  return new Date(deadline).getTime() - now <= NEAR_MS;
}
