/** A file of an archive. */
export interface ZipFile {
  /** with `/` between folders */
  path: string;
  text: string;
  /** only its owner may read it after unpacking */
  private: boolean;
}

/** MS-DOS date of the first day of the format. */
const FIRST_DAY = 0x21;
const UNIX_VERSION = 0x0314;
const UTF8_NAMES = 0x0800;

/** A small ZIP archive without compression. It keeps the permissions of files, which `ssh` requires for keys. */
export function zipOf(files: readonly ZipFile[]): Blob {
  const encoder = new TextEncoder();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const entries: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  for (const file of files) {
    const name = encoder.encode(file.path);
    const content = encoder.encode(file.text);
    const common: Field[] = [
      ...[two(20), two(UTF8_NAMES), two(0), two(0), two(FIRST_DAY), four(crc32(content))],
      ...[four(content.length), four(content.length), two(name.length), two(0)],
    ];
    const local = bytes([four(0x04034b50), ...common]);
    const mode = 0o100000 + (file.private ? 0o600 : 0o644);
    const attributes = (mode << 16) >>> 0;
    entries.push(
      bytes([four(0x02014b50), two(UNIX_VERSION), ...common, two(0), two(0), two(0), four(attributes), four(offset)]),
      name,
    );
    parts.push(local, name, content);
    offset += local.length + name.length + content.length;
  }
  const size = entries.reduce((sum, { length }) => sum + length, 0);
  const count = two(files.length);
  const end = bytes([four(0x06054b50), two(0), two(0), count, count, four(size), four(offset), two(0)]);
  return new Blob([...parts, ...entries, end], { type: 'application/zip' });
}

type Field = readonly [value: number, size: 2 | 4];
const two = (value: number): Field => [value, 2];
const four = (value: number): Field => [value, 4];

function bytes(fields: readonly Field[]): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(fields.reduce((sum, [, size]) => sum + size, 0)));
  let at = 0;
  for (const [value, size] of fields) {
    if (size === 2) view.setUint16(at, value, true);
    else view.setUint32(at, value, true);
    at += size;
  }
  return new Uint8Array(view.buffer);
}

function crc32(content: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of content) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
